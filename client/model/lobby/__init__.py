"""Lobby as a person knows it: its tables, its people and their notices."""
