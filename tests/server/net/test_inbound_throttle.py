"""Inbound frames: counted before they are parsed; messages handled one after another, in turn with those of others."""

import asyncio
from pathlib import Path

from websockets.frames import Frame, Opcode

from protocol.limits import Bucket, Limits
from protocol.wire import from_client as say
from protocol.wire.codec import encode_request
from protocol.wire.from_server import Pong
from server.net.inbound_throttle import InboundThrottle
from server.net.paced_jobs import JOBS_A_TURN, PacedJobs
from tests.support.clients.wire import running
from tests.support.doubles.clock import JumpingClock

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
FEW = Limits(arrivals=Bucket(10, 12))


def binary(data: bytes, opcode: Opcode = Opcode.BINARY) -> bytes:
    return Frame(opcode, data).serialize(mask=True)


class ThrottledConnection:
    """A connection that handles one message after another when it is told to."""

    def __init__(self, jobs: PacedJobs, limits: Limits = FEW, slow_jobs: PacedJobs | None = None) -> None:
        self.clock = JumpingClock()
        self.parsed = b""
        self.handled = 0
        self.floods = 0
        self.is_reading = True
        self.inbound = InboundThrottle(limits, self.clock, jobs, slow_jobs or jobs, self, self._parse, self._flooded)
        self.inbound.receive(REQUEST)
        self.parsed = b""

    def _parse(self, data: bytes) -> None:
        self.parsed += data

    async def handle(self, messages: int) -> None:
        """Handle so many messages, each in its turn."""
        for _ in range(messages):
            self.handled += 1
            await self.inbound.message_handled()

    def _flooded(self) -> None:
        self.floods += 1

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        self.is_reading = False

    def resume_reading(self) -> None:
        self.is_reading = True


async def turn() -> None:
    await asyncio.sleep(0)


async def test_a_message_alone_waits_for_nothing_and_the_next_one_for_its_turn() -> None:
    connection, frame = ThrottledConnection(PacedJobs(), Limits()), binary(b"a")
    connection.inbound.receive(frame)
    handling = asyncio.create_task(connection.handle(1))
    await turn()
    assert handling.done()
    connection.inbound.receive(frame + frame)
    handling = asyncio.create_task(connection.handle(2))
    await turn()
    assert connection.handled == 2
    assert not handling.done()
    await handling
    assert connection.handled == 3


async def test_who_says_much_at_once_waits_behind_those_who_came_before_him() -> None:
    jobs = PacedJobs()
    connections = [ThrottledConnection(jobs, Limits()) for _ in range(3 * JOBS_A_TURN)]
    for connection in connections:
        connection.inbound.receive(binary(b"a") + binary(b"b"))
    handling = [asyncio.create_task(connection.handle(2)) for connection in connections]
    before = 0
    while before < len(connections):
        await turn()
        done = [connection.handled == 2 for connection in connections]
        assert done == sorted(done, reverse=True)
        assert sum(done) <= before + JOBS_A_TURN
        before = sum(done)
    await asyncio.gather(*handling)


async def test_who_has_said_much_lately_waits_behind_all_others_with_each_message() -> None:
    slow = PacedJobs(0.001)
    connection = ThrottledConnection(PacedJobs(), slow_jobs=slow)
    connection.inbound.receive(binary(b"x") * 4)
    came = asyncio.create_task(slow.wait_turn())
    await turn()
    await connection.handle(1)
    assert came.done()


async def test_a_flood_is_known_before_it_is_parsed_and_nothing_more_of_it_is_read() -> None:
    connection, frame = ThrottledConnection(PacedJobs()), binary(b"x")
    connection.inbound.receive(frame * 12)
    assert connection.is_reading
    connection.clock.advance(0.2)
    connection.inbound.receive(frame * 2)
    assert connection.is_reading
    connection.inbound.receive(frame)
    assert not connection.is_reading
    assert not connection.floods
    while not connection.floods:
        await turn()
    connection.inbound.receive(frame)
    await connection.handle(14)
    assert not connection.is_reading
    assert connection.floods == 1
    assert connection.parsed == frame * 12


async def test_a_flood_behind_the_request_is_known_as_well() -> None:
    connection = ThrottledConnection(PacedJobs())
    connection.inbound = InboundThrottle(
        FEW, connection.clock, PacedJobs(), PacedJobs(), connection, connection._parse, connection._flooded
    )
    connection.inbound.receive(REQUEST + binary(b"x") * 13)
    assert not connection.is_reading
    assert not connection.parsed


async def test_control_frames_and_fragments_count_as_frames() -> None:
    connection = ThrottledConnection(PacedJobs())
    connection.inbound.receive(binary(b"", Opcode.PING) * 6)
    connection.inbound.receive(Frame(Opcode.BINARY, b"x", fin=False).serialize(mask=True) * 6)
    assert connection.is_reading
    connection.inbound.receive(binary(b"", Opcode.PONG))
    assert not connection.is_reading


async def test_large_frames_that_are_not_handled_are_not_read_on_until_they_are() -> None:
    connection, large = ThrottledConnection(PacedJobs(), Limits(inbound_bytes=100)), binary(bytes(300))
    connection.inbound.receive(large)
    assert connection.is_reading
    connection.inbound.receive(large)
    assert not connection.is_reading
    await connection.handle(1)
    assert not connection.is_reading
    await connection.handle(1)
    assert connection.is_reading
    connection.inbound.receive(large)
    assert connection.is_reading


async def test_a_sign_of_life_passes_what_waits() -> None:
    connection, frame, pong = ThrottledConnection(PacedJobs()), binary(b"a"), binary(b"ping", Opcode.PONG)
    connection.inbound.receive(frame + binary(b"b"))
    connection.inbound.receive(pong)
    assert connection.parsed.endswith(pong)


async def test_who_has_sent_much_lately_is_not_parsed_while_he_waits() -> None:
    connection, frame = ThrottledConnection(PacedJobs()), binary(b"x")
    connection.inbound.receive(frame * 4)
    connection.inbound.receive(frame)
    connection.inbound.receive(frame[:1])
    connection.inbound.receive(frame[1:])
    for handled in range(4):
        assert connection.parsed == frame * 4, handled
        await connection.handle(1)
    assert connection.parsed == frame * 5
    await connection.handle(1)
    assert connection.parsed == frame * 6


async def test_what_was_said_before_the_end_is_parsed() -> None:
    connection, frame = ThrottledConnection(PacedJobs()), binary(b"x")
    for _ in range(6):
        connection.inbound.receive(frame)
    assert connection.parsed == frame * 3
    connection.inbound.parse_all()
    assert connection.parsed == frame * 6


async def test_turns_go_on_when_one_fails() -> None:
    turns, done, failed = PacedJobs(), [], []
    asyncio.get_running_loop().set_exception_handler(lambda _, about: failed.append(about["exception"]))

    def fail() -> None:
        raise ValueError

    for job in (fail, lambda: done.append(1), lambda: done.append(2), lambda: done.append(3)):
        turns.add(job)
    for _ in range(4):
        await turn()
    assert done == [1, 2, 3]
    assert len(failed) == 1


async def test_many_messages_in_one_piece_are_answered_in_order(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        frames = [binary(encode_request(say.Ping(n=n))) for n in range(15)]
        ann.write(b"".join(frames))
        await ann.until(lambda: sum(isinstance(each, Pong) for each in ann.heard) == len(frames))
        assert [each.n for each in ann.heard if isinstance(each, Pong)] == list(range(15))
