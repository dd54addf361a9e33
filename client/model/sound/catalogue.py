"""Catalogue of sounds: the category of each, and which one is heard at a cue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from client.text.texts import Texts
from protocol.scene.nodes import Cue
from protocol.text import Text
from protocol.words import read_toml

_SOUNDS: Final = read_toml(__package__, "sounds")
CATEGORIES: Final[Mapping[str, list[str]]] = _SOUNDS["categories"]
"""Sounds by category, in the order in which settings show them."""
CATEGORY: Final = {name: category for category, names in CATEGORIES.items() for name in names}
"""Category of each sound."""
BY_KIND: Final[Mapping[str, str]] = _SOUNDS["cues"]
"""Sound of each kind of cue; of others none is heard."""
ROLLING: Final = "dice_roll"
SETTLING: Final = "dice_settle"
PREFIX: Final = "sound."
"""Beginning of the catalogue entries by which a rule system names a sound for a text of its own."""


def sound_at(cue: Cue, texts: Texts) -> str:
    """Return the sound at the beginning of a cue, "" for none: dice roll before it is known what they tell."""
    return ROLLING if cue.dice is not None else _named(cue, texts) or BY_KIND.get(cue.kind, "")


def sound_after(cue: Cue, texts: Texts) -> str:
    """Return the sound at the end of a cue, "" for none: what its dice tell, else that they settle."""
    return _named(cue, texts) or SETTLING if cue.dice is not None else ""


def _named(cue: Cue, texts: Texts) -> str:
    """Return the sound that a catalogue names for the cue's text, else for a thing that it tells of, such as a weapon.
    A name counts for all keys that begin so: `sound.log.fire` for `log.fire.spread`, too."""
    things = [key for part in cue.text.a.values() for key in _keys(part)]
    keys = (cue.text.k, *(begun for key in (*things, cue.text.k) for begun in _beginnings(key)))
    named = (texts.entries.get(PREFIX + key, "") for key in keys)
    return next((name for name in named if name in CATEGORY), "")


def _keys(part: str | int | Text) -> Iterator[str]:
    """Yield the key of a text and those of the texts in it."""
    if isinstance(part, Text):
        yield part.k
        for inner in part.a.values():
            yield from _keys(inner)


def _beginnings(key: str) -> Iterator[str]:
    while key:
        yield key
        key = key.rpartition(".")[0]
