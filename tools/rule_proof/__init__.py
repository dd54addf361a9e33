"""Proof that the tests of a rule check it: all fail with the rule switched off, one with each error planted in it.

May import engine.core.rules.implements and pytest; tests alone import it.
"""
