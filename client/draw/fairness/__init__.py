"""Drawings of the dice check: its mark, and the page of lines that explains it."""
