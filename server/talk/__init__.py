"""What people say where it is kept for those who come later: the lines of the lobby.

Imports store and runtime; lobby and cli import it.
"""
