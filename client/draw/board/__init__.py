"""Drawings on the board: terrain, figures, groups, zones, drafts of fields, tools, the stack. Imports emblem."""
