"""Gestures: clicks and drags on the table that make a choice of the prompt. Needs no window and no network."""
