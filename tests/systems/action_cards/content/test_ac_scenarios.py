"""Scenarios: each can be set up for every number of players, and bots play it to its end."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.system import ScenarioInfo, Setup
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.bots.bot import Level1
from engine.rulesets.action_cards.content import content
from engine.rulesets.action_cards.rules.scenario import setup
from engine.rulesets.action_cards.state.model import Resolved
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import MatchId
from tests.support.systems.shipped import held_for_lessons, resolved_scenario, shipped_content

MATCH = MatchId("m")

pytestmark = pytest.mark.slow

READ = shipped_content()
INFOS = {info.id: info for info in content.scenarios(READ)}
WHOLE = [id for id, info in INFOS.items() if not info.form_of and id not in held_for_lessons()]
FACTIONS = list(READ.factions)


def played(info: ScenarioInfo, seed: int) -> SelfPlay[Skirmish]:
    """Play a match of bots to its end, with factions that rotate by the seed."""
    resolved, seats = resolved_scenario(info.id, seed)
    play: SelfPlay[Skirmish] = SelfPlay(Match(system, MATCH, MatchDice(seed.to_bytes(32, "big"), MATCH)))
    play.begin(Start(MATCH, seats, resolved))
    play.play({Seat(seat): Level1(seed + seat) for seat in range(seats)}, 4_000)
    state = play.match.state
    assert state.ending is not None, info.id
    scenario = state.resolved.scenario
    assert setup.passability(scenario, state.resolved.terrain).shut_out() == [], info.id
    return play


def test_there_are_scenarios_for_four_five_and_six_and_all_for_two_and_three() -> None:
    seats = Counter(INFOS[id].seats for id in WHOLE)
    assert len(WHOLE) >= 8
    assert set(seats) == {4, 5, 6}
    assert min(seats.values()) >= 2
    for id in WHOLE:
        assert {info.seats for info in INFOS.values() if info.form_of == id and not info.sides} == set(
            range(2, INFOS[id].seats)
        )


@pytest.mark.parametrize("id", WHOLE)
def test_bots_play_a_scenario_to_its_end(id: str) -> None:
    assert played(INFOS[id], WHOLE.index(id)).intents > 20


@pytest.mark.parametrize("id", held_for_lessons())
def test_the_scenario_of_a_lesson_is_for_two_and_over_soon(id: str) -> None:
    assert INFOS[id].seats == 2
    assert all(5 < played(INFOS[id], seed).intents < 60 for seed in range(3))


@pytest.mark.parametrize("seats", [2, 3])
def test_bots_play_a_small_form_to_its_end(seats: int) -> None:
    for number, id in enumerate(WHOLE[::3]):
        played(INFOS[f"{id}:{seats}"], 7 * number + seats)


@pytest.mark.parametrize("id", [*WHOLE, *held_for_lessons()])
def test_every_faction_finds_room_in_every_start_zone(id: str) -> None:
    """Roles are rotated, so that each faction stands in each zone once."""
    count = INFOS[id].seats
    for first in range(len(FACTIONS)):
        factions = tuple(FACTIONS[(first + seat) % len(FACTIONS)] for seat in range(count))
        packed = content.setup(READ, Setup(id, factions))
        setup.start(msgspec.msgpack.decode(packed, type=Resolved), count)


@pytest.mark.parametrize("id", WHOLE)
def test_conditions_overlap_and_each_scenario_has_a_mix_of_events(id: str) -> None:
    entry = READ.scenarios[id]
    assert len(entry.events) >= 6
    assert sum(role.secrets for role in entry.role) <= len(entry.secret)
    wanted = Counter(c.feature or c.zone or c.special for role in entry.role for c in (*role.condition, *entry.secret))
    assert any(count > 1 for thing, count in wanted.items() if thing)
    for role in entry.role:
        assert sum(c.points for c in role.condition) >= role.win


@pytest.mark.parametrize("id", WHOLE)
def test_roles_of_a_scenario_can_have_about_as_many_points(id: str) -> None:
    """Scores of seats stay comparable; a role that measured weak has one or two conditions more."""
    entry = READ.scenarios[id]
    secret = max(condition.points for condition in entry.secret)
    most = [sum(c.points for c in role.condition) + secret * role.secrets for role in entry.role]
    assert max(most) - min(most) <= 2


@pytest.mark.long("properties")
@pytest.mark.parametrize("id", INFOS)
def test_bots_play_every_form_to_its_end_with_all_factions(id: str) -> None:
    for seed in range(len(FACTIONS)):
        played(INFOS[id], seed)
