"""The game itself with lists that its players bring."""

from __future__ import annotations

import pytest

from engine.core.rules.army_lists import lists_of
from engine.core.rules.errors import SetupRefused
from engine.core.rules.system import Setup
from engine.rulesets.one_page.content.army_lists import OnePageLists
from engine.rulesets.one_page.system import system
from server.content.systems import texts_of
from tests.support.systems.army_book import book

CONTENT = system.content(texts_of(system))
SMALL = next(info for info in system.scenarios(CONTENT) if info.points == 3000)


def test_the_system_offers_lists_and_its_tables_want_them() -> None:
    lists = lists_of(system)
    assert isinstance(lists, OnePageLists)
    assert {info.points for info in system.scenarios(CONTENT)} == set(lists.limits)


def test_what_is_brought_comes_to_the_table() -> None:
    lists = OnePageLists()
    codes = tuple(lists.build(CONTENT, army, 3000, 5) for army in ("lumen_choir", "lumen_choir"))
    state = system.start(system.setup(CONTENT, Setup(SMALL.id, ("lumen_choir",) * 2, codes)), 2)
    points = lists.read(CONTENT, codes[0]).points
    assert [sum(unit.points for unit in force.units) for force in state.resolved.forces] == [points, points]
    assert sum(len(unit.arms) for force in state.resolved.forces for unit in force.units) == len(state.figures)


def test_without_a_list_the_ready_one_is_brought() -> None:
    state = system.start(system.setup(CONTENT, Setup(SMALL.id, ("iron_marches", "sable_order"))), 2)
    assert [force.points for force in state.resolved.forces] == [3000, 2955]


DEAR = """
[army]
id = "dear"
code = "DE"
name = "Dear"
version = 1

[[page.unit]]
id = "DE-01"
name = "The Only One"
type = "hero"
quality = 2
models = 1
tough = 20
special = ["Armored", "Fearless"]
weapons = ["Plasma Pistol", "Power Fist"]
points = 1020
"""


def test_an_army_without_a_ready_list_draws_one_and_one_of_which_none_can_be_made_is_refused() -> None:
    texts = texts_of(system)
    page = texts["armies/sable_order.toml"]
    content = system.content({**texts, "armies/sable_order.toml": page[: page.index("[sample]")], "dear.toml": DEAR})
    state = system.start(system.setup(content, Setup(SMALL.id, ("sable_order", "sable_order"))), 2)
    assert all(2800 <= force.points <= 3000 for force in state.resolved.forces)
    with pytest.raises(SetupRefused) as problem:
        system.setup(content, Setup(SMALL.id, ("dear", "")))
    assert problem.value.text.k == "op.list.empty"


def test_a_page_of_machines_alone_draws_a_list_of_machines() -> None:
    texts = texts_of(system)
    page = texts["armies/sable_order.toml"]
    head = page[: page.index("[[page.unit]]")]
    tank = page[page.index("[[page.unit]]", page.index("SO-10")) : page.index("[upgrades]")]
    content = system.content({**texts, "armies/sable_order.toml": head + tank})
    state = system.start(system.setup(content, Setup(SMALL.id, ("sable_order", "sable_order"))), 2)
    assert [len(force.units) for force in state.resolved.forces] == [8, 8]


def test_a_list_that_is_too_large_or_damaged_is_refused() -> None:
    large = OnePageLists().build(CONTENT, "sable_order", 6000, 1)
    for code, why in ((large, "op.setup.points"), (large[:-1], "op.list.damaged"), ("x", "op.list.no-code")):
        with pytest.raises(SetupRefused) as problem:
            system.setup(CONTENT, Setup(SMALL.id, ("sable_order", ""), (code, "")))
        assert problem.value.text.k == why


def test_every_text_of_lists_and_forms_is_in_the_catalogue() -> None:
    named = [unit.name for army in book().armies.values() for unit in army.units.values()]
    known = {*system.catalogue("en"), *named}
    for army in OnePageLists().factions(CONTENT):
        form = OnePageLists().form(CONTENT, OnePageLists().build(CONTENT, army, 6000, 2))
        keys = {row.label.k for section in form.sections for row in section.rows} | {
            one.title.k for one in form.sections
        }
        assert keys <= known
