"""Plain values with their canonical bytes, texts, limits and rates. Imports nothing else of the protocol."""
