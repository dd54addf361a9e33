"""Presentation: what happens as cues, what stands as nodes. Imports core and space."""
