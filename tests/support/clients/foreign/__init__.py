"""A client in nobody's library, written from the documents alone."""
