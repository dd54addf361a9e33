"""Checks of whole matches played in memory."""
