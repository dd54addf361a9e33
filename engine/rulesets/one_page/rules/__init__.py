"""The rules by chapters of the book, and the course of play (flow.py). Imports content, state and text."""
