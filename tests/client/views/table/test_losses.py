"""The question of losses: what to click is said, and nothing covers the button that answers it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from client.draw.board.acts import place_of_words
from client.input.gestures.picking import picking_of
from client.ui.camera import Camera
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.views.table.table_screen import TableScreen
from protocol.scene.nodes import Piece
from protocol.wire.scene_model import SceneModel
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples.recorded import SYSTEMS
from tests.support.examples.recorded_table import arrival, as_heard, frames_of

SIZES = ((1024, 640), (1280, 800), (1600, 1000))
DECISIONS = 60


def places(name: str) -> list[int]:
    """Return the frames of a recorded match that ask the player a question of losses."""
    model, found, last = SceneModel(), [], ""
    for number, frame in enumerate(as_heard(name, DECISIONS, 0)):
        model.take(frame)
        prompt = model.prompt
        if prompt is not None and prompt.id != last and prompt.window != "turn" and picking_of(prompt) is not None:
            found.append(number)
            last = prompt.id
    return found


def at_question(app: ReadableApp, folder: Path, name: str, number: int) -> TableScreen:
    """Return the window at the question that a frame asks, the act before it in sight."""
    table = Table(app, folder, frames_of(arrival(name, 0)))
    table.profile.ending = "by-itself"
    table.say(*list(as_heard(name, DECISIONS, 0))[: number + 1])
    for _ in range(4):
        app.step(1.0)
    assert isinstance(app.front, TableScreen)
    return app.front


def words_of_acts(app: ReadableApp) -> list[Rect]:
    """Return the room that each shape over panels and board takes."""
    boxes = []
    for _, corners, *_ in dict(app.ui.layers["over"].painter.shapes):
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        boxes.append(Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))
    return boxes


def check(app: ReadableApp, view: TableScreen, sizes: Sequence[tuple[int, int]]) -> None:
    """Hold that both buttons can be clicked and are covered by nothing in windows of these sizes."""
    for size in sizes:
        app.describe(size)
        buttons = [spot for spot in app.ui.hotspots if spot.label.startswith("Accept")]
        assert [view.layout.prompt.contains(*spot.rect.centre) for spot in buttons] == [True, False]
        for spot in buttons:
            assert app.ui.hit(*spot.rect.centre) is spot
            assert spot.can
            assert not any(spot.rect.overlaps(box) for box in words_of_acts(app)), (size, spot.label)
        words = " ".join(key[0] for key, _, _ in app.ui.layers["panels"].letters.lines)
        assert "to swap it in, then Accept" in words
    app.refresh()


@pytest.mark.parametrize("name", SYSTEMS)
def test_nothing_covers_the_buttons_that_answer_it(name: str, app: ReadableApp, tmp_path: Path) -> None:
    check(app, at_question(app, tmp_path, name, places(name)[0]), SIZES[:1])
    assert words_of_acts(app)


@pytest.mark.long("client")
@pytest.mark.parametrize("name", SYSTEMS)
def test_nothing_covers_them_at_any_question_of_a_match(name: str, app: ReadableApp, tmp_path: Path) -> None:
    found = places(name)
    for number in found:
        check(app, at_question(app, tmp_path, name, number), SIZES)
    assert len(found) > 2


@given(
    x=st.integers(-100, 5100),
    y=st.integers(-100, 4100),
    low=st.integers(4, 300),
    left=st.integers(0, 380),
)
def test_words_beside_a_place_leave_a_button_free(x: int, y: int, low: int, left: int) -> None:
    board, button = Rect(220, 136, 504, 408), Rect(220 + left, 136 + low, 120, 26)
    camera, ui = Camera(), Ui({})
    camera.look_at(board, (5000, 4000))
    box = place_of_words(ui, board, camera, (x, y), "Fen Levy 5 shot U.N.I.T. 6: 4 killed, 2 left", None, [button])
    assert not box.overlaps(button)
    assert board.x <= box.x
    assert box.right <= board.right
    assert board.y <= box.y
    assert box.top <= board.top


@pytest.mark.parametrize("name", SYSTEMS)
def test_figures_asked_for_are_drawn_where_they_are_while_the_act_before_is_shown(
    name: str, app: ReadableApp, tmp_path: Path
) -> None:
    table = Table(app, tmp_path, frames_of(arrival(name, 0)))
    table.profile.ending = "by-itself"
    frames, (number, *_) = list(as_heard(name, DECISIONS, 0)), places(name)
    table.say(*frames[: number - 1])
    table.session.story.jump()
    app.build()
    table.time += 10
    table.say(*frames[number - 1 : number + 1])
    view, story, scene = app.front, table.session.story, table.session.conversation.scene
    assert isinstance(view, TableScreen)
    assert scene is not None
    app.step(0.01)
    assert story.scene.is_behind
    app.build()
    assert view.asked
    for id in view.asked:
        piece = scene.nodes[id]
        assert isinstance(piece, Piece)
        assert view.model.top.pieces[id].at == view.board.figures.positions[id] == piece.at
    view.hover.thing = next(iter(view.asked))
    app.step(0.02)
    assert not story.scene.is_behind
