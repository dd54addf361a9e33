"""The game that new rule systems begin as, held to the engine's properties and to its own forecasts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from engine.core.bots.bot import Bot
from engine.core.bots.random_bot import RandomBot
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.game import Probe
from engine.core.rules.record import Record
from engine.core.rules.system import Setup
from engine.space.terrain.contact import Base, overlaps
from protocol.ids import GroupId, MatchId
from protocol.scene.nodes import Reply
from server.content.systems import texts_of
from tests.support.play.checked_play import play_and_check
from tests.support.play.many_plays import SeededDice, check_agrees, outcomes
from tests.support.play.observed import Observed

from server.cli.skeleton.skeleton import system, table
from server.cli.skeleton.skeleton.bot import Steady
from server.cli.skeleton.skeleton.content import RADIUS
from server.cli.skeleton.skeleton.state import Battle

pytestmark = pytest.mark.slow


def observed(seed: int) -> Observed[Battle]:
    """Return a match that every viewer follows."""
    resolved = system.setup(system.content(texts_of(system)), Setup("meeting", ("red", "blue")))
    return Observed(system, MatchDice(seed.to_bytes(32, "big"), MatchId("m1")), resolved, 2)


def sound(state: Battle) -> None:
    """Check that no base overlaps another, or lies beyond the table."""
    bases = [Base(figure.id, figure.at, RADIUS) for figure in state.figures.values()]
    assert sorted(state.figures) == sorted(id for group in state.groups.values() for id in group.figures)
    assert not [one for n, one in enumerate(bases) for other in bases[:n] if overlaps(one, other)]
    assert all(table.board(state).ground.has_disc(base.at, RADIUS) for base in bases)


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_fold_rebuild_and_projection_agree(seed: int, clever: bool) -> None:
    bots: dict[Seat, Bot] = {Seat(0): Steady(seed) if clever else RandomBot(seed), Seat(1): RandomBot(seed + 1)}
    match = observed(seed)
    play_and_check(match, bots, 200, 7, sound)
    assert match.match.result is not None


def facing(state: Battle, group: GroupId, at: tuple[int, int]) -> Battle:
    """Return the table with a group in a line from a place on."""
    line = {id: (at[0] + 110 * place, at[1]) for place, id in enumerate(state.groups[group].figures)}
    return replace(state, figures={id: replace(one, at=line.get(id, one.at)) for id, one in state.figures.items()})


@pytest.mark.parametrize("target", ["in the open", "in cover"])
def test_a_shot_comes_to_what_is_forecast(target: str) -> None:
    first, second = Seat(0), GroupId("1.3")
    state = facing(observed(1).match.state, GroupId("0.1"), (700, 1100))
    state = facing(state, second, (700, 1800) if target == "in cover" else (1800, 2500))
    assert table.has_cover(state, state.groups[second]) is (target == "in cover")
    reply = Reply("shoot", {"group": ["group/0.1"], "target": ["group/1.3"]})
    probe = Probe(state, Record(seats=2, round=1), SeededDice(0))
    prompt = system.prompt(probe, first)
    assert prompt is not None
    choice = next(choice for choice in prompt.choices if choice.id == "shoot")
    intent = system.parse(state, first, reply)
    played = outcomes(system, state, first, intent, lambda after: 6 - len(after.groups[second].figures), 400)
    check_agrees(system.forecast(probe, first, choice, reply.fields), played)
