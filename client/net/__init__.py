"""Addresses and the connection to a server."""
