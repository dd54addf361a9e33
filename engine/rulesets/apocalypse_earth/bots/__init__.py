"""Bots of three levels: the first two see only the scene and the prompt, the third the state as its side knows it."""
