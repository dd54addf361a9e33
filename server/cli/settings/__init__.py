"""Settings of a server: their table, the sources of their values, and the report of both."""
