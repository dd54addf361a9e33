"""Moves on foot and of vehicles, reactions to them, and errands on the way."""
