"""Slow and obvious second implementations, to compare the real ones with."""
