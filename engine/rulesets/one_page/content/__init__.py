"""Content: TOML to armies, lists and the content of a match, checked. Imports state and text."""
