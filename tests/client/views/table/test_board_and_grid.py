"""The table in the arrangement that people meet: the board has two thirds of the window at every game, and all around
it stands on the grid, whatever the game asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from client.ui import theme
from client.ui.layout import Rect
from client.ui.table_layout import CHAT, LOG, NOWHERE, PAST
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId, PromptId, Seq
from protocol.scene.fields import (
    AnyField,
    Assign,
    Barred,
    Facing,
    Number,
    Option,
    Order,
    PathPoint,
    PickCell,
    PickOption,
    PickPoint,
    Pieces,
    Placement,
    Template,
    Way,
    Words,
)
from protocol.scene.nodes import PROMPT_NODE, Choice, Prompt
from protocol.text import Text, text
from tests.support.clients.sessions import Table
from tests.support.clients.windows.off_grid import LAYERS, off_grid, rectangle, words_off_grid
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.examples.recorded_table import arrival, as_heard, frames_of

USUAL = (1280, 800)
SHARE = 0.65
DECISIONS, EVERY = 60, 12
PANELS = ("PANEL", "FIELD", "RAISED")
"""Colours of what panels are made of."""

ITEMS = tuple(Option(f"group/{number}", text("field.group")) for number in range(30))
BARRED = (Barred("group/1", "shoot/no-line-of-sight", Text("why"), NodeId("feature/1")),)
NAME = text("field.group")
FIELDS: tuple[AnyField, ...] = (
    Pieces("x", NAME, options=ITEMS, barred=BARRED, most=3),
    Pieces("x", NAME, barred=BARRED),
    PickOption("x", NAME, options=ITEMS[:4]),
    PickPoint("x", NAME),
    Placement("x", NAME),
    PathPoint("x", NAME, path=((0, 0), (100, 100))),
    Way("x", NAME),
    PickCell("x", NAME),
    Facing("x", NAME, angles=(0, 90)),
    Template("x", NAME, size=100),
    Number("x", NAME, most=5),
    Assign("x", NAME, items=ITEMS[:5], slots=ITEMS[5:8]),
    Order("x", NAME, items=ITEMS[:5]),
    Words("x", NAME),
)


def view_of(table: Table) -> TableScreen:
    assert isinstance(table.app.front, TableScreen)
    return table.app.front


def frames(table: Table, system: str) -> Iterator[TableScreen]:
    """Describe the window at every few frames of a recorded match, as somebody who plays meets it."""
    for number, frame in enumerate(as_heard(system, DECISIONS, 0)):
        table.say(frame)
        table.time += 1
        if number % EVERY == 0:
            table.session.story.jump()
            table.app.describe(USUAL)
            yield view_of(table)


def over_board(table: Table, board: Rect) -> list[Rect]:
    """Return the panels that lie over the board: what has their colours, and is no button of a verb."""
    tones = {getattr(theme, name)[:3] for name in PANELS}
    buttons = [spot.rect for spot in table.app.ui.hotspots]
    shapes = [shape for name in LAYERS for shape, _ in table.app.ui.layers[name].painter.shapes]
    found = [rectangle(shape) for shape in shapes if shape[3][:3] in tones]
    return [rect for rect in found if rect is not None and rect.overlaps(board) and rect not in buttons]


@pytest.mark.parametrize("system", ["action_cards", "one_page", "apocalypse_earth"])
def test_the_board_has_its_share_and_all_panels_stand_on_the_grid(
    system: str, app: ReadableApp, tmp_path: Path
) -> None:
    table, seen = Table(app, tmp_path, frames_of(arrival(system, 0))), 0
    for view in frames(table, system):
        layout = view.layout
        assert layout.board.w * layout.board.h / (USUAL[0] * USUAL[1]) >= SHARE
        assert NOWHERE not in (layout.row, layout.seats, layout.prompt, layout.tabs, layout.feed)
        assert over_board(table, layout.board) == []
        assert off_grid(app.ui, view) == []
        assert words_off_grid(app.ui) == []
        seen += 1
    assert seen > 2


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: type(field).__name__)
def test_a_form_stands_on_the_grid(table: Table, field: AnyField) -> None:
    whole = scenes.card_prompt()
    prompt = Prompt(
        PromptId("p2"), whole.title, (Choice("one", text("choice.move"), (field,)),), "turn", "", whole.undo
    )
    table.say(replace(scenes.snapshot("private", {PROMPT_NODE: prompt}, 2), after=Seq(1)))
    view_of(table).controller.choose("one")
    table.app.describe(USUAL)
    driver = view_of(table).controller.driver
    assert driver is not None
    assert driver.draft is not None
    assert off_grid(table.app.ui, view_of(table)) == []
    assert words_off_grid(table.app.ui) == []


@pytest.mark.parametrize("tab", [LOG, CHAT, PAST])
def test_each_tab_stands_on_the_grid(table: Table, tab: str) -> None:
    table.app.describe(USUAL)
    if tab != LOG:
        view_of(table).turn_tab(tab)
        table.app.describe(USUAL)
    assert view_of(table).layout.shown == tab
    assert off_grid(table.app.ui, view_of(table)) == []


def test_something_beside_the_grid_is_found(table: Table) -> None:
    ui = table.app.ui
    table.app.describe(USUAL)
    ui.begin(USUAL)
    ui.button(Rect(10, 20, 80, 32), "aside", lambda: None, left=True)
    assert [label for label, _ in off_grid(ui, None)] == ["aside", f"panels {theme.RAISED}"]
    assert words_off_grid(ui) == [("aside", 18)]
    table.app.refresh()
