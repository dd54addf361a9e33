"""Chances on a table: labels that read as losses, the same in words under the mouse, and no tip over a target."""

from __future__ import annotations

import pytest

from client.draw.board.places import box_of
from client.ui.hotspots import Act
from client.ui.layout import Rect
from client.views.table.table_screen import TableScreen
from protocol.scene.advice import Target
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.clients.windows.surveyed import FOE, OWN, SIZE, shots, surveyed


@pytest.fixture
def screen(table: Table) -> TableScreen:
    """Table with a group in focus that can shoot at another."""
    return surveyed(table, shots("shoot"), Target(FOE, chance=660, loss=204))


def test_a_label_reads_as_a_loss_and_the_words_under_the_mouse_explain_it(table: Table, screen: TableScreen) -> None:
    label = "66 % · \N{MINUS SIGN}2.0"
    assert label in [key.text for key, _, _ in table.app.ui.layers["marks"].letters.lines]
    assert f"{label}: 66 % to kill at least one; 2.0 killed on average" in screen.hover.tip_of(FOE)


def test_target_and_group_in_focus_are_kept_from_tips(table: Table, screen: TableScreen) -> None:
    places = [box_of(screen.board.camera, screen.model.top, thing) for thing in (OWN, FOE)]
    assert [place in table.app.ui.ringed for place in places] == [True, True]
    label = next(place for place in table.app.ui.ringed if place not in places and place.h == table.app.ui.px(18))
    assert label.w > table.app.ui.px(40)


@pytest.mark.parametrize("act", [None, print], ids=["grey", "live"])
def test_a_tip_keeps_off_the_live_buttons_of_a_list_alone(app: ReadableApp, act: Act | None) -> None:
    ui, button = app.ui, Rect(420, 200, 200, 90)
    ui.mouse = (400, 300)
    ui.begin(SIZE)
    ui.button(button, "Charge", act, listed=True)
    ui.tip = "Woods"
    ui.end()
    (_, corners, _, _), _ = ui.layers["tips"].painter.shapes[0]
    assert any(button.contains(*corner) for corner in corners) == (act is None)
