"""Messages of clients by subject; protocol/wire/from_client.py is their union."""
