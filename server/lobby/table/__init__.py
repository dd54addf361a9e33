"""One table: its record, the people at it, what they are told and shown of it, and its votes."""
