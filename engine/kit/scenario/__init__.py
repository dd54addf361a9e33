"""Scenarios: names that files use of one another, factions of the seats, places in start zones. Imports core, space."""
