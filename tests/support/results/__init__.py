"""Results of matches for tests of the book that keeps them."""
