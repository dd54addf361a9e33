"""Bots of two levels, which see only the scene and the prompt."""
