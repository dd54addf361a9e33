"""A server under a long sequence of matches, and the memory left of those that are over.

`server` is a program that reports its memory on request; `course` has matches played at it.
"""
