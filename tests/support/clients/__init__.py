"""People and programs that come to a server in tests."""
