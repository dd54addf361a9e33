"""Order among people: moderators, bans and mutes, announcements, where people came from, and the list of what was done.

Imports accounts, store and runtime; lobby, net and cli import it.
"""
