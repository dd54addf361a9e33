"""Pictures and fonts that come with the client, made by tools/art.py, and who they are of: docs/credits.md. Imports the
protocol only."""
