"""Pictures of real matches for a reader who knows nothing of the game, with the answers to what they are asked: `make
pictures PART=eyes`, into out/eyes.

`opponents` and `seats` play matches at a real server, `moments` finds a moment and a place worth a question, `answers`
writes down what is true of it.
"""
