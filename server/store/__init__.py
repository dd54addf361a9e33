"""Where matches and lobby records are kept: the port (port.py), its SQLite adapter and an in-memory store."""
