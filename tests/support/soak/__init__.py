"""A server under matches that follow one another for long, and what is left in its memory of those that are over.

`server` is a program that tells of its memory when it is asked; `course` has matches played at it.
"""
