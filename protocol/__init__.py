"""Lowest room: wire messages, scene vocabulary, codec and dice derivation. Imports no other room.

The modules at its top are what its folders use: limits, errors, texts, canonical bytes; they import no folder.
"""
