"""Skeletons of texts that look the same, whatever alphabets their letters are of (UTS 39)."""

from __future__ import annotations

import json
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from string import ascii_lowercase, ascii_uppercase


def skeleton(text: str) -> str:
    """Return the form that texts which look the same have in common, letter case apart; not to be shown."""
    apart = unicodedata.normalize("NFD", text.casefold())
    table = _prototypes()
    return unicodedata.normalize("NFD", "".join(table.get(c, c) for c in apart))


@cache
def _prototypes() -> Mapping[str, str]:
    """Return, for each character that has look-alikes, the one text that stands for all of them."""
    alike: dict[str, set[str]] = defaultdict(set)
    for one, other in _pairs():
        alike[one].add(other)
        alike[other].add(one)
    chosen: dict[str, str] = {}
    for one in sorted(alike):
        if one not in chosen:
            group = _reached(one, alike)
            # a group that has a text of several characters is made of what looks like that; else any one will do
            chosen |= dict.fromkeys(group, max(group, key=lambda text: (len(text), [-ord(c) for c in text])))
    single = {text: to for text, to in chosen.items() if len(text) == 1}
    return {text: "".join(single.get(c, c) if len(to) > 1 else c for c in to) for text, to in single.items()}


def _pairs() -> Iterator[tuple[str, str]]:
    data = files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8")
    for one, others in json.loads(data).items():
        for other in others:
            # some are listed between direction marks
            yield _bare(one), _bare(other["c"])
    # of other alphabets the small letters look like others than the capitals do
    yield from zip(ascii_uppercase, ascii_lowercase, strict=True)


def _bare(text: str) -> str:
    return unicodedata.normalize("NFD", text.replace("\u200e", ""))


def _reached(start: str, alike: Mapping[str, set[str]]) -> set[str]:
    found, left = {start}, [start]
    while left:
        fresh = alike[left.pop()] - found
        found |= fresh
        left += fresh
    return found
