"""People and robots who play in plain text."""
