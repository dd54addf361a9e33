"""What people say where it is kept for those who come later: lines of the lobby, and words between two at a table.

Imports store and runtime; lobby and cli import it.
"""
