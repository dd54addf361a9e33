"""Finding a game: searches over the directory of tables, and who looks at which of their pages."""
