"""The leaf room: wire messages, scene vocabulary, codec and dice derivation. Imports no other room.

Its modules at the top are what all its folders use: limits, errors, texts, canonical bytes; they import no folder.
"""
