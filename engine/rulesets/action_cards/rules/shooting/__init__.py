"""Shots, linked fire, blasts, and shots at monsters."""
