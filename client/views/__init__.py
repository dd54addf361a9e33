"""Screens that fill the window, and the pages that lie over them. Imports draw and all below it."""
