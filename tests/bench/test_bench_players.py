"""Moment at which a bench's table goes on: all hold the delta, and the prompt behind it has been read."""

from __future__ import annotations

from bench.players import MOST_STALE, Player, Table
from protocol.ids import Seq
from protocol.scene.nodes import PROMPT_NODE, Reply
from protocol.text import Text
from protocol.wire.codec import encode
from protocol.wire.from_server import Delta, Reject


def piece(*messages: Delta | Reject) -> bytes:
    """Frames of a server in one piece."""
    frames = [encode(message) for message in messages]
    return b"".join(bytes((0x82, len(data))) + data for data in frames)


PUBLIC = Delta(n=Seq(1), patch={}, hash=0)
STALE = Reject(bytes(16), "stale", Text("refuse.stale"))


def private(prompt: dict[str, object] | None) -> Delta:
    return Delta(part="private", n=Seq(1), patch={PROMPT_NODE: prompt}, hash=0, after=Seq(1))


def a_table(count: int) -> tuple[Table, list[str]]:
    """A table where the first may act at p1; at which prompts it went on."""
    players = [Player() for _ in range(count)]
    table = Table(0, players, [Reply("end")] * count)
    for player in players:
        player.opened.set_result(None)
        player.is_playing = True
    players[0].data_received(piece(private({"id": "p1", "choices": [{"id": "end"}]})))
    went_on: list[str] = []

    def on_ready(table: Table) -> None:
        assert table.actor is not None
        assert not table.is_busy
        went_on.append(table.actor.prompt)

    table.on_ready = on_ready
    return table, went_on


async def test_a_prompt_that_stays_is_good_for_the_next_act() -> None:
    table, went_on = a_table(2)
    for acts in (1, 2):
        table.shoot()
        table.players[0].data_received(piece(PUBLIC))
        assert table.is_busy
        assert len(went_on) == acts - 1
        table.players[1].data_received(piece(PUBLIC))
        assert went_on == ["p1"] * acts


async def test_a_prompt_behind_the_last_delta_is_read_first() -> None:
    table, went_on = a_table(2)
    table.shoot()
    table.players[1].data_received(piece(PUBLIC))
    table.players[0].data_received(piece(PUBLIC, private({"id": "p2"})))
    assert went_on == ["p2"]


async def test_nobody_goes_on_while_nobody_is_to_act() -> None:
    table, went_on = a_table(2)
    table.shoot()
    table.players[0].data_received(piece(PUBLIC, private(None)))
    table.players[1].data_received(piece(PUBLIC))
    assert table.is_busy
    assert not went_on
    table.players[1].data_received(piece(PUBLIC, private({"id": "q1", "choices": [{"id": "end"}]})))
    assert went_on == ["q1"]


async def test_an_act_for_a_prompt_that_came_in_another_piece_is_said_anew() -> None:
    table, went_on = a_table(1)
    actor = table.players[0]
    table.shoot()
    actor.data_received(piece(PUBLIC))
    table.shoot()
    actor.data_received(piece(private({"id": "p2"}), STALE))
    assert went_on == ["p1", "p2"]
    assert not actor.refused


async def test_a_table_that_is_refused_again_and_again_says_so() -> None:
    table, went_on = a_table(1)
    actor = table.players[0]
    for _ in range(MOST_STALE):
        table.shoot()
        actor.data_received(piece(STALE))
    table.shoot()
    actor.data_received(piece(STALE))
    assert len(went_on) == MOST_STALE
    assert table.is_busy
    assert actor.refused == "stale"
