"""Proof that the tests of a rule look at it: all fail with the rule switched off, one with each error planted in it.

May import engine.core.rules.implements and pytest; nothing imports it.
"""
