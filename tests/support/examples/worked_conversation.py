"""The conversation at the end of docs/protocol.md, held with a real server of which all chance is fixed.

`python -m tests.support.examples.worked_conversation` writes it into the page anew.
"""

from __future__ import annotations

import asyncio
import base64
import secrets
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import shake_128
from pathlib import Path
from typing import Final, TypeVar
from unittest.mock import patch

import msgpack

from server.content.systems import install
from server.net.gateway import Gateway
from tests.support.clients.foreign.client import Foreign
from tests.support.clients.programs import ROOT
from tests.support.clients.wire import running
from tests.support.examples.wire_tables import example
from tests.support.systems.duel import Duel

T = TypeVar("T")

PAGE: Final = ROOT / "docs" / "protocol.md"
BEGIN: Final = "<!-- conversation -->\n"
END: Final = "<!-- end -->"
LEFT_OUT: Final = "catalogue"
TOML: Final = "[scenario.two]\nseats = 2\nturns = 6\n"
WIDTH: Final = 128


class FixedChance:
    """In the place of `secrets`: for each function and size, values that are always the same ones in a row."""

    def __init__(self) -> None:
        self._asked: Counter[tuple[str, int]] = Counter()

    def _next(self, kind: str, size: int) -> bytes:
        self._asked[kind, size] += 1
        return shake_128(f"{kind} {size} {self._asked[kind, size]}".encode()).digest(size)

    def token_bytes(self, size: int) -> bytes:
        return self._next("bytes", size)

    def token_hex(self, size: int) -> str:
        return self._next("hex", size).hex()

    def token_urlsafe(self, size: int) -> str:
        return base64.urlsafe_b64encode(self._next("url", size)).rstrip(b"=").decode()

    def randbits(self, count: int) -> int:
        return int.from_bytes(self._next("bits", count // 8), "big")

    def choice(self, of: Sequence[T]) -> T:
        return of[self._next("choice", 1)[0] % len(of)]


@contextmanager
def fixed() -> Iterator[None]:
    """Nothing is left to chance in this process, and no link is measured."""
    chance = FixedChance()
    with ExitStack() as stack:
        for name in ("token_bytes", "token_hex", "token_urlsafe", "randbits", "choice"):
            stack.enter_context(patch.object(secrets, name, getattr(chance, name)))
        stack.enter_context(patch.object(Gateway, "_measure", lambda *_: None))
        yield


async def held(data: Path) -> list[tuple[str, bytes]]:
    """Hold the conversation; its frames, each with ">" from the client or "<" from the server."""
    systems = {"duel": install(Duel(), {"duel.toml": TOML})}
    with fixed():
        async with running(data, systems=systems) as run:
            ann = Foreign(f"ws://127.0.0.1:{run.port}", "Ann", draw=lambda size: bytes(range(size)))
            await ann.connect()
            await ann.say("create", system="duel", scenario="two", name="Friday")
            await ann.until(lambda: bool(ann.table))
            await ann.say("bot", kind="hard")
            await ann.ping(1)
            await ann.say("start")
            await ann.until(lambda: bool(ann.prompt.get("choices")))
            await ann.ping(2)
            assert await ann.act("focus", {}) == ""
            await ann.ping(3)
            frames = list(ann.frames)
            await ann.close()
    return frames


def written(frames: list[tuple[str, bytes]]) -> str:
    """The conversation as it stands on the page."""
    blocks = []
    for direction, data in frames:
        message = msgpack.unpackb(data)
        who = "client" if direction == ">" else "server"
        if message["t"] == LEFT_OUT:
            continue
        said = textwrap.wrap(example(message), WIDTH, break_long_words=False, break_on_hyphens=False)
        blocks.append("\n".join([f"{who}: {message['t']}", *textwrap.wrap(data.hex(), WIDTH), *said]))
    return "```\n" + "\n\n".join(blocks) + "\n```\n"


def main() -> None:
    """Write it into the page."""
    with tempfile.TemporaryDirectory() as folder:
        frames = asyncio.run(held(Path(folder)))
    page = PAGE.read_text("utf-8")
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + BEGIN + written(frames) + rest[rest.index(END) :], "utf-8")


if __name__ == "__main__":
    main()
