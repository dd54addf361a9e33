"""Templates: they hang at the pointer with what they touch, by the client's shapes and then by the server's answer."""

from __future__ import annotations

import pytest

from client.input.gestures.aims import Pointed
from client.input.gestures.templates import hanging, touched_by
from protocol.ids import NodeId, PromptId
from protocol.scene.advice import Forecast, Gesture
from protocol.scene.fields import Band, Template
from protocol.scene.nodes import Choice, Piece, Prompt
from protocol.text import Text
from protocol.wire.from_server import Surveyed
from tests.client.input.gestures.test_controller import GROUPS, MINE, SHOOT, Server

AT = Template("at", Text("at"), lazy=True)
KNOWN = Template("at", Text("at"), size=200)
BLAST = Choice("blast", Text("blast"), (GROUPS, AT), gesture=Gesture("group", "at", "point", 2, ends=True))
NEAR, EDGE, OUT = (NodeId(f"piece/{name}") for name in ("near", "edge", "out"))
PIECES = {NEAR: Piece((500, 100), 50), EDGE: Piece((500, 250), 50), OUT: Piece((500, 251), 50)}


@pytest.fixture
def server() -> Server:
    """A table at which a blast has been taken from the bar, and its template is known."""
    server = Server(Prompt(PromptId("p1"), Text("act"), (SHOOT, BLAST)))
    server.click((0, 0), MINE)
    server.say(Surveyed(1, "shoot", more=True), Surveyed(1, "blast"))
    server.gestures.arm(BLAST)
    server.propose(open=(KNOWN,))
    return server


def test_a_template_hangs_at_the_pointer_at_once(server: Server) -> None:
    assert server.asked[-1] == ("blast", {"group": [MINE]})
    for x in (500, 900):
        server.wait(0.01, Pointed((x, 0)))
        template = hanging(server.gestures)
        assert template is not None
        assert (template.field, template.at) == (KNOWN, (x, 0))
        assert set(template.pieces(PIECES)) == ({NEAR, EDGE} if x == 500 else set())


def test_what_it_touches_is_the_servers_once_it_has_answered(server: Server) -> None:
    for _ in range(2):
        server.wait(0.2, Pointed((500, 0)))
    assert server.asked[-1] == ("blast", {"group": [MINE], "at": [500, 0]})
    server.propose(forecast=Forecast(touched=(NEAR, OUT)))
    template = hanging(server.gestures)
    assert template is not None
    assert set(template.pieces(PIECES)) == {NEAR, OUT}
    server.wait(0.01, Pointed((510, 0)))
    moved = hanging(server.gestures)
    assert moved is not None
    assert moved.touched is None


def test_a_place_beyond_the_hint_is_left_to_the_table(server: Server) -> None:
    server.say(Surveyed(1, "blast", reach=(Band(Text("blast"), 0, (((0, 0), (100, 0), (0, 100)),)),)))
    server.click((500, 0))
    server.wait(0.1)
    assert server.asked[-1] == ("blast", {"group": [MINE], "at": [500, 0]})


def test_a_template_that_waits_stays_at_its_place(server: Server) -> None:
    server.click((500, 0), keep=True)
    server.wait(0.1)
    server.propose(forecast=Forecast(touched=(NEAR,)))
    assert server.gestures.held
    server.wait(0.01, Pointed((900, 900)))
    template = hanging(server.gestures)
    assert template is not None
    assert (template.at, template.touched) == ((500, 0), (NEAR,))


def test_nothing_hangs_where_no_template_is_asked_for(server: Server) -> None:
    server.gestures.let_go()
    server.wait(0.01, Pointed((500, 0)))
    assert hanging(server.gestures) is None


@pytest.mark.parametrize(
    ("shape", "piece", "is_touched"),
    [
        ("disc", Piece((249, 0), 50), True),
        ("disc", Piece((251, 0), 50), False),
        ("square", Piece((249, 249), 50), False),
        ("square", Piece((230, 230), 50), True),
        ("disc", Piece((0, 0), 100, box=(1000, 900)), True),
        ("disc", Piece((600, 0), 100, box=(900, 200)), True),
        ("disc", Piece((600, 0), 100, box=(700, 200)), False),
    ],
)
def test_bases_of_every_shape_are_touched(shape: str, piece: Piece, is_touched: bool) -> None:
    field = Template("at", Text("at"), shape=shape, size=200)
    assert bool(dict(touched_by(field, (0, 0), {NEAR: piece}))) is is_touched
