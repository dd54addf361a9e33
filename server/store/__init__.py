"""Storage of matches and lobby records: the port (port.py) and its adapters for an SQLite file and for Redis.

A server takes its store from choice.py. Imports runtime only.
"""
