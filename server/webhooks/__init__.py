"""The webhooks by which people are told of their turns outside the window: kept addresses, and the sending to them.

Imports store and runtime; lobby and cli import it.
"""
