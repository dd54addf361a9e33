"""Processes of the program that are forked from one that has imported it, in place of importing it anew at each
start."""
