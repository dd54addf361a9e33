"""Setup, reserves, victory conditions, and the end of the game."""
