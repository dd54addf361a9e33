"""Bots: what those of all systems share. Imports core."""
