"""Languages of the program in tests, and a pseudo-language."""
