"""The client's sounds, made of tones and noise alone: `python -m tools.sounds` writes client/art/sounds anew.

It needs nothing but Python, and writes the same bytes each time: chance is seeded by the name of each sound. It may use
client/ and protocol/.
"""
