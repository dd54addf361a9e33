"""The people that each person has marked: friends and requests, muted and blocked, and whom they have played with.

Imports store and runtime; lobby and cli import it.
"""
