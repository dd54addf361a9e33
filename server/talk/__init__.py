"""What people say where it is kept for those who come later: lines of the lobby, words between two at a table, reports.

Imports store and runtime; lobby and cli import it.
"""
