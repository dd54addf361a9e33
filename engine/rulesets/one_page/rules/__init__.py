"""The rules by chapters of the book, and the order of play (flow.py). Imports content, state and text."""
