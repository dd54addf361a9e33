"""The table: ground, ways and places on it, bases, sight, cover, and what hides."""
