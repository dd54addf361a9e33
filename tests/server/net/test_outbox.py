"""All that a loop turn sends to one connection goes out in one piece, in order."""

from __future__ import annotations

import asyncio
import random
from typing import cast

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from protocol.limits import Limits
from protocol.wire.codec import encode
from protocol.wire.from_server import Pong
from protocol.wire.server_conversation import ServerConversation
from server.lobby.sessions import Session
from server.net import outbox
from server.net.outbox import OutboundSocket, Outbox
from server.runtime.metrics import Metrics
from tests.support.doubles.clock import JumpingClock
from tests.support.doubles.supervisor import supervisor


class Pieces:
    """A WebSocket that notes the pieces that are written to it."""

    latency = 0.0
    state = State.OPEN

    def __init__(self) -> None:
        self.transport = self.protocol = self
        self.takes = True
        self.pieces: list[bytes] = []
        self.closed_behind = -1

    def is_closing(self) -> bool:
        return self.closed_behind >= 0

    def get_write_buffer_size(self) -> int:
        return 0 if self.takes else 1 << 30

    def write(self, frames: bytes) -> None:
        self.pieces.append(frames)

    async def send(self, data: bytes) -> None:
        self.pieces.append(framed(data))

    async def close(self, code: int, reason: str) -> None:
        self.closed_behind = len(self.pieces)


def framed(*parts: bytes) -> bytes:
    return outbox.framed(parts)


def linked(socket: Pieces, outbox: Outbox) -> OutboundSocket:
    return OutboundSocket(cast(ServerConnection, socket), 1 << 20, outbox)


def session_on(socket: Pieces, outbox: Outbox) -> Session:
    link = linked(socket, outbox)
    return Session(ServerConversation(Limits(), 0.0), link, JumpingClock(), Metrics(), 6.0, "127.0.0.1", supervisor())


def nothing_more() -> None:
    """Add nothing."""


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_all_that_a_turn_says_goes_out_in_one_piece_and_together() -> None:
    one, other, outbox = Pieces(), Pieces(), Outbox(nothing_more)
    first, second = session_on(one, outbox), session_on(other, outbox)
    first.offer(b"proof", droppable=True)
    first.offer(b"delta", b"clocks", droppable=True)
    second.offer(b"delta", b"clocks", droppable=True)
    assert not one.pieces
    assert not other.pieces
    await turns(2)
    assert one.pieces == [framed(b"proof", b"delta", b"clocks")]
    assert other.pieces == [framed(b"delta", b"clocks")]
    first.offer(b"next")
    await turns(2)
    assert one.pieces[1:] == [framed(b"next")]


async def test_an_answer_that_is_signed_before_goes_out_with_what_it_answers_to() -> None:
    socket = Pieces()
    outbox = Outbox(lambda: session.offer(b"answer"))
    session = session_on(socket, outbox)
    session.offer(b"delta", droppable=True)
    await turns(4)
    assert socket.pieces == [framed(b"delta", b"answer")]


async def test_what_cannot_be_signed_keeps_nothing_back() -> None:
    def fail() -> None:
        raise ValueError

    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, about: told.append(about["exception"]))
    socket = Pieces()
    session_on(socket, Outbox(fail)).offer(b"delta")
    await turns(2)
    assert socket.pieces == [framed(b"delta")]
    assert len(told) == 1


async def test_what_was_said_before_the_end_goes_out_before_it() -> None:
    socket, outbox = Pieces(), Outbox(nothing_more)
    link = linked(socket, outbox)
    assert link.send_now((b"last words",))
    await link.close(1000, "")
    assert socket.pieces == [framed(b"last words")]
    assert socket.closed_behind == 1
    assert link.send_now((b"too late",))
    await turns(2)
    assert len(socket.pieces) == 1


async def test_what_waits_for_the_end_of_the_turn_counts_as_waiting() -> None:
    socket, outbox = Pieces(), Outbox(nothing_more)
    link = OutboundSocket(cast(ServerConnection, socket), 100, outbox)
    assert link.send_now((bytes(99),))
    assert not link.send_now((b"no room",))
    await turns(2)
    assert link.send_now((b"room again",))


async def test_frames_keep_their_place_before_a_reader_who_takes_nothing() -> None:
    socket, outbox = Pieces(), Outbox(nothing_more)
    session = session_on(socket, outbox)
    session.offer(b"delta")
    socket.takes = False
    session.offer(b"next")
    session.offer(b"last")
    await turns(2)
    assert socket.pieces == [framed(b"delta")]
    assert session.conversation.take() == [b"next", b"last"]
    session.close()


class Drained(Pieces):
    """A WebSocket whose sending waits until the other side has read, for a turn or two of the loop."""

    async def send(self, data: bytes) -> None:
        self.pieces.append(framed(data))
        await turns(len(self.pieces) % 3)


@pytest.mark.parametrize("seed", range(30))
async def test_nothing_overtakes_what_waits(seed: int) -> None:
    """Check that all comes in the order in which it was sent, whatever that is and whenever the other side reads."""
    dice, socket = random.Random(seed), Drained()
    session = session_on(socket, Outbox(nothing_more))
    pumping = asyncio.create_task(session.pump())
    said: list[bytes] = []
    for number in range(80):
        socket.takes = dice.random() < 0.7
        what = dice.randrange(6)
        if what == 0:
            await turns(dice.randrange(4))
        elif what == 1:
            session.wake()
        elif what == 2:
            # as what the conversation itself answers
            session.conversation.say(Pong(number))
            session.wake()
            said.append(encode(Pong(number)))
        else:
            session.offer(b"frame %d" % number, droppable=True)
            said.append(b"frame %d" % number)
    await turns(300)
    assert b"".join(socket.pieces) == b"".join(framed(data) for data in said)
    pumping.cancel()
