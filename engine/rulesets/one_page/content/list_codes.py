"""Army lists as short codes (engine/kit/lists/codes.py).

The numbers: the limit in hundreds of points, then for each entry the number of its unit, twice the count (plus 1 where
doubled), the number of its discipline (0: none), how many upgrades, and the numbers of those. The name of a list is not
in its code. Every number has the bounds that it has in a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.core.rules.errors import ListRefused
from engine.kit.lists.codes import LONGEST, bounded, coded, taken_apart
from engine.rulesets.one_page.content import lists
from engine.rulesets.one_page.content.armies import Book
from engine.rulesets.one_page.state.profiles import Discipline
from protocol.text import text

HUNDREDS: Final = 100


def encode(book: Book, listed: lists.ArmyList) -> str:
    """Return the code of a list, valid or not, of an army that is installed. Raises ListRefused where it is too
    long."""
    code = coded(f"{book.armies[listed.army].code}{listed.version}", _numbers(listed, book.disciplines))
    if len(code) > LONGEST:
        raise ListRefused([text("op.list.long-code", most=LONGEST)])
    return code


def decode(book: Book, code: str) -> lists.ArmyList:
    """Return the list of a code. Raises ListRefused where it is damaged or of an unknown army."""
    parts = taken_apart(code)
    if parts is None:
        raise ListRefused([text("op.list.no-code")])
    army = book.coded(parts.letters)
    if army is None:
        raise ListRefused([text("op.list.no-army", army=parts.letters)])
    try:
        hundreds, *numbers = parts.numbers()
        limit = bounded(hundreds, 0, lists.MOST_LIMIT // HUNDREDS) * HUNDREDS
        entries = tuple(_entries(army.code, numbers, {known.number: known.id for known in book.disciplines.values()}))
    except (ValueError, IndexError, KeyError) as problem:
        raise ListRefused([text("op.list.damaged")]) from problem
    return lists.ArmyList(army.id, parts.version, limit, entries)


def _numbers(listed: lists.ArmyList, disciplines: Mapping[str, Discipline]) -> Iterator[int]:
    yield listed.limit // HUNDREDS
    for entry in listed.entries:
        yield int(entry.unit.rpartition("-")[2])
        yield 2 * entry.count + entry.doubled
        yield disciplines[entry.discipline].number if entry.discipline in disciplines else 0
        yield len(entry.upgrades)
        yield from entry.upgrades


def _entries(letters: str, numbers: Sequence[int], disciplines: Mapping[int, str]) -> Iterator[lists.ListEntry]:
    """Yield the entries of a code's numbers. Raises ValueError, IndexError or KeyError for numbers that no list has."""
    rest = list(reversed(numbers))
    for _ in range(lists.MOST_ENTRIES):
        if not rest:
            return
        unit, count, studied, bought = rest.pop(), rest.pop(), rest.pop(), rest.pop()
        upgrades = tuple(
            bounded(rest.pop(), 1, lists.MOST_NUMBER) for _ in range(bounded(bought, 0, lists.MOST_UPGRADES))
        )
        discipline = disciplines[studied] if studied else ""
        id = f"{letters}-{bounded(unit, 1, lists.MOST_NUMBER):02}"
        yield lists.ListEntry(id, bounded(count // 2, 0, lists.MOST_COUNT), upgrades, discipline, bool(count % 2))
    if rest:
        raise ValueError("more entries than a list has")
