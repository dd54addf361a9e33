"""Bots in the seats of live matches. They are asked here, and think in processes of their own (workers/)."""
