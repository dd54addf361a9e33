"""The server's process: clock, logs, metrics, tasks, keys and signatures, budgets. Imports engine and protocol only."""
