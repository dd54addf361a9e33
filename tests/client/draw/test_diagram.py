"""Small pictures in a panel: all nodes are drawn, inside the panel."""

from __future__ import annotations

import pytest

from client.draw import diagram
from client.draw.diagram import draw_diagram
from client.text.texts import Texts
from client.ui import theme
from client.ui.layout import Rect
from engine.rulesets.one_page.system import system
from engine.rulesets.one_page.text.texts import PICTURES
from protocol.scene.diagrams import packed, unpacked
from protocol.scene.nodes import Piece, Zone
from protocol.wire.from_server import Catalogue
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.languages.speaking import speaking

ROOM = Rect(100, 100, 480, 240)


def drawn(app: ReadableApp, name: str) -> set[tuple[str, theme.Colour]]:
    """Return the kinds and colours of a picture's shapes, all of which lie in its room."""
    picture = unpacked(packed(PICTURES[name]))
    assert picture is not None
    app.ui.begin((1280, 800))
    draw_diagram(app.ui, ROOM, picture, Texts())
    shapes = set(dict(app.ui.painter.shapes))
    app.ui.end()
    for _, corners, _, _ in shapes:
        assert all(ROOM.inset(-6).contains(*corner) for corner in corners)
    return {(kind, colour) for kind, _, _, colour in shapes}


def test_zones_and_leaders_are_seen(app: ReadableApp) -> None:
    nodes = PICTURES["deploy"].nodes.values()
    assert any(isinstance(node, Zone) and node.points for node in nodes)
    assert any(isinstance(node, Piece) and node.status == ("leader",) for node in nodes)
    seen = drawn(app, "deploy")
    assert ("region", theme.faded(theme.seat_colour(0), 50)) in seen
    assert ("disc", theme.LEADS) in seen


def test_the_words_of_a_picture_are_those_of_the_language(app: ReadableApp, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(diagram, "draw_plate", lambda ui, words, *at, **how: said.append(words))
    with speaking("de"):
        texts = Texts([Catalogue("one_page", "de", "1", dict(system.catalogue("de")))])
        for name in ("walk", "melee"):
            draw_diagram(app.ui, ROOM, PICTURES[name], texts)
    assert said == ["6″", "vorher", "nachher", "bis zu 12″", "Linieninfanterie", "Krabbler"]


def test_every_picture_of_the_book_is_drawn(app: ReadableApp) -> None:
    for name in PICTURES:
        assert len(drawn(app, name)) > 5
