"""The results of finished matches, and the ratings of people that follow from them.

May import the store and its runtime; knows no table, no host of a match and no account.
"""
