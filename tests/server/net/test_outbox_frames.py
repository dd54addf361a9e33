"""WebSocket frames: made once for all who get the same bytes, and the same as the library's."""

from typing import cast

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN, SERVER, Protocol
from websockets.streams import StreamReader

from server.net.outbox import OutboundSocket, Outbox, framed


def sent_by_the_library(data: bytes) -> bytes:
    server = Protocol(SERVER, state=OPEN)
    server.send_binary(data)
    return b"".join(server.data_to_send())


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_frame_is_what_the_library_would_send(size: int) -> None:
    data = bytes(size)
    frame = framed((data,))
    assert frame == sent_by_the_library(data)
    reader = StreamReader()
    reader.feed_data(frame)
    parsing = Frame.parse(reader.read_exact, mask=False)
    with pytest.raises(StopIteration) as found:
        next(parsing)
    assert found.value.value == Frame(Opcode.BINARY, data)


class Taken:
    """A link that keeps what is written to it."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, frames: bytes) -> None:
        self.written.append(frames)


async def test_frames_are_made_once_for_messages_that_are_sent_again_and_anew_for_others() -> None:
    outbox, links = Outbox(lambda: None), [Taken() for _ in range(4)]
    public, private, clocks = b"public part", b"private part", b"clocks"
    said = [(public, clocks), (public, clocks), (public, private, clocks), (public, clocks)]
    for link, parts in zip(links, said, strict=True):
        outbox.put(cast(OutboundSocket, link), parts)
    outbox.flush()
    written = [frames for link in links for frames in link.written]
    assert written == [b"".join(map(sent_by_the_library, parts)) for parts in said]
    assert written[0] is written[1]
