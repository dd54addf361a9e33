"""The window and people at it: real ones on a display, hidden ones, their hands and their robots."""
