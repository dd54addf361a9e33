"""In random play of every system the dice that viewers are told of are rolls of the log (tests/support/play/observed.py
compares each of them)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from engine.core.bots.bot import Bot
from engine.core.bots.random_bot import RandomBot
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.events import DiceRolled
from engine.core.rules.system import Setup, System
from engine.rulesets.action_cards import system as action_cards
from engine.rulesets.apocalypse_earth import system as apocalypse_earth
from engine.rulesets.one_page import system as one_page
from protocol.ids import MatchId
from tests.support.play.observed import Observed
from tests.support.proving import system as proving
from tests.support.proving.state import Scenario
from tests.support.proving.system import SEATS
from tests.support.runs.cases import cases
from tests.support.systems import ae_shipped, op_shipped
from tests.support.systems.duel import TOML, Duel
from tests.support.systems.haggle import HAGGLE
from tests.support.systems.shipped import resolved_scenario

pytestmark = pytest.mark.slow

DUEL = Duel()


def table_of(name: str, seed: int) -> tuple[Observed[Any], Mapping[Seat, Bot]]:
    """Begin a match of this game, with bots that get to its dice."""
    dice, kind = MatchDice(seed.to_bytes(32, "big"), MatchId("m1")), "random"
    system: System[Any] = HAGGLE
    if name in ("low_water", "harrow_cross"):
        system, (resolved, seats), kind = action_cards, resolved_scenario(name, seed % 64), "level1"
    elif name == "one_page":
        system, resolved, seats, kind = one_page, op_shipped.resolved("crossroads_3000", seed % 16), 2, "level1"
    elif name == "loophole":
        system, resolved, seats, kind = apocalypse_earth, msgspec.msgpack.encode(ae_shipped.resolved(name)), 2, "level1"
    elif name == "proving":
        system, resolved, seats = proving, msgspec.msgpack.encode(Scenario(12)), SEATS
    elif name == "duel":
        system, seats = DUEL, 6
        resolved = DUEL.setup(DUEL.content({"duel.toml": TOML}), Setup("six", ("",) * 6))
    else:
        resolved, seats = HAGGLE.setup(None, Setup("fair", ("", "", ""))), 3
    bots = {Seat(s): RandomBot(seed + s) if kind == "random" else system.bots[kind](seed + s) for s in range(seats)}
    return Observed(system, dice, resolved, seats), bots


def check(name: str, seed: int, decisions: int) -> tuple[int, int]:
    """Play so many decisions; return the numbers of rolls that were made and of dice that were shown."""
    table, bots = table_of(name, seed)
    table.play.play(bots, decisions)
    entries = [entry for data in table.log for entry in table.match.codec.decode(data).entries]
    public = {entry.id for entry in entries if isinstance(entry, DiceRolled) and entry.to.public}
    told = table.shown[None]
    assert set(told) <= public, "everybody was shown a hidden roll"
    for viewer, shown in table.shown.items():
        assert not shown or viewer is None or all(roll.hidden for roll in shown)
    return len(public), sum(map(len, table.shown.values()))


@pytest.mark.parametrize(
    ("name", "decisions"),
    [
        ("low_water", 250),
        ("harrow_cross", 250),
        ("one_page", 120),
        ("loophole", 60),
        ("proving", 150),
        ("duel", 60),
        ("haggle", 120),
    ],
)
def test_dice_that_are_shown_are_rolls_of_the_log(name: str, decisions: int) -> None:
    rolled, shown = check(name, 11, decisions)
    assert rolled > 3
    assert shown > 3


@cases(4, 50)
@given(st.integers(0, 2**32), st.sampled_from(["low_water", "harrow_cross", "one_page", "proving", "duel", "haggle"]))
def test_dice_that_are_shown_are_rolls_of_the_log_in_random_play(seed: int, name: str) -> None:
    check(name, seed, 60)
