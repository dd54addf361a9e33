"""Tables before, around and after their matches, and the people who come to them. Imports accounts, match, content,
store and runtime.
"""
