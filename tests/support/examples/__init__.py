"""Example data: messages, scenes, replays, texts and files."""
