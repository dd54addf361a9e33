"""The ribbon: it opens when one's turn comes, tells what others did, points at it and plays it again."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys
from hypothesis import given, strategies as st

from client.draw.board.vignette import cut_to
from client.ui.layout import Rect
from client.views.board.ribbon_view import FROM
from client.views.table.table_screen import TableScreen
from protocol.scene.nodes import Prompt
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples.recorded import SYSTEMS
from tests.support.examples.recorded_table import arrival, as_heard, frames_of
from tests.support.systems.hand import Hand

BOX = Rect(10, 20, 100, 60)
spots = st.tuples(st.floats(-500, 500), st.floats(-500, 500))


def screen(app: ReadableApp) -> TableScreen:
    assert isinstance(app.front, TableScreen)
    return app.front


def at_my_turn(app: ReadableApp, folder: Path, name: str) -> Table:
    """Return a window at a recorded match, where the turn of seat 1 comes after several acts of others."""
    table = Table(app, folder, frames_of(arrival(name, 1)))
    for one in as_heard(name, 120, 1):
        table.say(one)
        table.time += 10
        scene = table.session.conversation.scene
        prompt = scene.prompt if scene is not None else None
        since = [entry for entry in table.session.story.ribbon.since(1) if entry.act is not None]
        table.session.story.jump()
        is_turn = isinstance(prompt, Prompt) and bool(prompt.choices) and prompt.window == "turn"
        if is_turn and len(since) >= FROM and screen(app).ribbon.is_open:
            return table
    raise AssertionError("the turn never comes after acts of others")


@pytest.mark.parametrize("name", SYSTEMS)
def test_it_opens_by_itself_and_plays_an_act_again(name: str, app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    table = at_my_turn(app, tmp_path, name)
    ribbon, story = screen(app).ribbon, table.session.story
    entries = [entry for entry in ribbon.entries(1) if entry.before is not None]
    assert all(entry.seat != 1 for entry in entries)
    label = next(label for label in app.enabled() if label.startswith(entries[-1].words(table.session.texts)))
    hand.click_on(label)
    assert story.again is not None
    app.step(0.1)
    assert story.nodes != story.scene.nodes or story.playing is not None
    for _ in range(20):
        app.step(0.5)
    assert story.again is None
    assert table.session.conversation.scene is not None
    assert story.nodes == table.session.conversation.scene.nodes


def test_no_part_that_it_hides_keeps_its_question_mark(app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    at_my_turn(app, tmp_path, "action_cards")
    assert not {"about the log", "about the dice"} & app.labels().keys()
    hand.press(keys.BACKSPACE)
    assert {"about the log", "about the dice"} <= app.labels().keys()


def test_backspace_closes_it_and_opens_it(app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    at_my_turn(app, tmp_path, "action_cards")
    hand.press(keys.BACKSPACE)
    assert not screen(app).ribbon.is_open
    hand.press(keys.BACKSPACE)
    assert screen(app).ribbon.is_open


def test_the_mouse_on_a_picture_shows_where_it_was(app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    table = at_my_turn(app, tmp_path, "action_cards")
    entry = screen(app).ribbon.entries(1)[-1]
    hand.point_at(
        next(place for label, place in app.labels().items() if label.startswith(entry.words(table.session.texts)))
    )
    app.build()
    hovered = screen(app).ribbon.hovered
    assert hovered is not None
    assert hovered.words(table.session.texts) == entry.words(table.session.texts)


def test_it_scrolls_to_older_acts_and_back(app: ReadableApp, hand: Hand, tmp_path: Path) -> None:
    at_my_turn(app, tmp_path, "action_cards")
    ribbon = screen(app).ribbon
    x, y = screen(app).layout.feed.centre
    app.ui.wheel(x, y, 2)
    app.refresh()
    app.build()
    assert ribbon.back <= max(len(ribbon.entries(1)) - 1, 0)
    app.ui.wheel(x, y, -9)
    assert ribbon.back == 0


@given(points=st.lists(spots, min_size=3, max_size=8))
def test_what_is_drawn_of_a_feature_stays_in_its_picture(points: list[tuple[float, float]]) -> None:
    for x, y in cut_to(points, BOX):
        assert BOX.x - 1e-6 <= x <= BOX.right + 1e-6
        assert BOX.y - 1e-6 <= y <= BOX.top + 1e-6


@given(a=spots, b=spots)
def test_a_line_is_cut_at_the_edges_of_its_picture(a: tuple[float, float], b: tuple[float, float]) -> None:
    for x, y in cut_to([a, b], BOX):
        assert BOX.x - 1e-6 <= x <= BOX.right + 1e-6
        assert BOX.y - 1e-6 <= y <= BOX.top + 1e-6
