"""Bots of three levels, which see scene and prompt only."""
