"""Repeatable benchmarks: `python -m bench` (PROFILE.md has the profile of the server, results.jsonl the
measurements)."""
