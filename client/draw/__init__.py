"""Drawings of board, panels and pages: one function for each part of a frame. Imports ui and all below it."""
