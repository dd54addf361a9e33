"""The board of a match: groups where they stand, and who sees whom. Imports core and space."""
