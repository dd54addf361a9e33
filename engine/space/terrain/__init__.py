"""Areas and barriers on a table, gaps and contact. Imports vectors."""
