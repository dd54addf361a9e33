"""Terrain as content gives it and as dice lay it: places, their checks, scatter, open ways. Imports core and space."""
