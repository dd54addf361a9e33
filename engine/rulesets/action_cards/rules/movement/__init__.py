"""Moves of groups on foot."""
