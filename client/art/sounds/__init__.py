"""Sounds of the client (tools/sounds makes them); sound_files.py finds them."""
