"""Scene of a table: nodes, fields, cue templates, deltas. Imports the modules at the top of the room."""
