"""Matches that were played once can be read for good: golden replays, and events whose layout has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from client.fairness import verify
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import LogDamaged
from engine.core.rules.events import Event, MatchStarted, Upcaster
from protocol.fairness.replay import Replay, read
from protocol.limits import Limits
from protocol.scene.nodes import Cue
from protocol.wire.from_server import Delta, Snapshot
from server.match.checking import repeat
from server.match.playback import fold, shown
from tests.support.examples.golden import FOLDER, file_of, systems
from tests.support.systems.duel import Duel
from tests.support.systems.duel_state import DuelState, Struck

pytestmark = pytest.mark.slow

GOLDEN = sorted(FOLDER.glob("*.replay"))


def opened(path: Path) -> tuple[Replay, Match[Any]]:
    replay = read(path.read_bytes(), Limits())
    system = systems()[replay.header.system][0].system
    return replay, Match(system, replay.header.match, MatchDice(replay.secret, replay.header.match))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_replay_is_folded_verified_and_under_its_rules_played_again(path: Path) -> None:
    replay, match = opened(path)
    again = opened(path)[1]
    rules = 0
    for data in replay.log:
        step = fold(match, data)
        first = step.stored.entries[0] if step.stored.entries else None
        rules = first.rules if isinstance(first, MatchStarted) else rules
    assert match.head == replay.head
    assert match.version == len(replay.log) > 5
    assert verify.check(path.read_bytes())[0].startswith("Everything holds")
    if rules == match.system.RULES:
        # pictures may be drawn otherwise today; what happened may not
        for data in replay.log:
            repeat(again, data)
        assert again.head == replay.head


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_dice_of_a_golden_replay_are_those_that_were_shown(path: Path) -> None:
    replay, match = opened(path)
    again = shown(match, replay.log, fold)
    assert replay.streams.keys() == again.keys()
    for audience, frames in replay.streams.items():
        assert rolls(again[audience]) == rolls(frames)


def rolls(frames: Iterable[Snapshot | Delta]) -> list[tuple[object, ...]]:
    """The dice in a stream, with their numbers."""
    cues = [cue for frame in frames if isinstance(frame, Delta) for cue in frame.told if isinstance(cue, Cue)]
    return [(cue.dice.roll, cue.dice.sides, cue.dice.faces) for cue in cues if cue.dice is not None]


@pytest.mark.parametrize("name", systems())
def test_the_rules_of_today_have_a_golden_replay(name: str) -> None:
    path = file_of(systems()[name][0])
    assert path in GOLDEN, (
        f"the rules of {name} have changed: run `python -m tests.support.examples.golden`, keep the old file"
    )
    assert path.stat().st_size < 600_000


def wound(fields: dict[str, Any], earlier: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """In the older layout the harm was called damage."""
    return {"seat": fields["seat"], "target": fields["target"], "harm": fields["damage"], "how": "strike"}


class Wounded(Event[DuelState], frozen=True, tag="duel.struck.2"):
    """A later layout of Struck."""

    formerly: ClassVar[Mapping[str, Upcaster]] = {"duel.struck": wound}
    seat: int
    target: int
    harm: int
    how: str

    def apply(self, state: DuelState) -> DuelState:
        return Struck(self.seat, self.target, self.harm).apply(state)


class NewerDuel(Duel):
    """The duel after that change."""

    events = (*(event for event in Duel.events if event is not Struck), Wounded)


def test_an_event_of_an_older_layout_reads_as_one_of_today() -> None:
    replay, match = opened(next(path for path in GOLDEN if path.stem.startswith("duel")))
    newer: Match[Any] = Match(NewerDuel(), match.id, match.dice)
    seen: list[Event[Any]] = []
    for data in replay.log:
        match.replay(data)
        seen += [entry for entry in newer.replay(data).stored.entries if isinstance(entry, Wounded)]
    assert seen
    assert newer.state == match.state
    # heads are over the bytes as they were stored
    assert newer.head == match.head == replay.head


def test_what_an_upcaster_cannot_read_is_damage() -> None:
    replay, match = opened(next(path for path in GOLDEN if path.stem.startswith("duel")))
    codec = Match(NewerDuel(), match.id, match.dice).codec
    struck = next(data for data in replay.log if b"duel.struck" in data)
    step = msgspec.msgpack.decode(struck)
    for entry in step[2]:
        entry.pop("damage", None)
    with pytest.raises(LogDamaged, match="older layout"):
        codec.decode(msgspec.msgpack.encode(step))


def test_a_match_with_heads_of_the_first_layout_keeps_them_in_whatever_way_it_is_taken_up() -> None:
    replay, match = opened(FOLDER / "duel-rules1.replay")
    again, snapshots = opened(FOLDER / "duel-rules1.replay")[1], 0
    for data in replay.log:
        step = match.replay(data)
        match.resume()  # runs what waits anew, the start too
        if match.snapshot_point:
            again.restore(match.snapshot())
            snapshots += 1
        elif again.version == step.version - 1:
            again.replay(data)
        assert match.record.log == 1
        assert again.version != match.version or again.head == match.head
    assert snapshots
    assert match.head == replay.head
