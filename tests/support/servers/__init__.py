"""Parts of servers under test: data folders, logs, limits, clocks, people and bot processes."""
