"""Frames are counted by their heads, however their bytes come."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st
from websockets.frames import Frame, Opcode

from server.net.frame_counter import FrameCounter

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
KINDS = {
    Opcode.BINARY: (True, False),
    Opcode.TEXT: (True, False),
    Opcode.CONT: (True, False),
    Opcode.PING: (True,),
    Opcode.PONG: (True,),
    Opcode.CLOSE: (True,),
}
"""Kinds of frames, and whether each may be the last of its message."""


@given(
    frames=st.lists(
        st.tuples(
            st.sampled_from([(opcode, fin) for opcode, fins in KINDS.items() for fin in fins]),
            st.sampled_from([0, 1, 125, 126, 127, 300, 65_535, 65_536]),
            st.booleans(),
        ),
        max_size=8,
    ),
    cuts=st.lists(st.integers(0, 140_000), max_size=12),
)
def test_frames_are_counted_however_the_bytes_come(
    frames: list[tuple[tuple[Opcode, bool], int, bool]], cuts: list[int]
) -> None:
    counter, stream, messages = FrameCounter(), REQUEST, 0
    for (opcode, fin), length, mask in frames:
        is_control = opcode not in (Opcode.BINARY, Opcode.TEXT, Opcode.CONT)
        size = min(length, 125) if is_control else length
        # the parser refuses unmasked frames: they are counted all the same
        stream += Frame(opcode, bytes(size), fin=fin).serialize(mask=mask)
        messages += fin and not is_control
    marks = [0, *sorted(cut for cut in cuts if cut < len(stream)), len(stream)]
    for begin, end in pairwise(marks):
        counter.count(stream[begin:end])
    assert (counter.frames, counter.messages) == (len(frames), messages)


@pytest.mark.parametrize("piece", [1, 2, 3, 4, 5, 100])
def test_the_request_is_no_frame_however_it_comes(piece: int) -> None:
    counter, stream = FrameCounter(), REQUEST + Frame(Opcode.BINARY, b"\r\n\r\n").serialize(mask=True)
    for begin in range(0, len(stream), piece):
        assert counter.frames == 0 or begin > len(REQUEST)
        counter.count(stream[begin : begin + piece])
    assert (counter.frames, counter.messages) == (1, 1)


def test_a_frame_counts_when_its_head_has_come_and_its_message_when_all_has() -> None:
    counter, frame = FrameCounter(), Frame(Opcode.BINARY, bytes(2000)).serialize(mask=True)
    counter.count(REQUEST + frame[:3])
    assert counter.frames == 0
    counter.count(frame[3:4])
    assert (counter.frames, counter.messages) == (1, 0)
    counter.count(frame[4:-1])
    assert (counter.frames, counter.messages) == (1, 0)
    counter.count(frame[-1:] + frame)
    assert (counter.frames, counter.messages) == (2, 2)
