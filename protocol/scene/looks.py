"""Names of what clients draw and play in ways of their own: glyphs of pieces, grounds of tables, sounds.

A client that has no picture for a name draws something plain, and may be silent. Content may use these names alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from protocol.words import read_toml

_LOOKS: Final = read_toml(__package__, "looks")

ICONS: Final[Mapping[str, list[str]]] = _LOOKS["icons"]
"""Icons by what they are about, in the order of the atlas."""
GLYPHS: Final[Mapping[str, str]] = {name: name for names in ICONS.values() for name in names} | _LOOKS["glyphs"]
"""The icon of each glyph: an icon's own name, or another word for it."""
GROUNDS: Final[Mapping[str, str]] = _LOOKS["grounds"]
"""Kinds of ground in words, by name."""
SOUNDS: Final[Mapping[str, str]] = _LOOKS["sounds"]
"""Sounds in words, by name."""
