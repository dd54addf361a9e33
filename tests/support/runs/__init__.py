"""Running of tests: markers, bounds, long runs, pages followed step by step."""
