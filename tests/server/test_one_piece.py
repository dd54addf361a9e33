"""What a step says to one connection goes out in one piece, in the order in which it was said."""

from __future__ import annotations

import asyncio
import random

import pytest

from protocol.codec import encode
from protocol.from_server import Pong
from protocol.limits import Limits
from protocol.server_conversation import ServerConversation
from server.metrics import Metrics
from server.sessions import Session
from tests.support.clock import JumpingClock


class Pieces:
    """A WebSocket that takes what it is given, while it does."""

    def __init__(self) -> None:
        self.latency = 0.0
        self.takes = True
        self.pieces: list[tuple[bytes, ...]] = []

    def send_now(self, parts: tuple[bytes, ...]) -> bool:
        if self.takes:
            self.pieces.append(parts)
        return self.takes

    async def send(self, data: bytes) -> None:
        self.pieces.append((data,))

    async def close(self, code: int, reason: str) -> None:
        """Nothing is sent after the last word."""


def connected() -> tuple[Session, Pieces]:
    socket, metrics = Pieces(), Metrics()
    return Session(ServerConversation(Limits(), 0.0), socket, JumpingClock(), metrics, 6.0, "127.0.0.1"), socket


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_what_is_offered_together_goes_out_in_one_piece() -> None:
    session, socket = connected()
    session.offer(b"delta", b"clocks", droppable=True)
    assert socket.pieces == [(b"delta", b"clocks")]


async def test_frames_wait_for_the_answer_to_the_intent_that_made_them() -> None:
    session, socket = connected()
    session.offer_with_answer(b"delta", b"clocks")
    assert not socket.pieces
    session.say(Pong(1))
    assert socket.pieces == [(b"delta", b"clocks", encode(Pong(1)))]
    await turns(4)
    assert len(socket.pieces) == 1


async def test_frames_go_out_soon_where_nothing_is_answered() -> None:
    session, socket = connected()
    session.offer_with_answer(b"delta")
    await turns(4)
    assert socket.pieces == [(b"delta",)]


@pytest.mark.parametrize("is_answered", [True, False])
async def test_frames_that_waited_keep_their_place_before_a_reader_who_takes_nothing(is_answered: bool) -> None:
    session, socket = connected()
    socket.takes = False
    session.offer_with_answer(b"delta")
    if is_answered:
        session.say(Pong(1))
    await turns(4)
    session.offer(b"next")
    answer = [encode(Pong(1))] if is_answered else []
    assert session.conversation.take() == [b"delta", *answer, b"next"]
    session.close()


class Drained(Pieces):
    """One whose sending waits until the other side has read, for a turn or two of the loop."""

    async def send(self, data: bytes) -> None:
        self.pieces.append((data,))
        await turns(len(self.pieces) % 3)


@pytest.mark.parametrize("seed", range(30))
async def test_nothing_overtakes_what_waits(seed: int) -> None:
    """Whatever is said and whenever the other side reads, it all comes in the order in which it was said."""
    dice, socket = random.Random(seed), Drained()
    session = Session(ServerConversation(Limits(), 0.0), socket, JumpingClock(), Metrics(), 6.0, "127.0.0.1")
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
        elif what == 3:
            session.offer_with_answer(b"frames %d" % number)
            session.say(Pong(number))
            said += [b"frames %d" % number, encode(Pong(number))]
        else:
            session.offer(b"frame %d" % number, droppable=True)
            said.append(b"frame %d" % number)
    await turns(300)
    assert [part for piece in socket.pieces for part in piece] == said
    pumping.cancel()
