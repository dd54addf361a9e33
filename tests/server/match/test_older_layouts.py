"""Matches whose log older rules wrote are folded, gone on with and shown as if it had been written today."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import pytest

from engine.core.bots.random_bot import RandomBot
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import LogDamaged
from engine.core.rules.system import System
from engine.rulesets.action_cards import system as action_cards
from engine.rulesets.action_cards.rules.shooting.blast import Blast
from engine.rulesets.action_cards.state.model import Resolved
from engine.rulesets.action_cards.state.state import Danger, Skirmish
from engine.rulesets.action_cards.system import ActionCards
from engine.rulesets.one_page import system as one_page
from protocol.ids import GroupId, MatchId
from protocol.scene.nodes import Cue, RollId
from protocol.wire.from_server import Delta
from server.match.playback import fold, shown
from tests.support.play.observed import Observed
from tests.support.systems import motors, op_shipped
from tests.support.systems.older import ACTION_CARDS, ONE_PAGE, Back, older
from tests.support.systems.scripted import ScriptedDice
from tests.support.systems.shipped import resolved_scenario
from tests.support.systems.skirmish import Play, line_up

MATCH = MatchId("m1")
MATCHES = (("level1", 0), ("level1", 3), ("level1", 5), ("random", 2))
"""Bots and turn of each match of the card game."""

pytestmark = pytest.mark.slow

DICE = MatchDice(bytes(31) + b"\5", MATCH)


def log_of(system: System[Any], resolved: bytes, seats: int, kind: str, most: int = 2_000) -> list[bytes]:
    """The steps of a match of bots, of so many decisions at most."""
    table: Observed[Any] = Observed(system, DICE, resolved, seats)
    table.play.play({Seat(s): RandomBot(s) if kind == "random" else system.bots[kind](s) for s in range(seats)}, most)
    return table.log


def tags(log: Sequence[bytes]) -> set[str]:
    """The tags of all entries."""
    return {entry["e"] for data in log for entry in msgspec.msgpack.decode(data)[2]}


def compare(system: System[Any], log: Sequence[bytes], newer: Mapping[str, Back]) -> None:
    """The log as older rules wrote it reads like that of today, what waits comes out the same at every stop, and every
    viewer is shown the same. Raises AssertionError."""
    old = older(log, newer)
    assert old != log
    assert not tags(old) & newer.keys()
    matches = [Match(system, MATCH, DICE) for _ in range(2)]
    for data, was in zip(log, old, strict=True):
        for match, step in zip(matches, (data, was), strict=True):
            match.replay(step)
            match.resume()
        one, other = matches
        assert (one.state, one.record) == (other.state, other.record)
        assert (one.question is None) == (other.question is None)
    one, other = [shown(Match(system, MATCH, DICE), steps, fold) for steps in (log, old)]  # type: ignore[assignment]
    assert one == other


def test_the_card_game() -> None:
    """Of what has changed shipped factions have no blasts; the rest stands in these matches together."""
    missing = ACTION_CARDS.keys() - {"ac.burst_fell.2"}
    for kind, turn in MATCHES:
        resolved, seats = resolved_scenario("low_water", turn)
        log = log_of(action_cards, resolved, seats, kind)
        compare(action_cards, log, ACTION_CARDS)
        missing -= tags(log)
    assert not missing, "choose other MATCHES"


def test_one_page() -> None:
    log = log_of(one_page, op_shipped.resolved("crossroads_3000", 2), 2, "level1", 120)
    compare(one_page, log, ONE_PAGE)
    assert tags(log) >= ONE_PAGE.keys()


class Laid(ActionCards):
    """The game from a table that was laid by hand."""

    def __init__(self, state: Skirmish) -> None:
        self._state = state

    def start(self, resolved: bytes, seats: int) -> Skirmish:
        return msgspec.structs.replace(self._state, resolved=msgspec.msgpack.decode(resolved, type=Resolved))


def test_a_blast_is_one_roll_for_all_that_it_hits_and_was_so_in_older_logs() -> None:
    """The group under the circle and the monster beside it: two cues show the same roll, by its number."""
    state = motors.table({"0.1": line_up(1, 500, 500), "1.1": line_up(3, 2300, 1000)})
    beast = Danger("danger.1", "it", (2000, 1000), 200, 9, 6, 800, 20, 2, 100)
    state = msgspec.structs.replace(
        motors.with_crew(state, GroupId("0.9"), (1000, 1000)), dangers=(beast,), danger_count=1
    )
    play = Play(state, *(4,) * 6).do(0, Blast(GroupId("0.9"), (2390, 1000)))
    for log in (play.log, older(play.log, ACTION_CARDS)):
        frames = shown(Match(Laid(state), MatchId("test"), ScriptedDice()), log, fold)["public"]
        told = [cue.dice for frame in frames if isinstance(frame, Delta) for cue in frame.told if isinstance(cue, Cue)]
        seen = [(dice.roll, dice.faces, dice.total) for dice in told if dice is not None]
        assert seen == [(RollId(0, 0), (4,) * 6, 24)] * 2


def without_roll(step: list[Any]) -> None:
    step[2] = [entry for entry in step[2] if entry["e"] != "core.dice"]


def with_other_roll(step: list[Any]) -> None:
    rolled = next(entry for entry in step[2] if entry["e"] == "core.dice")
    rolled["faces"][0] = rolled["faces"][0] % 6 + 1


def after_its_roll(step: list[Any]) -> None:
    step[2].reverse()


@pytest.mark.parametrize("change", [without_roll, with_other_roll, after_its_roll])
def test_faces_that_are_of_no_roll_before_them_are_damage(change: Callable[[list[Any]], None]) -> None:
    resolved, seats = resolved_scenario("low_water", 3)
    log = older(log_of(action_cards, resolved, seats, "level1"), ACTION_CARDS)
    step = msgspec.msgpack.decode(next(data for data in log if b"ac.volley_fired" in data))
    codec = Match(action_cards, MATCH, DICE).codec
    codec.decode(msgspec.msgpack.encode(step))
    change(step)
    with pytest.raises(LogDamaged, match="older layout"):
        codec.decode(msgspec.msgpack.encode(step))
