"""Names of people and tables: normalised, short, without control or direction characters, unique at a table."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from typing import Final

from protocol.lines import clean_line

GUEST: Final = "Guest"
GUEST_TAIL: Final = " (guest)"
"""Of one who is called like somebody who keeps that name."""
RESERVED: Final = frozenset(
    ("eschaton", "server", "system", "admin", "administrator", "moderator", "operator", "referee", "root", "table")
)


def clean_name(text: str, most: int, otherwise: str) -> str:
    """A name of at most `most` characters; `otherwise` where nothing readable is left."""
    return clean_line(text)[:most].strip() or otherwise


def person_name(text: str, most: int) -> str:
    """A clean name of a person: nobody is called like the server or those who look after it."""
    name = clean_name(text, most, GUEST)
    return GUEST if name_key(name) in RESERVED else name


def name_key(name: str) -> str:
    """What names that count as the same have in common: without case, spaces, and forms of the same characters."""
    return unicodedata.normalize("NFKC", clean_line(name).casefold()).replace(" ", "")


def guest_name(name: str, most: int) -> str:
    """The name of a guest where somebody else keeps `name`."""
    return name[: most - len(GUEST_TAIL)].rstrip() + GUEST_TAIL


def can_be_kept(name: str) -> bool:
    """Whether one person may have this name for himself."""
    return name_key(name) != name_key(GUEST) and not name_key(name).endswith(name_key(GUEST_TAIL))


def unique_name(name: str, taken: Collection[str], most: int) -> str:
    """`name`, or "name 2", "name 3" and so on where it is taken (letter case apart)."""
    folded = {other.casefold() for other in taken}
    candidate, count = name, 1
    while candidate.casefold() in folded:
        count += 1
        tail = f" {count}"
        candidate = name[: most - len(tail)].rstrip() + tail
    return candidate
