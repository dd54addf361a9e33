"""Assaults: charges, combats, duels."""
