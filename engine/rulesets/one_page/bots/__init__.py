"""Bots of two levels, which see scene and prompt only."""
