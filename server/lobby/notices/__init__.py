"""Telling people that a table waits for them: in their window, or by webhook where they are not looking."""
