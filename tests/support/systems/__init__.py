"""Small rule systems for tests, and tables of the real ones laid out by hand."""
