"""Caches of shots and due procedures: they give what is worked out without them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from inspect import unwrap

import pytest
from msgspec.structs import replace

from engine.core.bots.bot import Bot
from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent, RuleDisabled
from engine.core.view.projection import SceneChanges
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.bots.bot import Level1
from engine.rulesets.action_cards.rules import flow
from engine.rulesets.action_cards.rules.shooting import shooting
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.state.events import VolleyFired
from engine.rulesets.action_cards.state.state import Combat, Lasting, Ride, Skirmish, Wreck
from protocol.ids import GroupId, MatchId
from tests.support.systems import skirmish
from tests.support.systems.shipped import resolved_scenario
from tests.support.systems.skirmish import Play, line_up
from tools.rule_proof.switches import disabled

MATCH = MatchId("m")

pytestmark = pytest.mark.slow

FOG = Lasting("fog", 99, sight=1200)
SHOT = Shoot(GroupId("0.1"), GroupId("1.1"))
FACING = {"0.1": line_up(4, 1000, 1000), "1.1": line_up(3, 1000, 4000)}


def played(scenario: str, decisions: int) -> Iterator[tuple[Skirmish, list[Step[Skirmish]]]]:
    """Yield the state after each decision of a match of bots, with the steps that led to it."""
    resolved, seats = resolved_scenario(scenario)
    steps: list[Step[Skirmish]] = []

    def told(step: Step[Skirmish], _: SceneChanges | None) -> None:
        steps.append(step)

    play: SelfPlay[Skirmish] = SelfPlay(Match(system, MATCH, MatchDice(bytes(32), MATCH)), told)
    play.begin(Start(MATCH, seats, resolved))
    bots: dict[Seat, Bot] = {Seat(seat): (RandomBot, Level1)[seat % 2](seat) for seat in range(seats)}
    for _ in range(decisions):
        steps.clear()
        if not play.decide(bots):
            return
        yield play.match.state, steps


def unread(state: Skirmish) -> Skirmish:
    """Return the same table with empty caches."""
    return replace(state, resolved=replace(state.resolved))


def outcome(find: Callable[[], object]) -> object:
    """Return the result of a check, or its refusal."""
    try:
        return find()
    except IllegalIntent as illegal:
        return illegal.refusal


def shots_of(state: Skirmish) -> Iterator[Shoot]:
    for group in state.groups:
        for target in state.groups:
            yield Shoot(group, target)
        for combat in state.combats:
            yield Shoot(group, combat.groups[0], state.groups[combat.groups[-1]].owner)


@pytest.mark.parametrize("scenario", ["harrow_cross", "low_water", "marrow"])
def test_a_shot_is_laid_as_if_nothing_were_known(scenario: str) -> None:
    """Weather, cease-fires and combats come and go while all figures stay."""
    for number, (state, _) in enumerate(played(scenario, 30)):
        truce = Lasting("truce", 99, truce=tuple(range(len(state.seats) - 1)))
        fight = Combat("x", (next(iter(state.groups)), next(reversed(state.groups))), 1, 1, 0)
        changes: list[dict[str, object]] = [{}, {"lasting": (FOG,)}, {"lasting": (truce,)}, {"combats": (fight,)}]
        tables = [replace(state, **change) for change in changes]
        afresh = [unread(one) for one in tables]
        for place, shot in enumerate(shots_of(state)):
            if (place + number) % 7:
                continue
            seat = state.groups[shot.group].owner
            for one, other in zip((*tables, tables[0]), (*afresh, afresh[0]), strict=True):
                found = outcome(partial(shooting.check_shot, one, seat, shot))
                assert found == outcome(partial(unwrap(shooting.check_shot), other, seat, shot))


@pytest.mark.parametrize("scenario", ["harrow_cross", "low_water", "marrow"])
def test_what_is_due_is_due_as_if_nothing_were_known(scenario: str) -> None:
    """Seats change, and vehicles with passengers become wrecks, while all figures stay."""

    def said(due: flow.Unasked | None) -> object:
        return (due.func, due.keywords) if isinstance(due, partial) else due

    for state, _ in played(scenario, 40):
        fallen = tuple(replace(own, alive=not seat) for seat, own in enumerate(state.seats))
        group = next(iter(state.groups.values()))
        wrecked = {"w": Ride(group, (), wreck=Wreck((0, 0), False, -1))}
        for one in (state, replace(state, seats=fallen), replace(state, aboard=wrecked), state):
            assert said(flow.due(one)) == said(unwrap(flow.due)(unread(one)))


@pytest.mark.parametrize("scenario", ["harrow_cross", "low_water", "marrow"])
def test_a_shot_is_told_as_if_nothing_were_known(scenario: str) -> None:
    told = 0
    for _, steps in played(scenario, 160):
        for trace in (trace for step in steps for trace in step.trail if isinstance(trace.event, VolleyFired)):
            cues = tuple(system.cues(trace.event, trace.before, trace.after))
            assert cues == tuple(system.cues(trace.event, unread(trace.before), unread(trace.after)))
            told += 1
    assert told > 3


@pytest.mark.rule("AC-TERR-01")
def test_what_is_kept_does_not_outlive_a_rule() -> None:
    play = Play(skirmish.table(FACING), *(1,) * 16).do(0, SHOT)
    with disabled(["AC-TERR-01"]), pytest.raises(RuleDisabled):
        play.do(0, SHOT)
    play.do(0, SHOT)
    assert len(play.events(VolleyFired)) == 2
