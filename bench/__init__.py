"""Repeatable benchmarks: `python -m bench` (PROFILE.md says where the time goes, results.jsonl what was measured)."""
