"""Frames of the WebSocket: made once for all to whom the same bytes go, and as the library makes them."""

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN, SERVER, Protocol
from websockets.streams import StreamReader

from server.wire import Framer


def sent_by_the_library(data: bytes) -> bytes:
    server = Protocol(SERVER, state=OPEN)
    server.send_binary(data)
    return b"".join(server.data_to_send())


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_frame_is_what_the_library_would_send(size: int) -> None:
    data = bytes(size)
    frame = Framer().framed((data,))
    assert frame == sent_by_the_library(data)
    reader = StreamReader()
    reader.feed_data(frame)
    parsing = Frame.parse(reader.read_exact, mask=False)
    with pytest.raises(StopIteration) as found:
        next(parsing)
    assert found.value.value == Frame(Opcode.BINARY, data)


def test_frames_are_made_once_for_messages_that_are_sent_again_and_anew_for_others() -> None:
    framer = Framer()
    public, private, clocks = b"public part", b"private part", b"clocks"
    shared = framer.framed((public, clocks))
    assert shared == sent_by_the_library(public) + sent_by_the_library(clocks)
    assert framer.framed((public, clocks)) is shared
    assert framer.framed((public, private, clocks)) == b"".join(map(sent_by_the_library, (public, private, clocks)))
    assert framer.framed((public, clocks)) == shared
