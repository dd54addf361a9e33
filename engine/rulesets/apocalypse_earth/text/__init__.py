"""Texts in English by key."""
