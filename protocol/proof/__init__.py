"""Bytes that bind a host: derivation of dice, salted leaves and trees, signed texts.

Imports the modules at the top of the room.
"""
