"""Content: TOML to armies, lists, terrain and scenarios, checked. Imports state and text."""
