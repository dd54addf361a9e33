"""Pictures, fonts and sounds that come with the client, made by tools/art.py and tools/sounds, and who they are of:
docs/credits.md. Imports the protocol only."""
