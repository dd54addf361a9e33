"""Scenes of a replay: a jump to any step shows what playing up to there shows, and costs a bounded number of frames."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import pytest

from bench.replay_runs import LONGEST, replay_of
from client.model.replay.replay_player import ALL_SEEING, PUBLIC, ReplayPlayer
from client.model.replay.replay_show import ReplayShow
from client.model.replay.stream_scenes import LEAST_APART, MOST_KEYS, StreamScenes
from protocol.fairness.replay import read
from protocol.ids import NodeId, Seq
from protocol.limits import Limits
from protocol.scene.delta import Patch
from protocol.wire.from_server import Delta, Snapshot
from tests.support.examples import replays
from tests.support.examples.golden import FOLDER

DUEL: Final = FOLDER / "duel-rules1-log2-dice2-file2.replay"
JUMPS: Final = 40


def recorded(path: Path) -> ReplayPlayer:
    return ReplayPlayer(read(path.read_bytes(), Limits()))


def played(player: ReplayPlayer) -> list[object]:
    """Return what is shown of each step, one after another."""
    shown: list[object] = []
    for step in range(player.last + 1):
        player.go(step)
        shown.append((player.nodes(), player.log(), player.dice()))
    return shown


def jumped(path: Path, audience: str, jumps: int) -> None:
    player, other = recorded(path), recorded(path)
    player.see_as(audience)
    other.see_as(audience)
    shown = played(player)
    chance = random.Random(f"{path.name} {audience}")
    for _ in range(jumps):
        step = chance.randrange(other.last + 1)
        other.go(step)
        assert (other.nodes(), other.log(), other.dice()) == shown[step], (path.name, audience, step)


@pytest.mark.parametrize("audience", [PUBLIC, ALL_SEEING, "seat/0"])
def test_a_jump_shows_the_same_as_playing_there(audience: str) -> None:
    jumped(DUEL, audience, JUMPS)


@pytest.mark.long("client")
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.replay")), ids=lambda path: path.stem)
def test_jumps_in_all_kept_replays(path: Path) -> None:
    for audience in recorded(path).audiences:
        jumped(path, audience, 10 * JUMPS)


@pytest.mark.long("client")
def test_jumps_in_a_match_of_apocalypse_earth(tmp_path: Path) -> None:
    path = tmp_path / "earth.replay"
    path.write_bytes(replay_of(*LONGEST["earth"]))
    for audience in recorded(path).audiences:
        jumped(path, audience, 2 * JUMPS)


def test_a_scene_that_was_played_is_the_one_of_a_jump() -> None:
    show, other = ReplayShow(recorded(DUEL)), ReplayShow(recorded(DUEL))
    last = show.player.last
    seen = {0: show.model().top.nodes}
    show.play()
    for _ in range(100 * last):
        show.advance(0.2)
        if not show.is_behind:
            seen.setdefault(show.player.step, show.model().top.nodes)
        if not show.is_playing:
            break
    assert list(seen) == list(range(last + 1))
    for step in sorted(seen, key=lambda step: step * 7 % (last + 1)):
        other.go(step)
        assert other.model().top.nodes == seen[step], step


def frames(count: int) -> list[Snapshot | Delta]:
    """Return a stream in which one node counts its frames, and another comes and goes."""
    node, guest = NodeId("counter/1"), NodeId("counter/2")
    found: list[Snapshot | Delta] = [Snapshot("public", "replay", Seq(0), {node: {"k": "counter", "value": 0}}, 0)]
    for n in range(1, count):
        patch: Patch = {node: {"value": n}, guest: {"k": "counter", "value": n} if n % 3 else None}
        found.append(Delta(n=Seq(n), patch=patch, hash=0))
    return found


@pytest.mark.parametrize("count", [1, 2, LEAST_APART, LEAST_APART + 1, 3 * LEAST_APART * MOST_KEYS])
def test_key_frames_are_bounded_and_so_is_the_way_from_one(count: int) -> None:
    scenes = StreamScenes(frames(count))
    assert len(scenes.keys) <= MOST_KEYS
    assert scenes.apart >= LEAST_APART
    assert (len(scenes.keys) - 1) * scenes.apart < count <= len(scenes.keys) * scenes.apart
    for number in {0, count // 2, count - 1, count // 3, count // 3 + 1}:
        if number < count:
            nodes = scenes.at(number)
            assert nodes[NodeId("counter/1")]["value"] == number
            assert (NodeId("counter/2") in nodes) == (number % 3 > 0)


def test_the_all_seeing_eye_knows_what_each_seat_knows() -> None:
    player = ReplayPlayer(replays.replay())
    assert player.audiences == (PUBLIC, ALL_SEEING, "seat/1")
    player.see_as(ALL_SEEING)
    assert player.seat == -1
    assert "objective/1.x" in player.nodes()
    player.see_as(PUBLIC)
    assert "objective/1.x" not in player.nodes()
    alone = ReplayPlayer(replays.replay()._replace(streams={"public": replays.frames()}))
    assert alone.audiences == (PUBLIC,)
