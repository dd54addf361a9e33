"""Bytes that bind a host: derivation of dice, salted leaves and trees, signed texts. Imports plain."""
