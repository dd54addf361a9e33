"""The cursor on the table: keys move it, Tab puts it on what can be picked, Enter clicks there."""

from __future__ import annotations

import pytest
from arcade import key as keys

from client.input.board_drafts import PlacementDraft
from client.input.drafts import NumberDraft
from client.views.table.table_screen import TableScreen
from protocol.scene.nodes import Piece
from protocol.wire.from_client import PointAt
from protocol.wire.from_server import PointedAt
from tests.support.clients.sessions import Table
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

pytestmark = pytest.mark.waits


def view_of(table: Table) -> TableScreen:
    view = table.app.front
    assert isinstance(view, TableScreen)
    return view


def test_arrows_move_the_cursor_in_three_steps_and_the_pointer_goes_with_it(table: Table, hand: Hand) -> None:
    view = view_of(table)
    hand.press(keys.RIGHT)
    assert view.cursor.at is not None
    x, y = view.cursor.at
    hand.press(keys.UP)
    hand.press(keys.RIGHT, keys.MOD_CTRL)
    hand.press(keys.DOWN, keys.MOD_SHIFT)
    assert view.cursor.at == (x + 600, y + 100 - 5)
    table.app.build()
    assert table.app.ui.mouse == view.board.camera.to_window(*view.cursor.at)


def test_the_cursor_stays_on_the_table_and_in_sight(table: Table, hand: Hand) -> None:
    view = view_of(table)
    for _ in range(6):
        hand.press(keys.PLUS)
    for _ in range(20):
        hand.press(keys.RIGHT, keys.MOD_CTRL)
        assert view.cursor.at is not None
        assert view.layout.board.contains(*view.board.camera.to_window(*view.cursor.at))
    assert view.cursor.at is not None
    assert view.cursor.at[0] == view.model.top.table.size[0]


def test_a_mouse_that_moves_takes_the_cursor_away(table: Table, hand: Hand) -> None:
    view = view_of(table)
    hand.press(keys.RIGHT)
    hand.point_at((620, 400))
    table.app.build()
    assert view.cursor.at is None


def test_a_group_is_moved_by_keys_alone(table: Table, hand: Hand) -> None:
    view = view_of(table)
    hand.press(keys.KEY_1)
    hand.press(keys.TAB)
    assert view.cursor.thing == "group/11"
    hand.press(keys.ENTER)
    assert table.answer_detail(scenes.LEAD).fields == {"group": ["group/11"]}
    hand.press(keys.TAB)
    first = view.cursor.thing
    hand.press(keys.ENTER)
    assert table.answer_detail(scenes.TO).fields["lead"] == [first]
    start = scenes.TO.start
    assert start is not None
    hand.press(keys.RIGHT)
    hand.press(keys.ENTER)
    assert table.answer_detail(scenes.placement((5900, 900))).fields["to"] == [start[0] + 100, start[1]]
    hand.press(keys.TAB)
    draft = view.controller.draft
    assert isinstance(draft, PlacementDraft)
    before = dict(draft.places)
    hand.press(keys.LEFT, keys.MOD_SHIFT)
    assert draft.places != before
    hand.press(keys.ENTER)
    assert table.intent().choice == "move"


def test_any_thing_is_pointed_at_and_told_about(table: Table, hand: Hand) -> None:
    view = view_of(table)
    seen = set()
    for _ in range(40):
        hand.press(keys.PERIOD)
        seen.add(view.cursor.thing)
    assert {*view.model.top.groups} <= seen
    hand.press(keys.COMMA)
    table.app.build()
    node = view.model.top.nodes[view.cursor.thing]
    assert not isinstance(node, Piece)
    assert view.hover.thing


def test_a_cursor_that_was_moved_for_something_else_leaves_enter_to_accept(table: Table, hand: Hand) -> None:
    view = view_of(table)
    hand.press(keys.TAB)
    assert view.cursor.is_armed
    hand.press(keys.KEY_3)
    assert not view.cursor.is_armed
    hand.press(keys.ENTER)
    assert table.intent().choice == "offer"


def pointed(table: Table) -> list[PointAt]:
    table.settle()
    return [message for message in table.said if isinstance(message, PointAt)]


def test_a_place_is_pointed_at_once_a_second_at_most_and_the_mark_goes_after_four(table: Table, hand: Hand) -> None:
    view = view_of(table)
    table.app.build()
    x, y = (round(part) for part in view.board.camera.to_window(3600, 2400))
    for _ in range(3):
        table.app.dispatch_event("on_mouse_press", x, y, 1, keys.MOD_ALT)
        table.app.dispatch_event("on_mouse_release", x, y, 1, keys.MOD_ALT)
        table.app.dispatch_events()
    (first,) = pointed(table)
    assert first.at == list(view.board.camera.to_table(x, y))
    table.time += 2
    hand.press(keys.RIGHT)
    hand.press(keys.M, keys.MOD_CTRL)
    assert view.cursor.at is not None
    assert pointed(table)[-1].at == list(view.cursor.at)
    table.say(PointedAt(0, (3600, 2400)))
    assert [mark.seat for mark in view.session.marks.shown()] == [0]
    table.app.build()
    colour = table.pixel((view.board.camera.to_window(3600, 2400)[0] + table.app.ui.px(20), y))
    assert max(colour) > 100
    table.time += 4.1
    assert view.session.marks.tick()
    assert view.session.marks.shown() == []


def test_a_number_is_typed_and_one_that_is_too_large_begins_anew(table: Table, hand: Hand) -> None:
    view = view_of(table)
    hand.click_on("Offer points")
    draft = view.controller.draft
    assert isinstance(draft, NumberDraft)
    most = draft.field.most
    hand.press(keys.KEY_1)
    assert draft.number == 1
    hand.press(keys.KEY_9)
    assert draft.number == (19 if most >= 19 else min(9, most))
    hand.press(keys.ENTER)
    assert table.intent().fields == {"points": draft.number}
