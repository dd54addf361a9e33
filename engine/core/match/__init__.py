"""A match: causes, steps, log, hash chain, undo. Imports rules."""
