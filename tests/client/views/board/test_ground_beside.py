"""The ground is painted beside the window: no frame paints a piece of it, or sends more than a strip of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import arcade
import pytest
from arcade.gl import Texture2D
from msgspec.structs import replace
from PIL import Image, ImageChops

from client.draw.board.terrain import picture
from client.draw.board.terrain.canvas import Canvas
from client.draw.board.terrain.ground_worker import GroundWorker
from client.draw.board.terrain.picture import terrain_picture
from client.model.replay.replay_player import ReplayPlayer
from client.text.texts import Texts
from client.ui import theme
from client.ui.backdrop import STRIP
from client.ui.theme import Colour
from client.views.board.board_picture import BoardPicture
from client.views.board.replay_screen import ReplayScreen
from client.views.lobby.scenario_map import ScenarioMap
from protocol.ids import NodeId
from protocol.scene.diagrams import Diagram
from protocol.scene.nodes import TABLE_NODE, AnyNode, Feature, Point, Table
from protocol.text import text
from tests.support.clients.sessions import Table as Played
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import replays, scenes
from tests.support.runs.patience import PATIENCE

pytestmark = pytest.mark.waits

TABLE = Table((7200, 4800), ground="grass")
WOODS: tuple[Point, ...] = ((1000, 1000), (2500, 1100), (2300, 2600))
HUT: tuple[Point, ...] = ((5000, 3000), (5600, 3000), (5600, 3500), (5000, 3500))
SLOWLY = -(-1365 // STRIP) + 1
"""Frames in which the picture of such a table is sent and shown."""


class Gate:
    """Painter of woods that waits in the worker until it is opened, and the threads in which anything was painted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open = threading.Event()
        self.begun = threading.Event()
        self.threads: list[int] = []
        for kind, paint in picture.PAINTERS.items():
            monkeypatch.setitem(picture.PAINTERS, kind, self._noted(paint))
        picture._painted.cache_clear()

    def _noted(self, paint: Callable[[Canvas, Colour, Colour], None]) -> Callable[[Canvas, Colour, Colour], None]:
        def noting(sheet: Canvas, fill: Colour, edge: Colour) -> None:
            self.threads.append(threading.get_ident())
            self.begun.set()
            assert self.open.wait(PATIENCE)
            paint(sheet, fill, edge)

        return noting


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    return Gate(monkeypatch)


@pytest.fixture
def worker(app: ReadableApp) -> GroundWorker:
    app.ground_worker = GroundWorker(app.call, app.want_frame)
    return app.ground_worker


@pytest.fixture
def sent(app: ReadableApp, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Rows that were sent to the graphics card with each call."""
    rows: list[int] = []
    kind = type(app.ctx.texture((1, 1)))
    write = kind.write

    def noting(self: Texture2D, data: bytes, level: int = 0, viewport: tuple[int, int, int, int] | None = None) -> None:
        rows.append(viewport[3] if viewport is not None else self.height)
        write(self, data, level, viewport)

    monkeypatch.setattr(kind, "write", noting)
    return rows


def board(app: ReadableApp, *outlines: tuple[Point, ...], table: Table = TABLE) -> BoardPicture:
    """Show a table with woods of these outlines, painted beside the window."""
    screen = BoardPicture(app, Diagram(nodes(*outlines, table=table), ()), Texts([scenes.CATALOGUE]), (960, 640))
    screen.board.worker = app.ground_worker
    app.show(screen)
    return screen


def nodes(*outlines: tuple[Point, ...], table: Table = TABLE) -> dict[NodeId, AnyNode]:
    found: dict[NodeId, AnyNode] = {TABLE_NODE: table}
    for n, outline in enumerate(outlines):
        found[NodeId(f"feature/{n}")] = Feature(outline, "woods", text("woods"))
    return found


def drawn(app: ReadableApp) -> Image.Image:
    """Let the window run a turn and draw; return what is seen."""
    app.step(0.02)
    app.on_draw()
    return arcade.get_image(0, 0, *app.get_size()).convert("RGB")


def finish(app: ReadableApp, worker: GroundWorker, gate: Gate) -> None:
    gate.open.set()
    worker.wait(PATIENCE)
    for _ in range(SLOWLY):
        drawn(app)


def test_plain_ground_is_seen_until_the_table_is_painted_and_no_frame_paints_any(
    app: ReadableApp, worker: GroundWorker, gate: Gate
) -> None:
    screen = board(app, WOODS, HUT)
    meanwhile = drawn(app)
    assert gate.begun.wait(PATIENCE)
    x, y = screen.board.camera.to_window(3600, 2400)
    assert meanwhile.getpixel((int(x), app.height - int(y))) == theme.GROUNDS["grass"][:3]
    finish(app, worker, gate)
    assert len(gate.threads) == 2
    assert threading.get_ident() not in gate.threads
    beside = drawn(app)
    screen.board.worker, screen.board.painted = None, None
    app.refresh()
    assert ImageChops.difference(beside, drawn(app)).getbbox() is None, "as it is painted at once"


def test_a_frame_sends_a_strip_and_asks_for_the_next(
    app: ReadableApp, worker: GroundWorker, gate: Gate, sent: list[int]
) -> None:
    board(app, WOODS)
    gate.open.set()
    drawn(app)
    worker.wait(PATIENCE)
    sent.clear()
    frames = []
    for _ in range(SLOWLY):
        app.is_stale = False
        before = len(sent)
        drawn(app)
        frames.append((len(sent) - before, app.is_stale))
    assert frames == [(1, True)] * (SLOWLY - 1) + [(0, False)]
    assert max(sent) == STRIP
    assert sum(sent) == 1365


def test_a_table_that_changes_is_seen_as_it_was_until_the_change_is_painted(
    app: ReadableApp, worker: GroundWorker, gate: Gate
) -> None:
    screen = board(app, WOODS)
    drawn(app)
    finish(app, worker, gate)
    before = drawn(app)
    gate.open.clear()
    screen.diagram = Diagram(nodes(WOODS, HUT), ())
    app.refresh()
    assert ImageChops.difference(before, drawn(app)).getbbox() is None
    finish(app, worker, gate)
    assert ImageChops.difference(before, drawn(app)).getbbox() is not None


def test_a_table_that_is_left_before_it_is_painted_is_never_shown(
    app: ReadableApp, worker: GroundWorker, gate: Gate
) -> None:
    screen = board(app, WOODS)
    drawn(app)
    assert gate.begun.wait(PATIENCE)
    for ground in ("snow", "sand"):
        screen.diagram = Diagram(nodes(table=replace(TABLE, ground=ground)), ())
        app.refresh()
        drawn(app)
    finish(app, worker, gate)
    expected = terrain_picture(replace(TABLE, ground="sand"), ())
    assert screen.board.job is None
    assert len(gate.threads) == 1, "the table between was not painted at all"
    x, y = (int(part) for part in screen.board.camera.to_window(3600, 2400))
    seen = drawn(app).getpixel((x, app.height - y))
    near = expected.getpixel((expected.width // 2, expected.height // 2))
    assert isinstance(seen, tuple)
    assert isinstance(near, tuple)
    assert max(abs(a - b) for a, b in zip(seen, near, strict=True)) < 40


def test_a_fault_of_a_painter_is_reported_and_the_next_table_is_painted(
    worker: GroundWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda fault: faults.append(str(fault.exc_value)))

    def fail(sheet: Canvas, fill: Colour, edge: Colour) -> None:
        raise ValueError("no such tree")

    with monkeypatch.context() as broken:
        broken.setitem(picture.PAINTERS, "woods", fail)
        picture._painted.cache_clear()
        bad = worker.paint(TABLE, (Feature(WOODS, "woods", text("woods")),), 256)
        worker.wait(PATIENCE)
    good = worker.paint(TABLE, (), 256)
    worker.wait(PATIENCE)
    assert (faults, bad.picture, good.picture is not None) == (["no such tree"], None, True)


def test_tables_replays_and_scenario_maps_are_painted_beside_the_window(
    table: Played, app: ReadableApp, worker: GroundWorker, tmp_path: Path
) -> None:
    replay = ReplayScreen(app, ReplayPlayer(replays.replay()))
    seen = ScenarioMap(table.session, worker)
    assert {replay.board.worker, seen._small.worker, seen._large.worker} == {worker}
    worker.wait(PATIENCE)
