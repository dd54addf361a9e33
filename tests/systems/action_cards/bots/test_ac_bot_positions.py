"""Levels 1 and 2 in positions with one right act."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.bots.bot import run_inline
from engine.rulesets.action_cards.bots.bot import Level1, Level2, Player
from engine.rulesets.action_cards.state.model import Condition, Feature, Zone
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.vectors.points import Point, squared
from protocol.ids import FigureId
from protocol.scene.nodes import Reply
from tests.support.play.outlook import Outlook
from tests.support.systems.skirmish import DALEKS, MILITIA, SPUG, SPUGS, UNIT, area, barrier, line_up, role, table

GATE = Zone("gate", "zone.gate", ((3000, 2000), (3600, 2000), (3600, 2600), (3000, 2600)))
REACH = Condition("gate", "reach", "condition.reach", "condition.reach", zone="gate", goal=2)


BOTH = pytest.mark.parametrize("level", [Level1, Level2])


def decided(level: type[Player], state: Skirmish) -> Reply:
    return run_inline(level(1).decide(Outlook(state)))


def place(reply: Reply) -> Point:
    to = reply.fields["to"]
    assert isinstance(to, list)
    return to[0], to[1]


def on_the_way(*features: Feature) -> Skirmish:
    """Return a state with a group that is wanted at the gate, and no target: a house stands between."""
    return table(
        {"0.1": line_up(4, 1500, 2300), "1.1": line_up(3, 6000, 2300)},
        [area("screen", "building", 4300, 0, 4700, 4800), *features],
        (UNIT, DALEKS),
        zones=(GATE,),
        roles=(role(REACH), role()),
    )


def test_it_makes_straight_for_what_it_came_for() -> None:
    state = on_the_way()
    reply = decided(Level2, state)
    lead = state.figures[FigureId("0.1/4")].at
    assert (reply.choice, reply.fields["lead"]) == ("move", ["piece/0.1/4"])
    assert place(reply) == (lead[0] + 800, lead[1])


def test_it_stops_where_terrain_stops_it() -> None:
    reply = decided(Level2, on_the_way(barrier("wall", "wall", (2400, 1000), (2400, 3600))))
    assert reply.choice == "move"
    assert 2400 < place(reply)[0] <= 2500


def test_it_goes_round_what_it_cannot_pass() -> None:
    """No place in reach is nearer: it steps aside, to where the way on is open."""
    reply = decided(Level1, on_the_way(area("crag", "crag", 1960, 2000, 2200, 2500)))
    assert reply.choice == "move"
    assert not 1950 < place(reply)[1] < 2550


@pytest.mark.parametrize(("x", "goes"), [(1500, True), (3300, False)])
def test_a_beginner_goes_for_the_enemy_and_stays_on_ground_that_is_wanted(x: int, goes: bool) -> None:
    """The enemy is to the north-east, out of sight; the gate lies straight ahead."""
    groups = {"0.1": line_up(4, x, 2300), "1.1": line_up(3, 6000, 4000)}
    house = area("screen", "building", 4300, 0, 4700, 4800)
    state = table(groups, [house], (UNIT, DALEKS), zones=(GATE,), roles=(role(REACH), role()))
    reply = decided(Level1, state)
    assert (reply.choice == "move" and place(reply)[1] > 2400) is goes


@BOTH
def test_it_shoots_at_whoever_is_easiest_to_hit(level: type[Player]) -> None:
    groups = {"0.1": line_up(8, 3000, 2000), "1.1": line_up(3, 3000, 3000), "2.1": line_up(10, 3000, 1000)}
    reply = decided(level, table(groups, (), (MILITIA, DALEKS, MILITIA), ("0.single.1",)))
    assert (reply.choice, reply.fields.get("target")) == ("shoot", ["group/2.1"])


@BOTH
@pytest.mark.parametrize(("squads", "charges"), [(5, True), (1, False)])
def test_it_charges_at_clear_odds_only(level: type[Player], squads: int, charges: bool) -> None:
    """Its enemies fight well and can hardly be shot among trees; the fewer they began with, the dearer each is."""
    blades = replace(SPUGS, profiles=(replace(SPUG, close=4),), force=(("spug",) * 4,) * squads)
    groups = {"0.1": line_up(6, 2700, 2000), "1.1": line_up(3, 2700, 2500)}
    state = table(groups, [area("trees", "trees", 2500, 2420, 3500, 3000)], (blades, MILITIA))
    reply = decided(level, state)
    enemies = [figure.at for figure in state.figures.values() if figure.owner == 1]
    met = reply.choice == "move" and min(squared(place(reply), at) for at in enemies) <= 105**2
    assert met is charges
