"""Bots in the seats of live matches: asked here, thinking in processes of their own (workers/)."""
