"""Scenes that each viewer of a match saw, as a hash of each part at each number, compared with the server's log."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.view.projection import Projector
from protocol.wire.client_conversation import ClientConversation
from server.content.systems import find_systems
from server.lobby.table.table_record import TableRecord
from server.match.playback import fold
from server.runtime.sealing import SealingKey
from server.store.sqlite.store import SqliteStore
from tests.support.doubles.stored import records_of, steps_of

PUBLIC, PRIVATE = "public", "private"


class Sightings:
    """Hashes by stream, part and number. A number that is seen with two hashes is an error at once."""

    def __init__(self) -> None:
        self._hashes: dict[tuple[str, str], dict[int, int]] = defaultdict(dict)

    def add(self, stream: str, part: str, number: int, seen: int) -> None:
        """Add a hash. Raises AssertionError where this number had another one before."""
        before = self._hashes[stream, part].setdefault(number, seen)
        assert before == seen, f"number {number} of the {part} part was seen in two ways"

    def note(self, conversation: ClientConversation) -> None:
        """Add the present scene of a conversation."""
        scene = conversation.scene
        if scene is not None and scene.is_whole:
            public, private = scene.hashes
            self.add(scene.stream, PUBLIC, *public)
            if scene.has_private:
                self.add(scene.stream, PRIVATE, *private)

    def of(self, stream: str, part: str) -> dict[int, int]:
        """Return hashes by number."""
        return self._hashes.get((stream, part), {})

    @property
    def streams(self) -> list[str]:
        """Return runs of numbers, in the order they were first seen."""
        return list(dict.fromkeys(stream for stream, _ in self._hashes))

    def last(self, part: str = PUBLIC) -> int:
        """Return the highest number seen in the newest stream, -1 without any."""
        return max(self.of(self.streams[-1], part), default=-1) if self.streams else -1


def from_file(path: Path) -> Sightings:
    """Read the whole lines that a window wrote (tests/support/clients/windows/robot.py)."""
    seen = Sightings()
    for line in path.read_text().splitlines(keepends=True) if path.exists() else ():
        if line.endswith("\n"):
            noted = json.loads(line)
            seen.add(noted["stream"], PUBLIC, *noted["public"])
            if noted["private"] is not None:
                seen.add(noted["stream"], PRIVATE, *noted["private"])
    return seen


class Stored(NamedTuple):
    """The one match in a server's data folder, as stored on disk."""

    table: TableRecord
    secret: bytes
    steps: tuple[bytes, ...]


async def stored_match(data: Path) -> Stored:
    """Read the data folder of a server that does not run."""
    store = SqliteStore(data / "eschaton.db")
    try:
        (record,) = (await records_of(store, "table")).values()
        table = msgspec.msgpack.decode(record, type=TableRecord)
        steps = tuple(await steps_of(store, data, table.match))
    finally:
        await store.close()
    return Stored(table, SealingKey.at(data / "host.key").open(table.sealed, table.match), steps)


def shown_by_server(match: Stored, stream: str, since: int = 1) -> dict[str, Sightings]:
    """Return the scenes that the durable log gives each audience ("public", "seat/0", ...) in a run of numbers that
    began when `since` steps were stored: the log folded again, and shown from scratch."""
    system = find_systems([match.table.system])[match.table.system]
    folded: Match[Any] = Match(system, match.table.match, MatchDice(match.secret, match.table.match))
    for data in match.steps[:since]:
        fold(folded, data)
    projector = Projector(folded, stream)
    seen: dict[str, Sightings] = defaultdict(Sightings)

    def look() -> None:
        seen[PUBLIC].add(stream, PUBLIC, projector.public.n, projector.public.hashed.hash)
        for seat, view in projector.private.items():
            seen[f"seat/{seat}"].add(stream, PRIVATE, view.n, view.hashed.hash)

    look()
    for data in match.steps[since:]:
        projector.advance(fold(folded, data))
        look()
    return dict(seen)


def compare(name: str, seat: int, viewer: Sightings, server: dict[str, Sightings], stream: str) -> tuple[int, int]:
    """Return how many public and private numbers this viewer (seat -1: a spectator) saw in this stream, each as the
    server had it, and none left out between the first and the last. Raises AssertionError."""
    counts = [_agree(name, PUBLIC, viewer.of(stream, PUBLIC), server[PUBLIC].of(stream, PUBLIC))]
    private = viewer.of(stream, PRIVATE)
    if seat < 0:
        assert not private, f"{name} watches, and was shown a private part"
        return counts[0], 0
    counts.append(_agree(name, PRIVATE, private, server[f"seat/{seat}"].of(stream, PRIVATE)))
    return counts[0], counts[1]


def _agree(name: str, part: str, seen: dict[int, int], true: dict[int, int]) -> int:
    numbers: Sequence[int] = sorted(seen)
    assert numbers, f"{name} was never shown the {part} part"
    missing = set(range(numbers[0], numbers[-1] + 1)) - set(numbers)
    assert not missing, f"{name} was never shown the {part} numbers {sorted(missing)}"
    wrong = [number for number in numbers if seen[number] != true.get(number)]
    assert not wrong, f"{name} saw the {part} numbers {wrong} otherwise than the server's log has them"
    return len(numbers)
