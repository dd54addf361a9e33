"""Lines of sight past groups and terrain. Imports terrain and vectors."""
