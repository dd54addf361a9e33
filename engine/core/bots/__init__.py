"""Bots: their contract, the random player, play in memory. Imports view, match and rules."""
