"""Cells, points of a path, facings and templates, from click or key to the value on the wire."""

from __future__ import annotations

import pytest

from client.input.prompt_driver import FILLING, PromptDriver
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.replies import check_reply
from protocol.ids import PromptId
from protocol.scene.fields import AnyField, Facing, PathPoint, PickCell, Template
from protocol.scene.grid import Grid
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.text import text

GRID = Grid(300, 9, 7, (300, 300))
CELL = PickCell("f", text("f"), grid=GRID, options=((1, 1), (2, 1), (2, 2)))
PATH = PathPoint("f", text("f"), path=((0, 0), (300, 0), (600, 0)), least=1, default=1)
FACING = Facing("f", text("f"), at=(300, 300), angles=(0, 60, 120, 180, 240, 300))
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
