"""Forces of seats, of the lists that they bring or the ready ones."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from engine.core.rules.errors import SetupRefused
from engine.kit.lists.forces import force_of
from engine.kit.lists.list_texts import encode, sound
from engine.kit.lists.page_rules import ArmyList, ListLine
from protocol.text import Text, text
from tests.engine.kit.lists.test_page_lists import BOOK, FEW, Book, PaperLists

LISTS = PaperLists()


class Troop(NamedTuple):
    points: int
    units: int


def muster(book: Book, listed: ArmyList[ListLine]) -> Troop:
    current, _ = sound(LISTS, book, listed)
    return Troop(LISTS.points(book, current), sum(line.count for line in current.entries))


def troop(faction: str, written: str = "", limit: int = FEW) -> Troop:
    return force_of(LISTS, BOOK, faction, limit, written, muster)


def refused(faction: str, written: str = "", limit: int = FEW) -> Text:
    with pytest.raises(SetupRefused) as told:
        troop(faction, written, limit)
    return told.value.text


def code(*lines: ListLine, limit: int = FEW) -> str:
    return encode(LISTS, BOOK, ArmyList("west", 3, limit, lines))


def test_a_seat_has_its_list_or_the_ready_one_of_its_faction() -> None:
    assert troop("west") == Troop(150, 2)
    assert troop("west", code(ListLine("WA-01", 3))) == Troop(180, 3)


def test_an_unknown_faction_a_faulty_list_and_too_many_points_are_refused() -> None:
    assert refused("east") == text("zz.setup.no-army", army="east")
    assert refused("west", code(ListLine("LC-01"))) == text("zz.list.no-unit", unit="LC-01")
    assert refused("west", code(ListLine("WA-01", 6), limit=500), 350) == text("zz.setup.points", points=360, limit=350)
