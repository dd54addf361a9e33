"""Bots of three levels."""
