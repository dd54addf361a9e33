"""`make demo`: one server and six players in processes of their own play a whole match over WebSocket.

Prints live commentary with a progress line, and writes out/demo.replay, out/demo.png (drawn by the real client) and
out/demo.json (the result). Ends with status 1 where a check failed, and never leaves a process behind.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Final

from protocol.ids import TableId
from protocol.scene.nodes import ROW_NODE, Card, Row
from protocol.wire import from_client as say
from protocol.wire.from_server import Delta, FilePart, FromServer, TableView
from server.cli.wire_bot import WirePlayer
from server.content.systems import find_systems
from server.runtime.clock import RealClock

OUT: Final = Path("out")
SYSTEM: Final = "action_cards"
SCENARIO: Final = "low_water"
SEATS: Final = 6
PATIENCE: Final = 85.0
"""Seconds that the match may take."""
CARDS: Final = 112
"""About as many cards as a match of six plays, for the progress line."""
NAMES: Final = ("Ada", "Bela", "Chidi", "Dana", "Emre", "Fia")


class Narrator(WirePlayer):
    """The first player: opens the table, starts the match when all are ready, and prints the commentary."""

    def __init__(self, url: str) -> None:
        super().__init__(url, "", "level1", NAMES[0], 1, find_systems(), RealClock())
        self.code: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.lines = 0
        self._started = False
        self._cards: set[tuple[int, str]] = set()
        self._began = time.monotonic()

    @property
    def cards(self) -> int:
        """The number of cards played."""
        return len(self._cards)

    def ask_for_seat(self) -> None:
        self.talk.say(say.CreateTable(system=SYSTEM, scenario=SCENARIO, name="Demonstration"))

    def look_at(self, message: FromServer) -> None:
        super().look_at(message)
        if isinstance(message, TableView):
            self._see_table(message)
        elif isinstance(message, Delta):
            self._tell(message)

    def _see_table(self, table: TableView) -> None:
        if table.code and not self.code.done():
            self.code.set_result(table.code)
        ready = len(table.seats) == SEATS and all(seat.who and seat.ready for seat in table.seats)
        if ready and table.state == "open" and not self._started:
            self._started = True
            self.talk.say(say.StartMatch())

    def _tell(self, delta: Delta) -> None:
        for cue in delta.cues:
            words = self.talk.format(cue.text)
            if words:
                self.lines += 1
                print(f"  {words}", flush=True)
        row = self.talk.scene.nodes.get(ROW_NODE) if self.talk.scene else None
        if isinstance(row, Row):
            before = self.cards
            self._cards.update((row.turn, card.id) for card in row.cards if _used(card))
            if self.cards != before:
                self._progress()

    def _progress(self) -> None:
        share = min(1.0, self.cards / CARDS)
        bar = ("#" * round(share * 30)).ljust(30, ".")
        print(f"[{bar}] card {self.cards}, {time.monotonic() - self._began:.0f} s", flush=True)


def _used(card: Card) -> bool:
    return card.state in {"done", "passed"}


async def _download(url: str, table: TableId, token: str) -> bytes:
    """Download the replay of a finished table, over a fresh connection of the same person."""
    fetcher = Fetcher(url, table, token)
    async with asyncio.timeout(20):
        await fetcher.play()
    return b"".join(part.data for part in fetcher.parts)


class Fetcher(WirePlayer):
    """Client that connects, asks for a replay, and leaves with it."""

    def __init__(self, url: str, table: TableId, token: str) -> None:
        super().__init__(url, "", "level1", NAMES[0], 1, {}, RealClock())
        self.talk.token = token
        self.parts: list[FilePart] = []
        self._table = table
        self._wanted = True

    @property
    def is_finished(self) -> bool:
        return bool(self.parts) and len(self.parts) == self.parts[0].parts

    def ask_for_seat(self) -> None:
        self.talk.say(say.OpenTable(table=self._table))

    def look_at(self, message: FromServer) -> None:
        super().look_at(message)
        if isinstance(message, TableView) and message.replay and self._wanted:
            self._wanted = False
            self.talk.say(say.GetReplay(table=self._table))
        elif isinstance(message, FilePart):
            self.parts.append(message)


def _start(stack: ExitStack, *arguments: str, stdout: int | IO[bytes] | None = None) -> subprocess.Popen[bytes]:
    """Start a process; it is ended, by its id, when the stack closes."""
    log = stack.enter_context((OUT / "demo.log").open("ab"))
    process = subprocess.Popen([sys.executable, "-m", *arguments], stdout=stdout, stderr=log)

    def end() -> None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()

    stack.callback(end)
    return process


def _serve(stack: ExitStack, data: str) -> str:
    server = _start(
        stack, "server.cli.main", "serve", "--listen", "127.0.0.1:0", "--data", data, stdout=subprocess.PIPE
    )
    assert server.stdout is not None
    line = server.stdout.readline()
    if not line:
        sys.exit(f"The server did not start; see {OUT / 'demo.log'}.")
    return f"ws://127.0.0.1:{json.loads(line)['port']}"


async def _match(stack: ExitStack, url: str) -> Narrator:
    narrator = Narrator(url)
    playing = asyncio.create_task(narrator.play())
    code = await asyncio.wait_for(asyncio.shield(narrator.code), 20)
    for seat, name in enumerate(NAMES[1:], start=1):
        _start(stack, "server.cli.main", "bot", url, code, "--kind", "level1", "--name", name, "--seed", str(seat + 1),
               stdout=subprocess.DEVNULL)  # fmt: skip
    print(f"Six players at one table (code {code}); the server listens at {url}.", flush=True)
    try:
        await asyncio.wait_for(playing, PATIENCE)
    except TimeoutError:
        sys.exit(f"The match was not over after {PATIENCE:.0f} s; see {OUT / 'demo.log'}.")
    return narrator


def _check(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", *arguments], check=False)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)} ended with status {done.returncode}.")


def _outcome(narrator: Narrator, seconds: float) -> dict[str, object]:
    result, table = narrator.result, narrator.talk.table
    assert result is not None
    assert table is not None
    seats = [
        {"seat": line.seat, "name": NAMES[line.seat], "faction": table.seats[line.seat].faction, "won": line.won,
         "score": line.score, "met": [narrator.talk.format(c.name) for c in line.conditions if c.met]}
        for line in result.seats
    ]  # fmt: skip
    return {
        "why": narrator.talk.format(result.why),
        "cards": narrator.cards,
        "seconds": round(seconds, 1),
        "seats": seats,
    }


def main() -> None:
    """Run the demonstration."""
    OUT.mkdir(exist_ok=True)
    (OUT / "demo.log").write_bytes(b"")
    began = time.monotonic()
    with ExitStack() as stack:
        url = _serve(stack, stack.enter_context(tempfile.TemporaryDirectory()))
        narrator = asyncio.run(_match(stack, url))
        table = narrator.talk.table
        assert table is not None
        replay = asyncio.run(_download(url, table.id, narrator.talk.token or ""))
    (OUT / "demo.replay").write_bytes(replay)
    outcome = _outcome(narrator, time.monotonic() - began)
    (OUT / "demo.json").write_text(json.dumps(outcome, indent=1) + "\n", encoding="utf-8")
    _check("client.app.main", "verify", str(OUT / "demo.replay"))
    _check("client.app.main", "replay", str(OUT / "demo.replay"), "--png", str(OUT / "demo.png"))
    print(json.dumps(outcome, indent=1))
    print(f"Written: out/demo.replay, out/demo.png, out/demo.json; {time.monotonic() - began:.0f} s in all.")


if __name__ == "__main__":
    main()
