"""Names of people and tables: normalised, short, without invisible characters, unique at a table.

PRECIS says which characters may stand in a name (RFC 8266, Nickname), UTS 39 which names look the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import cache
from typing import Final

from precis_i18n import get_profile

from protocol.text_cleaning import MARKS, clean_line
from server.accounts.look_alikes import skeleton

BOT_NAME: Final = "Bot"
GUEST: Final = "Guest"
GUEST_TAIL: Final = " (guest)"
"""Suffix of a guest whose name somebody else keeps."""
DELETED: Final = "deleted player"
"""Name at a table of somebody whose account is deleted."""
UNNAMED: Final = "Table"
"""Name of a table that has none of its own, and no owner."""
OWNED: Final = "{name}'s table"
"""Name of a table that has none of its own, with that of its owner: the one that programs propose for a new table."""
RESERVED: Final = frozenset(
    ("eschaton", "server", "system", "admin", "administrator", "moderator", "operator", "referee", "root", "table")
)


_NICKNAME: Final = get_profile("NicknameCasePreserved")


def clean_name(text: str, most: int, otherwise: str) -> str:
    """Return a name of at most `most` characters; `otherwise` where nothing readable is left."""
    name = _without_first_marks(clean_line(text)[:most])
    # one character less each time
    for _ in range(most):
        try:
            return clean_line(_NICKNAME.enforce(name)) or otherwise if name else otherwise
        except UnicodeEncodeError as problem:
            name = _without_first_marks(name[: problem.start] + name[problem.end :])
    return otherwise


def _without_first_marks(name: str) -> str:
    """Return a name without marks and spaces before the first character that they could stand on."""
    first = next((n for n, c in enumerate(name) if c != " " and unicodedata.category(c) not in MARKS), len(name))
    return name[first:].strip()


def person_name(text: str, most: int) -> str:
    """Return a clean name of a person, which neither is nor looks like that of the server or its staff."""
    name = clean_name(text, most, GUEST)
    return GUEST if name_key(name) in RESERVED or look_key(name) in _reserved_looks() else name


def own_table_name(name: str) -> str:
    """Return the name of a table that is called after its owner alone."""
    return OWNED.format(name=name) if name not in ("", DELETED) else UNNAMED


def holds_one_of(words: str, names: Collection[str]) -> bool:
    """Return True where one of these names stands in the words, whole; in whatever case."""
    sought = "|".join(re.escape(name.casefold()) for name in names if name and name != DELETED)
    return bool(sought) and re.search(rf"(?<!\w)(?:{sought})(?!\w)", words.casefold()) is not None


def look_key(name: str) -> str:
    """Return the key that names have in common which look the same, whatever alphabets their letters are of."""
    return skeleton(name_key(name))


@cache
def _reserved_looks() -> frozenset[str]:
    """Return the look of each reserved name; made when the first person comes, as it takes a while."""
    return frozenset(map(skeleton, RESERVED))


def name_key(name: str) -> str:
    """Return the key that names have in common which count as the same: without case, spaces and forms of
    characters."""
    return unicodedata.normalize("NFKC", clean_line(name).casefold()).replace(" ", "")


def guest_name(name: str, most: int) -> str:
    """Return the name of a guest where somebody else keeps `name`."""
    return name[: most - len(GUEST_TAIL)].rstrip() + GUEST_TAIL


def can_be_kept(name: str) -> bool:
    """Return True where one person may have this name for their own."""
    return look_key(name) != look_key(GUEST) and not look_key(name).endswith(look_key(GUEST_TAIL))


def unique_name(name: str, taken: Collection[str], most: int) -> str:
    """Return `name`, or "name 2", "name 3" and so on where one that looks the same is taken."""
    looks = {look_key(other) for other in taken}
    candidate, count = name, 1
    while look_key(candidate) in looks:
        count += 1
        tail = f" {count}"
        candidate = name[: most - len(tail)].rstrip() + tail
    return candidate
