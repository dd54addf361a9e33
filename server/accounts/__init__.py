"""Accounts of people, their names and passwords, and how long the server remembers them.

Imports match, store and runtime; lobby and net import it.
"""
