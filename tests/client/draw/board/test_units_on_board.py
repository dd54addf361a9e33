"""Lengths that stand on the board are in the table's unit: of the tools, of a form's point, of what is refused."""

from __future__ import annotations

import pytest

from client.draw.board import overlays, refused
from client.draw.board.overlays import Tool, draw_draft, draw_tool
from client.draw.board.refused import draw_refused
from client.input.drafts import draft_for
from client.input.gestures.aims import Pointed
from client.input.gestures.clicks import Note
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.text.texts import Texts
from client.ui import theme
from client.ui.camera import Camera
from client.views.board.board_panel import BoardPanel
from client.views.table.pointer import TablePointer
from protocol.scene.fields import PickPoint
from protocol.scene.nodes import TABLE_NODE, Table
from protocol.text import text
from tests.client.input.gestures.test_controller import FOUND, MINE, Server
from tests.support.clients.windows.readable_app import ReadableApp

UNITS = [("in", "5″"), ("cm", "5 cm")]
"""Units of a table, with what five of them are."""


def top(unit: str) -> Tabletop:
    return Tabletop({TABLE_NODE: Table((12000, 12000), unit=unit)})


@pytest.fixture
def plates(app: ReadableApp, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words of all plates that are drawn."""
    said: list[str] = []
    for module in (overlays, refused):
        monkeypatch.setattr(module, "draw_plate", lambda ui, words, *at, **how: said.append(words))
    return said


@pytest.mark.parametrize(("unit", "length"), UNITS)
def test_tools_measure_in_the_tables_unit(unit: str, length: str, app: ReadableApp, plates: list[str]) -> None:
    for kind in ("ruler", "sight"):
        draw_tool(app.ui, Camera(), top(unit), Texts(), Tool(kind, (0, 0), (300, 400)))
    assert plates == [length, f"clear, {length}"]


@pytest.mark.parametrize(("unit", "length"), UNITS)
def test_a_point_is_measured_in_the_tables_unit(unit: str, length: str, app: ReadableApp, plates: list[str]) -> None:
    draft = draft_for(PickPoint("to", text("to"), start=(0, 0)))
    draw_draft(app.ui, Camera(), top(unit), draft, (300, 400), theme.SELECT)
    assert plates == [length]


@pytest.mark.parametrize(("unit", "length"), UNITS)
def test_what_is_too_far_is_so_in_the_tables_unit(unit: str, length: str, app: ReadableApp, plates: list[str]) -> None:
    note = Note("Too far.", (300, 400), better=(0, 0), start=(0, 0))
    draw_refused(app.ui, Camera(), ViewModel(top(unit), Texts()), note)
    assert plates == [f"{length} too far"]


@pytest.mark.parametrize(("unit", "length"), UNITS)
def test_ground_out_of_reach_is_away_in_the_tables_unit(unit: str, length: str) -> None:
    server = Server()
    server.click((0, 0), MINE)
    server.say(*FOUND)
    pointed = Pointed((300, 400), from_at=(0, 0), unit=unit)
    assert server.gestures.why_not(pointed, []) == f"Out of reach: {length} away."


def test_the_pointer_knows_the_tables_unit(app: ReadableApp) -> None:
    server = Server()
    pointer = TablePointer(BoardPanel(), server.prompts, server.gestures, lambda: top("cm"))
    assert pointer.pointed((0, 0)).unit == "cm"
