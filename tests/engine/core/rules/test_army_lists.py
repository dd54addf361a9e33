"""Army lists: the faults of a refused list, and the systems that have lists at all."""

from __future__ import annotations

from engine.core.rules.army_lists import BroughtList, lists_of
from engine.core.rules.errors import ListRefused
from engine.rulesets.one_page import system as one_page
from protocol.text import Text, text
from tests.support.systems.haggle import HAGGLE, Haggle


class HalfMade(Haggle):
    """A system whose lists can only be read."""

    class Lists:
        limits = (1000,)

        def read(self, content: object, written: str, file: str = "") -> BroughtList:
            return BroughtList("code", "elves", Text("name"), 900, 1000, ())

    lists = Lists()


def test_a_refusal_keeps_every_fault_and_names_them_by_their_keys() -> None:
    faults = [text("list.points", most=1000), text("list.hero")]
    refused = ListRefused(faults)
    faults.clear()
    assert refused.faults == (text("list.points", most=1000), text("list.hero"))
    assert str(refused) == "list.points, list.hero"


def test_a_system_offers_lists_by_an_attribute_that_does_all_that_is_asked_of_it() -> None:
    assert lists_of(one_page) is one_page.lists
    assert lists_of(HAGGLE) is None
    assert lists_of(HalfMade()) is None
