"""Straight moves of bases, and their reach. Imports sight, terrain and vectors."""
