"""Inbound frames: cut before they are parsed, handled one after another, in turn with those of all other
connections."""

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from protocol.limits import Bucket, Limits
from protocol.wire import from_client as say
from protocol.wire.codec import encode_request
from protocol.wire.from_server import Pong
from server.net.inbound_throttle import InboundThrottle
from server.net.paced_jobs import JOBS_A_TURN, PacedJobs
from server.net.raw_frames import FrameBuffer, RequestEnd, message_in
from tests.support.clients.wire import running
from tests.support.doubles.clock import JumpingClock

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
FEW = Limits(arrivals=Bucket(10, 12))


def binary(data: bytes, opcode: Opcode = Opcode.BINARY) -> bytes:
    return Frame(opcode, data).serialize(mask=True)


@given(
    sizes=st.lists(st.sampled_from([0, 1, 125, 126, 127, 300, 65_535, 65_536]), max_size=8),
    cuts=st.lists(st.integers(0, 140_000), max_size=12),
)
def test_frames_are_found_however_the_bytes_come(sizes: list[int], cuts: list[int]) -> None:
    frames = [binary(bytes(size)) for size in sizes]
    stream, raw = b"".join(frames), FrameBuffer(most=70_000)
    marks = [0, *sorted(cut for cut in cuts if cut < len(stream)), len(stream)]
    whole = sum(raw.put(stream[begin:end]) for begin, end in pairwise(marks))
    assert whole == len(raw) == len(frames)
    assert not raw.is_amid
    assert [raw.next() for _ in frames] == frames
    assert not raw.held


def parsed_by_the_library(data: bytes) -> Frame:
    reader = StreamReader()
    reader.feed_data(data)
    parsing = Frame.parse(reader.read_exact, mask=True)
    with pytest.raises(StopIteration) as found:
        next(parsing)
    frame = found.value.value
    assert isinstance(frame, Frame)
    return frame


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536])
def test_a_message_in_one_frame_is_what_the_library_makes_of_it(size: int) -> None:
    frame = binary(bytes(n % 251 for n in range(size)))
    assert message_in(frame) == parsed_by_the_library(frame).data
    for part in (frame[:-1], frame[:6], frame[:1], b""):
        assert message_in(part) is None or size == 0 == len(frame) - len(part)


def test_whatever_else_comes_is_left_to_the_library() -> None:
    for frame in (Frame(Opcode.BINARY, b"x", fin=False), Frame(Opcode.CONT, b"x")):
        assert message_in(frame.serialize(mask=True)) is None
    for opcode in (Opcode.TEXT, Opcode.PING, Opcode.PONG, Opcode.CLOSE):
        assert message_in(binary(b"", opcode)) is None
    assert message_in(Frame(Opcode.BINARY, b"x").serialize(mask=False)) is None
    with_a_reserved_bit = bytearray(binary(b"x"))
    with_a_reserved_bit[0] |= 0x40
    assert message_in(bytes(with_a_reserved_bit)) is None


def test_a_frame_that_is_too_large_is_not_waited_for() -> None:
    raw = FrameBuffer(most=1000)
    assert raw.put(binary(bytes(2000))[:20]) == 1
    assert len(raw.next()) == 20


@pytest.mark.parametrize("piece", [1, 3, 4, 5, 100])
def test_the_end_of_the_request_is_found_however_it_comes(piece: int) -> None:
    stream, request, behind = REQUEST + b"\r\n\r\n", RequestEnd(), 0
    for begin in range(0, len(stream), piece):
        cut = request.within(stream[begin : begin + piece])
        if cut >= 0:
            behind = begin + cut
            break
    assert behind == len(REQUEST)


class ThrottledConnection:
    """A connection whose parser takes every frame for a message, and notes it."""

    def __init__(self, turns: PacedJobs, limits: Limits = FEW) -> None:
        self.clock = JumpingClock()
        self.parsed: list[bytes] = []
        self.floods = 0
        self.is_reading = True
        self.inbound = InboundThrottle(limits, self.clock, turns, turns, self, self._parse, self._flooded)
        self.inbound.receive(REQUEST)
        self.parsed.clear()

    def _parse(self, data: bytes) -> None:
        self.parsed.append(data)
        if data != REQUEST and data[0] & 0x0F == Opcode.BINARY:
            self.inbound.message_parsed()

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


async def test_one_frame_is_parsed_at_once_and_the_next_when_it_is_heard_and_in_its_turn() -> None:
    connection, frames = ThrottledConnection(PacedJobs()), [binary(bytes([n])) for n in range(3)]
    connection.inbound.receive(b"".join(frames))
    assert connection.parsed == frames[:1]
    await turn()
    assert connection.parsed == frames[:1]
    connection.inbound.message_handled()
    assert connection.parsed == frames[:1]
    await turn()
    assert connection.parsed == frames[:2]


async def test_what_comes_as_one_frame_is_heard_without_the_parser_but_never_amid_fragments() -> None:
    connection = ThrottledConnection(PacedJobs(), Limits())
    heard: list[bytes] = []
    takes = True

    def hear(message: bytes) -> bool:
        heard.extend([message] if takes else [])
        return takes

    connection.inbound.take_message = hear
    connection.inbound.receive(binary(b"one"))
    assert heard == [b"one"]
    assert not connection.parsed
    first = Frame(Opcode.BINARY, b"tw", fin=False).serialize(mask=True)
    rest = [binary(b"ping", Opcode.PING), binary(b"amid"), binary(b"o", Opcode.CONT)]
    for frame in (first, *rest):
        connection.inbound.receive(frame)
        if frame in (first, rest[1]):
            connection.inbound.message_handled()
    assert connection.parsed == [first, *rest]
    assert heard == [b"one"]
    connection.inbound.receive(binary(b"three"))
    assert heard == [b"one", b"three"]
    takes = False
    connection.inbound.receive(four := binary(b"four"))
    assert connection.parsed[-1] == four
    assert heard == [b"one", b"three"]


async def test_who_says_much_at_once_waits_behind_those_who_came_before_him() -> None:
    turns = PacedJobs()
    ears = [ThrottledConnection(turns) for _ in range(3 * JOBS_A_TURN)]
    for connection in ears:
        connection.inbound.receive(binary(b"a") + binary(b"b"))
        connection.inbound.message_handled()
    for done in range(0, len(ears), JOBS_A_TURN):
        assert [len(connection.parsed) for connection in ears] == [2] * done + [1] * (len(ears) - done)
        await turn()


async def test_a_flood_is_known_before_it_is_parsed_and_nothing_more_of_it_is_read() -> None:
    connection = ThrottledConnection(PacedJobs())
    connection.inbound.receive(b"".join(binary(b"x") for _ in range(12)))
    assert connection.is_reading
    assert len(connection.parsed) <= 1
    connection.clock.advance(0.2)
    connection.inbound.receive(binary(b"x") * 2)
    assert connection.is_reading
    connection.inbound.receive(binary(b"x"))
    assert not connection.is_reading
    assert not connection.floods
    while not connection.floods:
        await turn()
    connection.inbound.receive(binary(b"x"))
    connection.inbound.message_handled()
    await turn()
    assert connection.floods == 1
    assert len(connection.parsed) <= 2


async def test_large_frames_that_are_not_heard_are_not_read_on_until_they_are() -> None:
    connection, large = ThrottledConnection(PacedJobs(), Limits(inbound_bytes=100)), binary(bytes(300))
    connection.inbound.receive(large)
    connection.inbound.receive(large)
    assert connection.is_reading
    connection.inbound.receive(large)
    assert not connection.is_reading
    connection.inbound.message_handled()
    await turn()
    assert connection.is_reading
    assert connection.parsed == [large, large]


async def test_a_sign_of_life_passes_what_waits() -> None:
    connection, frame, pong = ThrottledConnection(PacedJobs()), binary(b"a"), binary(b"ping", Opcode.PONG)
    connection.inbound.receive(frame + binary(b"b"))
    connection.inbound.receive(pong)
    assert connection.parsed == [frame, pong]


async def test_what_was_said_before_the_end_is_heard() -> None:
    connection = ThrottledConnection(PacedJobs())
    connection.inbound.receive(b"".join(binary(b"x") for _ in range(3)))
    connection.inbound.pass_all()
    connection.inbound.receive(binary(b"last"))
    assert len(b"".join(connection.parsed)) == 3 * len(binary(b"x")) + len(binary(b"last"))


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
