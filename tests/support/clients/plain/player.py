"""A person who plays in plain text: types lines to `eschaton play --text` and reads what comes, over pipes or in a
pseudo-terminal."""

from __future__ import annotations

import asyncio
import os
import pty
import re
from collections.abc import Sequence
from pathlib import Path

from protocol.words import ENGLISH
from tests.support.clients.programs import Program
from tests.support.runs.patience import PATIENCE

MARK = "dice off"
"""What is typed behind each line: once it is answered, the program has dealt with the line."""
ANSWER = "Dice are told no more."
ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>]|\][^\x07]*\x07)|\r|\x08|\x07")
"""What steers a terminal, and says nothing."""
NUMBERED = re.compile(r"^(\d+)\. (.+)$")


class PlainPlayer(Program):
    """Player with a program in plain text at a server, as a process of its own, on a system of this language. `heard`
    has all lines so far."""

    def __init__(self, folder: Path, name: str, port: int, *arguments: str, language: str = ENGLISH) -> None:
        words = ("client.app.main", "play", "--text", f"127.0.0.1:{port}", *arguments)
        super().__init__(folder, name, *words, is_held=True, settings={"LANGUAGE": language})
        self.heard: list[str] = []

    async def type(self, *lines: str) -> None:
        """Type lines, and wait for nothing."""
        await self.send("".join(f"{line}\n" for line in lines).encode())

    async def line(self, seconds: float = PATIENCE) -> str:
        """Return the next line that is said."""
        assert self._process is not None
        assert self._process.stdout is not None
        async with asyncio.timeout(seconds):
            data = await self._process.stdout.readline()
        assert data, self.end_told
        return self._take(data)

    def _take(self, data: bytes) -> str:
        line = self._read_line(ESCAPES.sub("", data.decode("utf-8", "replace")).rstrip("\n"))
        self.heard.append(line)
        return line

    def _read_line(self, line: str) -> str:
        return line

    async def until(self, words: str, seconds: float = PATIENCE) -> list[str]:
        """Return all lines up to the first that has these words."""
        lines: list[str] = []
        while not lines or words not in lines[-1]:
            lines.append(await self.line(seconds))
        return lines

    async def tell(self, line: str, seconds: float = PATIENCE) -> list[str]:
        """Type a line at a table in play, and return what is said until the program has dealt with it."""
        await self.type(line, MARK)
        said = await self.until(ANSWER, seconds)
        return [one for one in said if one not in (f"> {line}", f"> {MARK}", ANSWER)]


class TerminalPlayer(PlainPlayer):
    """Player whose program runs in a pseudo-terminal."""

    def __init__(self, folder: Path, name: str, port: int, *arguments: str) -> None:
        super().__init__(folder, name, port, *arguments)
        self._settings = {**self._settings, "TERM": "xterm"}
        self._ours = -1
        self._rest = b""

    async def start(self) -> None:
        """Start it in a terminal of its own."""
        self._ours, theirs = pty.openpty()
        try:
            self._stdin = self._stdout = theirs
            await super().start()
        finally:
            os.close(theirs)
        os.set_blocking(self._ours, False)

    async def type(self, *lines: str) -> None:
        """Type lines, each ended by the key for it."""
        os.write(self._ours, "".join(f"{line}\r" for line in lines).encode())

    async def line(self, seconds: float = PATIENCE) -> str:
        """Return the next line that is shown."""
        async with asyncio.timeout(seconds):
            while b"\n" not in self._rest:
                self._rest += await self._read()
        data, _, self._rest = self._rest.partition(b"\n")
        return self._take(data)

    def _read_line(self, line: str) -> str:
        """Return a line without the sign before what is typed, which stood there until it was said."""
        return line.lstrip("> ")

    async def _read(self) -> bytes:
        loop, readable = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._ours, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self._ours)
        try:
            return os.read(self._ours, 65536)
        except OSError:  # nobody has the other end any more
            raise AssertionError(self.end_told) from None

    async def end(self) -> int:
        """End it, and close its terminal."""
        try:
            return await super().end()
        finally:
            os.close(self._ours)


def choices(lines: Sequence[str]) -> list[str]:
    """Return the numbers of the last list among some lines."""
    found: list[str] = []
    for line in lines:
        listed = NUMBERED.match(line)
        if listed and listed[1] == "1":
            found = []
        if listed:
            found.append(listed[1])
    return found
