"""Names of what clients draw in ways of their own: glyphs of pieces, and grounds of tables.

A client that has no picture for a name draws something plain. Content may use these names alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from protocol.words import read_toml

_LOOKS: Final = read_toml(__package__, "looks")

GLYPHS: Final[Mapping[str, str]] = _LOOKS["glyphs"]
"""Things that the glyphs show, by name."""
GROUNDS: Final[Mapping[str, str]] = _LOOKS["grounds"]
"""Kinds of ground in words, by name."""
