"""Dice that no one alone can choose: entropy chains, the record of who adds to a round, and a program's own part.

Imports protocol only; no socket, clock, window or source of chance.
"""
