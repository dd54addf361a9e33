"""The scene of a table: nodes, fields, cue forms, deltas. Imports the modules at the top of the room."""
