"""Dice that nobody can choose: entropy chains, who may add a part to a round, and a program's own part in it.

Imports protocol only; no socket, clock, window or source of chance.
"""
