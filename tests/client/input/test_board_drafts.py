"""Cells, points of a path, facings and templates, from click or key to the value on the wire."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from client.input.drafts import AssignDraft
from client.input.prompt_driver import FILLING, PromptDriver
from client.input.way_draft import WayDraft
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.replies import check_reply
from protocol.ids import NodeId, PromptId
from protocol.scene.fields import (
    AnyField,
    Assign,
    Band,
    Barred,
    Facing,
    Option,
    PathPoint,
    PickCell,
    PickPoint,
    Placement,
    Template,
    Way,
)
from protocol.scene.grid import Grid
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.text import text

GRID = Grid(300, 9, 7, (300, 300))
CELL = PickCell("f", text("f"), grid=GRID, options=((1, 1), (2, 1), (2, 2)))
PATH = PathPoint("f", text("f"), path=((0, 0), (300, 0), (600, 0)), least=1, default=1)
FACING = Facing("f", text("f"), at=(300, 300), angles=(0, 60, 120, 180, 240, 300))
SQUARE = ((0, 0), (1000, 0), (1000, 1000), (0, 1000))
WAY = Way("f", text("f"), start=(100, 100), most=3, radius=50, bands=(Band(text("walk"), 1000, (SQUARE,)),))
TEMPLATE = Template("f", text("f"), size=200, start=(0, 0), reach=500)


def driver_for(field: AnyField) -> PromptDriver:
    driver = PromptDriver(Prompt(PromptId("p"), text("title"), (Choice("act", text("act"), (field,)),)))
    driver.choose("act")
    assert driver.stage == FILLING
    return driver


@pytest.mark.parametrize(
    ("field", "click", "value"),
    [
        (CELL, GRID.centre((2, 1)), [2, 1]),
        (PATH, (590, 40), 2),
        (FACING, (300, 900), 60),
        (TEMPLATE, (100, 100), [100, 100]),
        (WAY, (700, 300), [700, 300]),
        (Way("f", text("f"), start=(0, 0), grid=GRID), GRID.centre((2, 1)), [2, 1]),
    ],
)
def test_a_click_on_the_board_becomes_a_value_that_the_engine_takes(
    field: AnyField, click: tuple[int, int], value: object
) -> None:
    driver = driver_for(field)
    assert driver.draft is not None
    assert driver.draft.aim(click)
    assert driver.confirm()
    assert driver.reply == Reply("act", {"f": value})
    check_reply(driver.prompt.choices, driver.reply)


@pytest.mark.parametrize(("field", "value"), [(CELL, [2, 1]), (PATH, 2), (FACING, 60)])
def test_keys_go_through_the_values(field: AnyField, value: object) -> None:
    driver = driver_for(field)
    assert driver.draft is not None
    while driver.draft.missing():
        driver.draft.step(1)
    driver.draft.step(1)
    assert driver.confirm()
    assert driver.reply == Reply("act", {"f": value})


def test_a_cell_that_is_not_offered_is_not_taken() -> None:
    driver = driver_for(CELL)
    assert driver.draft is not None
    driver.draft.aim(GRID.centre((8, 6)))
    assert driver.draft.missing()


@pytest.mark.parametrize(
    ("field", "value"),
    [(CELL, [0, 0]), (CELL, 1), (PATH, 0), (PATH, 3), (PATH, True), (FACING, 30), (FACING, [0]), (TEMPLATE, 5)],
)
def test_a_value_that_was_not_offered_is_refused(field: AnyField, value: object) -> None:
    with pytest.raises(IllegalIntent):
        check_reply((Choice("act", text("act"), (field,)),), Reply("act", {"f": value}))


def way_after(field: Way, *clicks: tuple[int, int]) -> WayDraft:
    draft = driver_for(field).draft
    assert isinstance(draft, WayDraft)
    for click in clicks:
        assert draft.aim(click)
    return draft


def test_each_click_adds_a_corner_until_the_way_has_all_it_may_have() -> None:
    assert way_after(WAY, (300, 100), (300, 400)).wire() == [300, 100, 300, 400]
    assert way_after(WAY, (300, 100), (300, 400), (500, 400), (900, 400)).wire() == [300, 100, 300, 400, 900, 400]


def test_a_click_at_the_end_of_a_way_takes_it_back() -> None:
    draft = way_after(WAY, (300, 100), (300, 400), (320, 410))
    assert draft.wire() == [300, 100]
    draft.aim((300, 110))
    assert draft.missing()


def test_a_click_out_of_reach_means_the_last_place_within_it() -> None:
    assert way_after(WAY, (100, 5000)).corners[0] == pytest.approx((100, 1000), abs=10)


def test_the_first_click_draws_another_way_than_the_proposed_one() -> None:
    proposed = replace(WAY, default=(200, 200, 300, 300))
    assert way_after(proposed).wire() == [200, 200, 300, 300]
    assert way_after(proposed, (600, 600)).wire() == [600, 600]


def test_a_way_is_drawn_by_keys_alone() -> None:
    draft = way_after(WAY)
    assert draft.nudge(50, 0)
    draft.step(1)
    draft.nudge(0, 50)
    assert draft.wire() == [150, 100, 150, 150]
    draft.step(-1)
    assert draft.wire() == [150, 100]
    cells = way_after(Way("f", text("f"), start=(2, 2), grid=GRID))
    cells.nudge(50, 0)
    assert cells.wire() == [3, 2]


def test_places_are_moved_by_keys_alone() -> None:
    point = driver_for(PickPoint("f", text("f"), start=(100, 100), reach=200)).draft
    assert point is not None
    assert point.nudge(50, 0)
    assert point.value() == [150, 100]
    pieces = (NodeId("piece/1"), NodeId("piece/2"))
    many = driver_for(Placement("f", text("f"), pieces=pieces, default=dict.fromkeys(pieces, (0, 0)))).draft
    assert many is not None
    assert not many.nudge(5, 5)
    many.hold(many.holdable()[1])
    assert many.nudge(5, -5)
    assert many.value() == {"piece/1": [0, 0], "piece/2": [5, -5]}


def test_an_item_goes_only_where_it_may_by_click_and_by_key() -> None:
    field = Assign(
        "f",
        text("f"),
        items=(Option("piece/1"), Option("piece/2")),
        slots=(Option("hold"), Option("near"), Option("far")),
        bars={"piece/1": (Barred("near", "react/blind", text("blind")),)},
        default={"piece/1": "hold", "piece/2": "hold"},
    )
    driver = driver_for(field)
    draft = driver.draft
    assert isinstance(draft, AssignDraft)
    draft.step(1)
    assert draft.slot_of["piece/1"] == "far"
    draft.step(1)
    draft.step(-1)
    assert draft.slot_of["piece/1"] == "far"
    driver.pick(NodeId("piece/1"))
    assert not driver.pick(NodeId("near"))
    assert driver.note == text("blind")
    driver.pick(NodeId("piece/2"))
    assert driver.pick(NodeId("near"))
    assert driver.confirm()
    assert driver.reply == Reply("act", {"f": {"piece/1": "far", "piece/2": "near"}})
    check_reply(driver.prompt.choices, driver.reply)
