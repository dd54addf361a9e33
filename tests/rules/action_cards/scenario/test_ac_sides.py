"""Scenarios in sides: allies are friends on the table, see each other's secrets and win together."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.system import Setup
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.rules.board import combats
from engine.rulesets.action_cards.rules.close_combat.aftermath import aftermath
from engine.rulesets.action_cards.rules.close_combat.resolution import foes_of
from engine.rulesets.action_cards.rules.scenario import conditions, ending
from engine.rulesets.action_cards.rules.shooting import shooting
from engine.rulesets.action_cards.state.combat_events import CombatEnded
from engine.rulesets.action_cards.state.state import Combat, Skirmish
from engine.rulesets.action_cards.view import knowledge, scene
from protocol.ids import GroupId
from server.cli.simulation.simulate import installed, play
from server.content.systems import Installed
from tests.support.systems import skirmish
from tests.support.systems.battle import refusal
from tests.support.systems.melee import run
from tests.support.systems.skirmish import FACTIONS, line_up

PAIRS = (0, 1, 0, 1)
OWN, ALLY, FOE = GroupId("0.1"), GroupId("2.1"), GroupId("1.1")


def in_pairs(groups: dict[str, Any], **changes: Any) -> Skirmish:
    state = skirmish.table(groups, factions=FACTIONS, **changes)
    resolved = state.resolved
    return replace(state, resolved=replace(resolved, scenario=replace(resolved.scenario, sides=PAIRS)))


@pytest.fixture(scope="module")
def cards() -> Installed:
    return installed("action_cards")


@pytest.mark.rule("AC-SHOOT-01")
def test_nobody_shoots_at_an_ally() -> None:
    state = in_pairs({OWN: line_up(4, 500, 500), ALLY: line_up(4, 500, 1500), FOE: line_up(4, 500, 2500)})
    assert refusal(shooting.check_aim, state, 0, OWN, ALLY) == "shoot/own-group"
    assert state.hostile(0, 1)
    assert not state.hostile(1, 3)


@pytest.mark.rule("AC-HTH-01")
def test_allies_are_not_in_contact() -> None:
    state = in_pairs({OWN: [(500, 500)], ALLY: [(600, 500)], FOE: [(400, 500)]})
    assert combats.touching_enemies(state, OWN) == (FOE,)


def test_a_side_has_its_secrets_and_its_points_together(cards: Installed) -> None:
    """Both reeves and millers need 3 points of their own: together 6."""
    resolved = system.setup(cards.content, Setup("dyke_end:sides", ("",) * 4))
    state = system.start(resolved, 4)
    assert system.sides(state) == PAIRS
    assert cards.scenarios["dyke_end:sides"].sides == PAIRS
    assert cards.scenarios["dyke_end"].sides == cards.scenarios["dyke_end:3"].sides == ()
    secrets = [one.id for one in state.resolved.scenario.secrets][:4]
    seats = tuple(replace(own, secrets=(secrets[n],)) for n, own in enumerate(state.seats))
    state = replace(state, seats=seats)
    shown = {part.id for part in scene.private(state, Seat(0))}
    assert shown == {part.id for part in scene.private(state, Seat(2))}
    assert not shown & {part.id for part in scene.private(state, Seat(1))}
    assert knowledge.known(state, Seat(2)).seats[0].secrets == state.seats[0].secrets
    assert knowledge.known(state, Seat(2)).seats[1].secrets == ()
    result = ending.final(state)
    for side in result.sides:
        own = [seat for seat in result.seats if PAIRS[seat.seat] == side.side]
        assert side.score == sum(seat.score for seat in own)
        assert [seat.won for seat in own] == [side.won] * 2
        assert side.won is (side.score >= 6)


@pytest.mark.rule("AC-SCEN-01")
def test_what_only_allies_hold_is_held() -> None:
    state = in_pairs({OWN: line_up(4, 500, 500)})
    assert conditions.wins(state, 0) is conditions.wins(state, 2)


@pytest.mark.rule("AC-HTH-04")
def test_dice_go_against_enemies_alone() -> None:
    other = GroupId("3.1")
    state = in_pairs({OWN: [(500, 500)], ALLY: [(600, 500)], FOE: [(400, 500)], other: [(500, 600)]})
    combat = Combat("combat.0", (OWN, ALLY, FOE, other), 0, 1, 0)
    assert foes_of(state, combat, 0) == [1, 3]
    assert not combats.is_over(state, combat)
    assert combats.is_over(state, replace(combat, groups=(OWN, ALLY)))


@pytest.mark.rule("AC-HTH-05")
def test_allies_who_are_left_do_not_part() -> None:
    state = in_pairs({OWN: [(500, 500)], ALLY: [(600, 500)]})
    state = replace(state, combats=(Combat("combat.0", (OWN, ALLY), 0, 1, 0),))
    ran = run(state, aftermath, "combat.0")
    assert [event.why for event in ran.of(CombatEnded)] == ["won"]
    assert ran.state.figures == state.figures


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["random", pytest.param("level2", marks=pytest.mark.long("properties"))])
def test_matches_in_sides_come_to_an_end_that_allies_share(cards: Installed, kind: str) -> None:
    info = cards.scenarios["dyke_end:sides"]
    outcome = play(cards, info, (kind,) * 4, 5, 0)
    assert outcome.finished
    assert {seat ^ 2 for seat in outcome.winners} == set(outcome.winners)
