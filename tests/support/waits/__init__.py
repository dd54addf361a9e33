"""Tests that wait for a person, process, thread or clock: their marker, busy loops beside them, and the run that
repeats them."""
