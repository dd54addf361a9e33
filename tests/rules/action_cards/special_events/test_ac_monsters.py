"""Neutral monsters: they come by a Special Event, hunt by themselves, are shot at, and fall."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.system import all_parts
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.scenario import conditions
from engine.rulesets.action_cards.rules.shooting.blast import Blast
from engine.rulesets.action_cards.rules.shooting.hunting import Hunt
from engine.rulesets.action_cards.rules.special_events import event_strikes
from engine.rulesets.action_cards.rules.special_events.monsters import next_place
from engine.rulesets.action_cards.rules.verbs import VERBS
from engine.rulesets.action_cards.state.event_facts import DangerMoved, EventStruck, MonsterHit
from engine.rulesets.action_cards.state.model import Condition, Effect, Point, Zone
from engine.rulesets.action_cards.state.state import Danger, Skirmish
from engine.rulesets.action_cards.view import scene
from protocol.ids import FigureId, GroupId, NodeId
from protocol.scene.fields import Pieces
from protocol.scene.nodes import Piece, Zone as ZoneNode
from tests.support.systems import motors, skirmish
from tests.support.systems.eventful import GROUPS, happen, table, with_open
from tests.support.systems.skirmish import Play, area, line_up

GROUP_0_1 = GroupId("0.1")
GROUP_0_9 = GroupId("0.9")

opened = pytest.mark.rule("AC-OPEN-01")
MARSH = Zone("marsh", "zone.marsh", ((2000, 1800), (2400, 1800), (2400, 2200), (2000, 2200)))
BEAST = Effect("monster", radius=200, dice=9, rows=5, speed=800, kill=20, wounds=2, base=100)


def beast(at: tuple[int, int], wounds: int = 2) -> Danger:
    return Danger("danger.1", "it", at, 200, 9, 6, 800, 20, wounds, 100)


def hunted(at: tuple[int, int] = (1500, 1500), wounds: int = 2, **changes: object) -> Skirmish:
    """Return a state in which seat 0 is on, and a beast stands near its group of 8 dice."""
    roles = (skirmish.role(Condition("c", "destroy", "c", "c", goal=1)), skirmish.role(), skirmish.role())
    state = table(Effect("lift"), row=("0.triple.1", "event.1"), roles=roles)
    return with_open(state, dangers=(beast(at, wounds),), danger_count=1, **changes)


def on_road(at: Point) -> Skirmish:
    """Return a table with a lorry at a place, and figures far off."""
    state = motors.table({"0.1": line_up(1, 6000, 4500), "1.1": line_up(1, 6000, 4000)})
    return motors.with_vehicle(state, GROUP_0_9, "lorry", at)


def refused(play: Play, intent: Hunt) -> str:
    with pytest.raises(IllegalIntent) as caught:
        play.do(0, intent)
    return caught.value.refusal.code


@opened
def test_it_comes_to_a_marked_area_and_hunts_the_nearest_figure_row_by_row() -> None:
    """In sorted order seat 0 is on in the next row; the beast ends where its base touches the nearest figure, and
    bites all of its group that it reaches."""
    groups = {**GROUPS, "1.1": line_up(3, 2200, 3400)}
    play = happen(table(BEAST, groups=groups, zones=(MARSH,), row=("0.single.1", "event.1")), *(1,) * 9)
    (moved,) = play.events(DangerMoved)
    assert moved.to == (2200, 2800)
    assert not play.events(EventStruck)
    play.do(play.match.may_act()[0], EndCard())
    while not play.events(EventStruck):
        play.do(play.match.may_act()[0], EndCard())
    assert play.state.dangers[0].at == (2200, 3250)
    (bite,) = play.events(EventStruck)
    assert (bite.volley.target, bite.volley.dice, bite.volley.kills) == ("1.1", 9, 0)


@opened
def test_who_flies_is_not_hunted() -> None:
    state = motors.table({"0.1": line_up(1, 500, 500), "1.1": line_up(1, 5000, 4000)})
    state = motors.with_vehicle(state, GROUP_0_9, "gull", (1000, 1000), airborne=True)
    place = next_place(with_open(state, dangers=()), beast((1100, 1000)))
    assert place[0] < 1000
    assert place[1] < 1000
    nobody = with_open(
        state, figures={"0.9/1": state.figures[FigureId("0.9/1")]}, groups={"0.9": state.groups[GROUP_0_9]}
    )
    assert next_place(nobody, beast((1100, 1000))) == (1100, 1000)


@opened
@pytest.mark.parametrize(
    ("start", "stops"),
    [((2000, 1000), (1300, 1000)), ((1000, 1700), (1000, 1200)), ((1000, 1050), (1000, 1050))],
    ids=["in front", "beside", "on it"],
)
def test_it_stops_where_its_base_touches_a_vehicle_and_bites_it(start: Point, stops: Point) -> None:
    """The lorry is 4 inches by 2 and looks to the right."""
    state = on_road((1000, 1000))
    come = beast(start)
    place = next_place(state, come)
    assert place == stops
    assert event_strikes.caught_in(state, replace(come, at=place), GROUP_0_9) == ("0.9/1",)


@opened
@pytest.mark.parametrize(("at", "caught"), [((1000, 1300), True), ((1000, 1301), False), ((1400, 1000), True)])
def test_a_vehicle_is_in_a_danger_that_touches_its_outline(at: Point, caught: bool) -> None:
    assert event_strikes.caught_in(on_road((1000, 1000)), beast(at), GROUP_0_9) == ("0.9/1",) * caught


@pytest.mark.rule("AC-OPEN-01", "AC-SHOOT-02")
def test_fire_wounds_it_and_the_last_wound_fells_it() -> None:
    """The group has 8 dice; 20 points are a wound, 40 are two; felling it counts as a figure removed."""
    play = Play(hunted(), *(3, 3, 3, 3, 3, 3, 3, 2), *(2,) * 7, 3, *(6,) * 8)
    play.do(0, Hunt(GROUP_0_1, "danger.1"))
    assert [hit.wounds for hit in play.events(MonsterHit)] == [1]
    assert (play.state.dangers[0].wounds, play.state.left, play.rolls) == (1, 2, [(0, "dice.shooting", 8)])
    assert not conditions.statuses(play.state, 0)[0].met
    play.do(0, Hunt(GROUP_0_1, "danger.1"))
    assert (play.state.dangers[0].wounds, play.state.left) == (1, 1)
    play.do(0, Hunt(GROUP_0_1, "danger.1"))
    assert play.events(MonsterHit)[-1].wounds == 1  # no more than it has
    assert not play.state.dangers
    assert conditions.statuses(play.state, 0)[0].met


@pytest.mark.rule("AC-OPEN-01", "AC-SHOOT-01", "AC-SHOOT-02")
def test_it_must_be_there_and_seen_and_the_group_free_to_fire() -> None:
    play = Play(hunted())
    assert refused(play, Hunt(GROUP_0_1, "danger.2")) == "hunt/no-such-monster"
    assert refused(play, Hunt(GroupId("1.1"), "danger.1")) == "group/not-yours"
    wall = area("crag", "crag", 0, 1200, 3000, 1300)
    content = skirmish.resolved(tuple(hunted().resolved.factions), features=(wall,))
    assert refused(Play(with_open(hunted(), resolved=content)), Hunt(GROUP_0_1, "danger.1")) == "shoot/no-line-of-sight"
    cloud = Danger("danger.1", "it", (1500, 1500), 200, 9, 6)
    assert refused(Play(with_open(hunted(), dangers=(cloud,))), Hunt(GROUP_0_1, "danger.1")) == "hunt/no-such-monster"


@pytest.mark.rule("AC-SETUP-02")
@opened
def test_a_blast_circle_touches_it_too() -> None:
    state = motors.table({"0.1": line_up(1, 500, 500), "1.1": line_up(1, 5000, 4000)})
    state = with_open(motors.with_crew(state, GROUP_0_9, (1000, 1000)), dangers=(beast((2000, 1000)),))
    play = Play(state, *(4,) * 6).do(0, Blast(GROUP_0_9, (2390, 1000)))
    assert [hit.wounds for hit in play.events(MonsterHit)] == [1]
    assert play.state.dangers[0].wounds == 1
    far = Play(state, *(4,) * 6).do(0, Blast(GROUP_0_9, (2410, 1000)))
    assert not far.events(MonsterHit)


@opened
def test_it_is_a_figure_on_the_table_that_can_be_picked() -> None:
    play = Play(hunted())
    nodes = {part.id: part.make() for part in all_parts(scene.public(play.state))}
    piece, circle = nodes[NodeId("piece/danger.1")], nodes[NodeId("zone/danger.1")]
    assert isinstance(piece, Piece)
    assert (piece.owner, piece.radius, piece.counters) == (-1, 100, {"wounds": 2})
    assert isinstance(circle, ZoneNode)
    assert circle.radius == 200
    choice = next(choice for choice in VERBS.choices(play.state, Seat(0)) if choice.id == "hunt")
    (hunters, _) = choice.fields
    assert isinstance(hunters, Pieces)
    assert [option.id for option in hunters.options] == ["group/0.1"]
    field = VERBS.detail_for(play.match.probe(Seat(0)), Seat(0), "hunt", {"group": ["group/0.1"]})
    assert isinstance(field, Pieces)
    assert [option.id for option in field.options] == ["piece/danger.1"]
    without = VERBS.choices(with_open(play.state, dangers=()), Seat(0))
    assert "hunt" not in {choice.id for choice in without}
