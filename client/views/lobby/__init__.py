"""Screens before a match: the address, the lobby, the set-up of a table with its army lists."""
