"""Parts of a description that are taken over from the frame before show what a description made from nothing shows."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from arcade import key as keys

from client.draw.board.figures import Figures
from client.ui import theme
from client.ui.frame import Hotspot
from client.views.board.board_panel import BoardPanel
from client.views.board.board_screen import BoardScreen
from protocol.ids import NodeId
from protocol.wire.from_server import ChatLine
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples.recorded_table import arrival, as_heard, frames_of

SYSTEMS: Final = ("action_cards", "one_page")
KEYS: Final = (keys.SPACE, keys.PLUS, keys.MINUS, keys.LEFT, keys.TAB, keys.ENTER, keys.ESCAPE)


def described(app: ReadableApp) -> dict[str, object]:
    """Return all that the description has: what is seen, what can be clicked and asked about, what scrolls."""
    ui = app.ui
    return {
        "shapes": {name: [key for key, _ in layer.painter.shapes] for name, layer in ui.layers.items()},
        "lines": {name: list(layer.letters.lines) for name, layer in ui.layers.items()},
        "spots": [(spot.rect, spot.label, spot.tip, spot.rule, spot.number, act_of(spot)) for spot in ui.hotspots],
        "wheels": [rect for rect, _ in ui.wheels],
        "room": (ui.modal, ui.front, ui.clear, ui.spared, ui.tip),
    }


def act_of(spot: Hotspot) -> tuple[object, ...]:
    """Return what a click does, without what differs from frame to frame: two acts of the same are not equal, within
    others neither."""
    act: Any = spot.act
    called, arguments = (act.func, act.args) if isinstance(act, partial) else (act, ())
    return getattr(called, "__self__", None), getattr(called, "__qualname__", None), repr(arguments)


def looks_of(figures: Figures) -> dict[NodeId, list[object]]:
    """Return all that is seen of each figure."""
    return {
        id: [(one.texture, one.position, one.width, one.height, one.angle) for one in sprites]
        for id, sprites in figures.by_id.items()
    }


def check_figures(board: BoardPanel) -> None:
    """Compare the figures, where none is on its way, with others that are put there now."""
    if not board.figures.ways:
        anew = Figures()
        anew.place(board.top, board.camera)
        assert looks_of(board.figures) == looks_of(anew)


def check(app: ReadableApp) -> None:
    """Compare the description, made with parts of those before, with one that is made from nothing."""
    app.refresh()
    app.build()
    found = described(app)
    app.ui.kept.forget()
    app.refresh()
    app.build()
    anew = described(app)
    assert {part for part in found if found[part] != anew[part]} == set()
    if isinstance(app.front, BoardScreen):
        check_figures(app.front.board)


def deeds(table: Table, chance: random.Random) -> list[Callable[[], object]]:
    """Return what may happen beside the news of a server."""
    app = table.app
    x, y = chance.randrange(1280), chance.randrange(800)

    def wait() -> None:
        seconds = chance.choice((0.02, 0.1, 0.5))
        table.time += seconds
        app.step(seconds)

    def turn() -> None:
        app.dispatch_event("on_mouse_scroll", x, y, 0, chance.choice((-2, 1, 3)))

    def click() -> None:
        app.dispatch_event("on_mouse_press", x, y, 1, 0)
        app.dispatch_event("on_mouse_release", x, y, 1, 0)

    def press() -> None:
        symbol = chance.choice(KEYS)
        app.dispatch_event("on_key_press", symbol, 0)
        app.dispatch_event("on_key_release", symbol, 0)

    def chat() -> None:
        table.say(ChatLine("u2", "Player 2", "player", f"line {x}", at=x))

    return [
        wait,
        wait,
        partial(app.dispatch_event, "on_mouse_motion", x, y, 0, 0),
        turn,
        click,
        press,
        chat,
        lambda: theme.choose(chance.choice(theme.THEMES), chance.choice(theme.PALETTES), chance.choice(theme.FACES)),
        lambda: app.scale_text(chance.choice((100, 100, 140))),
    ]


def play(app: ReadableApp, folder: Path, system: str, seat: int, seed: int, steps: int) -> int:
    """Take in a recorded match among other things that happen, and check each frame; return their number."""
    chance = random.Random(f"{system} {seat} {seed}")
    table = Table(app, folder, frames_of(arrival(system, seat)))
    heard, checked = as_heard(system, 60, seat, seed), 0
    table.say(next(heard))
    while checked < steps:
        for _ in range(chance.randrange(3)):
            chance.choice(deeds(table, chance))()
        message = next(heard, None)
        if message is None:
            break
        table.say(message)
        check(app)
        checked += 1
    app.scale_text(100)
    return checked


@pytest.mark.parametrize("seat", [-1, 1])
def test_what_is_taken_over_is_what_would_be_described_anew(app: ReadableApp, tmp_path: Path, seat: int) -> None:
    assert play(app, tmp_path, "action_cards", seat, 1, 40) == 40


@pytest.mark.long("client")
def test_nothing_that_is_taken_over_is_stale_in_many_matches(app: ReadableApp, tmp_path: Path) -> None:
    played = (
        play(app, tmp_path, system, seat, seed, 150) for system in SYSTEMS for seat in (-1, 0, 1) for seed in (1, 2, 3)
    )
    assert sum(played) > 1500
