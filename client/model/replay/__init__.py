"""Replays: their scenes, their player, and clips of them."""
