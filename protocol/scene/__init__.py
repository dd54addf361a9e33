"""The scene of a table: nodes, fields, cue forms, deltas. Imports plain."""
