"""Drawings of the panels around the board: cards, seats, prompt, log, dice, notices, forms. Imports emblem."""
