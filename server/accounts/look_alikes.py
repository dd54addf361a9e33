"""Skeletons of texts that look the same, whatever alphabets their letters are of (UTS 39)."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection, Iterator, Mapping
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
    chosen: dict[str, str] = {}
    for group in _groups():
        # a group that has a text of several characters is made of what looks like that; else any one will do
        longest = max(map(len, group))
        chosen |= dict.fromkeys(group, min(text for text in group if len(text) == longest))
    single = {text: to for text, to in chosen.items() if len(text) == 1}
    return {text: "".join(single.get(c, c) if len(to) > 1 else c for c in to) for text, to in single.items()}


def _groups() -> Collection[list[str]]:
    """Return the groups of texts that look the same, one like another."""
    group_of: dict[str, list[str]] = {}
    for one, other in _pairs():
        group, more = group_of.setdefault(one, [one]), group_of.setdefault(other, [other])
        if group is not more:
            group += more
            group_of.update(dict.fromkeys(more, group))
    return {id(group): group for group in group_of.values()}.values()


def _pairs() -> Iterator[tuple[str, str]]:
    data = files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8")
    for one, others in json.loads(data).items():
        # some are listed between direction marks
        bare = _bare(one)
        for other in others:
            yield bare, _bare(other["c"])
    # of other alphabets the small letters look like others than the capitals do
    yield from zip(ascii_uppercase, ascii_lowercase, strict=True)


def _bare(text: str) -> str:
    return unicodedata.normalize("NFD", text.replace("\u200e", ""))
