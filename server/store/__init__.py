"""Where matches and lobby records are kept: the port (port.py), and its adapters for an SQLite file and for Redis."""
