"""A table: its record, the people at it, the views and messages that they get, and its votes."""
