"""Special Events, and the monsters that they bring."""
