"""Content: from TOML to the content of a match, checked. Imports rules, state and text."""
