"""Page of a faction that brings army lists: what its head says, and its ready lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from engine.kit.lists.page_rules import FactionPage, ListLine, PageRules
from protocol.text import Text
from protocol.wire.faction_pages import FactionRule, FactionSheet, FactionUnit, ReadyList

B = TypeVar("B")
E = TypeVar("E", bound=ListLine)


def sheet_of(
    page: FactionPage,
    numbers: tuple[Text, ...],
    units: tuple[FactionUnit, ...],
    rules: tuple[FactionRule, ...],
    lists: tuple[ReadyList, ...] = (),
) -> FactionSheet:
    """Return the page of a faction, with what its system knows of it."""
    glyph = page.glyph or next((unit.glyph for unit in units), "")
    strong, weak = [Text(words) if words else None for words in (page.strong, page.weak)]
    return FactionSheet(
        Text(page.name), glyph, tuple(map(Text, page.lines)), strong, weak, numbers, units, rules, lists
    )


def ready_lists(rules: PageRules[B, E], book: B, faction: str) -> tuple[ReadyList, ...]:
    """Return the lists that the page of a faction gives as examples, the smallest first, each once."""
    return tuple(_lists(rules, book, faction))


def _lists(rules: PageRules[B, E], book: B, faction: str) -> Iterator[ReadyList]:
    told: list[tuple[E, ...]] = []
    for limit in sorted(rules.limits):
        listed = rules.sampled(book, faction, limit)
        if listed is None or listed.entries in told or rules.faults(book, listed):
            continue
        told.append(listed.entries)
        lines = [rules.row(book, listed, entry) for entry in listed.entries]
        yield ReadyList(rules.total(book, listed), tuple(lines))
