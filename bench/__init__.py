"""Repeatable benchmarks of the rooms."""
