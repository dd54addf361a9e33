"""Edges of Special Events, dangers and blasts: both sides of each condition (AC-OPEN-01)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.rules.events import OrderMade
from engine.rulesets.action_cards.rules.board import table as lookup, weather
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.shooting import blast, place_sight
from engine.rulesets.action_cards.rules.shooting.blast import Blast
from engine.rulesets.action_cards.rules.shooting.hunting import Hunt
from engine.rulesets.action_cards.rules.special_events import event_choices, event_play, event_strikes
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.event_facts import (
    DangerMoved,
    EventOver,
    EventStruck,
    FiguresJoined,
    RowReordered,
)
from engine.rulesets.action_cards.state.events import GroupStunned
from engine.rulesets.action_cards.state.model import Effect, Feature
from engine.rulesets.action_cards.state.state import Danger, Lasting, Skirmish
from engine.space.terrain.contact import TOUCH, gap, overlaps
from engine.space.vectors.outlines import contains
from protocol.ids import FigureId, GroupId
from tests.support.systems import melee, motors
from tests.support.systems.eventful import GROUPS, happen, table, with_open
from tests.support.systems.motors import refusal, with_crew, with_vehicle
from tests.support.systems.skirmish import Play, area, barrier, line_up

GROUP_0_5 = GroupId("0.5")

pytestmark = pytest.mark.rule("AC-OPEN-01")
ONE, TWO = (area(id, "building", x, 2000, x + 400, 2400) for id, x in (("one", 1000), ("two", 3000)))


def idle(state: Skirmish) -> bool:
    """Tell whether the event did nothing, and left no question open."""
    play = happen(state)
    assert play.asked is None
    return [over.idle for over in play.events(EventOver)] == [True]


# Whom it is about


def test_a_faction_by_lot_is_one_of_those_on_the_table() -> None:
    play = happen(table(Effect("skip", who="chance")))
    assert [made.purpose for made in play.events(OrderMade)] == ["order.event"]
    assert "0.single.2" in [card.id for card in play.state.row if card.state == "passed"]
    nobody = with_open(table(Effect("lift")), groups={}, figures={})
    assert melee.run(nobody, event_play.again, Effect("again", who="chance")).events == []


@pytest.mark.parametrize(
    "effect",
    [
        Effect("again", who="next"),  # nothing of it is in the discards
        Effect("strike", terrain=("river",), dice=2),
        Effect("collapse", dice=2),
        Effect("clear", terrain=("wall",)),
    ],
    ids=lambda effect: effect.kind,
)
def test_what_it_finds_nothing_for_it_does_not_do(effect: Effect) -> None:
    assert idle(table(effect))


def test_the_next_faction_is_one_with_figures() -> None:
    groups = {"0.1": line_up(2, 300, 1000), "2.1": line_up(2, 3000, 1000)}
    state = table(Effect("skip", who="next"), groups=groups, row=("0.single.1", "event.1", "1.double.1", "2.double.1"))
    assert event_choices.meant(with_open(state, current=1), "next") == (2,)


def test_a_faction_without_a_card_to_come_loses_none() -> None:
    """Seat 1 leads: all its figures are left."""
    assert idle(table(Effect("skip", who="leader"), row=("0.single.1", "event.1", "2.double.1")))


@pytest.mark.parametrize(("row", "shuffled"), [(("1.double.1", "2.single.1"), 1), (("1.double.1",), 0)])
def test_one_card_to_come_is_not_shuffled(row: tuple[str, ...], shuffled: int) -> None:
    play = happen(table(Effect("reorder"), row=("0.single.1", "event.1", *row)))
    assert (len(play.events(RowReordered)), len(play.events(OrderMade))) == (shuffled, shuffled)


def test_no_discards_are_not_put_back() -> None:
    assert melee.run(with_open(table(Effect("lift")), discard=()), event_play.refill, Effect("refill")).events == []


def test_a_building_by_lot_is_chosen_by_nobody() -> None:
    play = happen(table(Effect("collapse", dice=2), features=(ONE, TWO)))
    assert (play.asked, play.state.ruined) == (None, ("one",))


def test_what_came_down_before_does_not_come_down_again() -> None:
    state = table(Effect("collapse", dice=2), features=(ONE, TWO))
    assert happen(with_open(state, gone=("one",))).state.ruined == ("two",)
    walls = [barrier(id, "wall", (0, y), (900, y)) for id, y in (("low", 2500), ("high", 3000))]
    fallen = table(Effect("clear", terrain=("wall",)), features=walls)
    assert happen(with_open(fallen, gone=("low",))).state.gone == ("low", "high")


def test_only_what_it_names_is_cleared() -> None:
    features: list[Feature] = [ONE, barrier("wall", "wall", (0, 3000), (900, 3000))]
    assert happen(table(Effect("clear", terrain=("wall",)), features=features)).state.gone == ("wall",)


def test_by_default_that_building_falls_that_hurts_others_most() -> None:
    """The first house holds two own figures and three others, the second two others."""
    groups = {
        "0.1": line_up(2, 300, 1000),
        "1.1": ((1050, 2100), (1150, 2100)),
        "2.1": ((1050, 2300), (1150, 2300), (1250, 2300)),
        "2.2": ((3050, 2100), (3150, 2100)),
    }
    play = happen(table(Effect("collapse", by="next", dice=1), features=(ONE, TWO), groups=groups), 1)
    assert play.asked == ("event", (1,))
    play.expire()
    assert play.state.ruined == ("two",)


# What holds for a while


def test_of_several_limits_to_sight_the_shortest_holds_and_no_limit_is_none() -> None:
    state = table(Effect("lift"))
    mud = Lasting("mud", 9, move=50)
    fogs = tuple(Lasting(f"fog{sight}", 9, sight=sight) for sight in (1200, 800))
    assert weather.sight_limit(state) == 0
    assert weather.sight_limit(with_open(state, lasting=(mud,))) == 0
    assert weather.sight_limit(with_open(state, lasting=(mud, *fogs))) == 800


def test_a_cease_fire_binds_both_who_took_it_and_nobody_else() -> None:
    state = with_open(table(Effect("lift")), lasting=(Lasting("flag", 9, truce=(0, 1)),))
    pairs = [(one, other) for one in range(3) for other in range(3) if one != other]
    assert [pair for pair in pairs if weather.in_truce(state, *pair)] == [(0, 1), (1, 0)]


# What hurts


def test_a_strike_that_kills_all_stuns_nobody() -> None:
    state = table(Effect("strike", who="next", dice=8, stuns=True), groups={**GROUPS, "1.2": line_up(1, 3000, 500)})
    groups = {**state.groups}
    play = happen(
        with_open(
            state, groups={id: groups[id] for id in (GroupId("0.1"), GroupId("1.2"), GroupId("1.1"), GroupId("2.1"))}
        ),
        *(6,) * 8,
    )
    play.expire()
    assert "1.2" not in play.state.groups
    assert play.events(GroupStunned) == []


@pytest.mark.parametrize("kind", ["strike", "rout"])
@pytest.mark.parametrize("stuns", [True, False])
def test_only_what_stuns_stuns(kind: str, stuns: bool) -> None:
    play = happen(table(Effect(kind, who="next", dice=1, stuns=stuns)), *([1] if kind == "strike" else []))
    assert [event.group for event in play.events(GroupStunned)] == (["1.1"] if stuns else [])


def test_without_a_marked_area_a_danger_comes_to_the_middle() -> None:
    play = happen(table(Effect("danger", radius=100, dice=1)))
    assert [danger.at for danger in play.state.dangers] == [(3600, 2400)]


def test_who_fell_in_one_danger_is_not_hurt_by_the_next() -> None:
    mines = tuple(Danger(f"danger.{n}", "it", (700, 1600), 300, 8, 99) for n in (1, 2))
    play = Play(with_open(table(Effect("lift")), dangers=mines), *(6,) * 8)
    play.do(0, Move(GroupId("0.1"), FigureId("0.1/4"), (700, 1600)))
    assert "0.1" not in play.state.groups
    assert len(play.events(EventStruck)) == 1


def test_what_does_not_move_is_not_told_to_move_and_monsters_hunt_nobody_in_the_air() -> None:
    mine = Danger("danger.1", "it", (3600, 2400), 100, 1, 9)
    beast = replace(mine, speed=800, kill=20, wounds=2, base=100)
    state = motors.table({"1.1": line_up(1, 5000, 4000)})
    still = melee.run(with_open(state, dangers=(mine,)), event_strikes.row_ends)
    assert still.of(DangerMoved) == []
    up = with_vehicle(state, GroupId("0.9"), "gull", (1000, 1000), airborne=True)
    alone = with_open(up, figures={"0.9/1": up.figures[FigureId("0.9/1")]}, groups={"0.9": up.groups[GroupId("0.9")]})
    assert melee.run(with_open(alone, dangers=(beast,)), event_strikes.row_ends).events == []


# Who comes


def refit(most: int, *enemies: tuple[int, int]) -> Play:
    """Play a refit of seat 1, which lacks two of three Daleks; the last stands at (2700, 3000), with enemies at these
    places."""
    groups: dict[str, Any] = {"0.1": GROUPS["0.1"], "1.1": ((2700, 3000),), "2.1": enemies or GROUPS["2.1"]}
    return happen(table(Effect("refit", who="next", most=most), groups=groups))


@pytest.mark.parametrize(("most", "came"), [(1, 1), (2, 2), (0, 2), (5, 2)])
def test_so_many_are_replaced_at_most(most: int, came: int) -> None:
    assert [len(event.figures) for event in refit(most).events(FiguresJoined)] == [came]


def test_nobody_joins_where_there_is_no_room() -> None:
    hut = area("hut", "building", 2650, 2950, 2750, 3050)
    groups = {"0.1": GROUPS["0.1"], "1.1": ((2700, 3000),), "2.1": GROUPS["2.1"]}
    assert happen(table(Effect("refit", who="next"), groups=groups, features=[hut])).events(FiguresJoined) == []


def test_who_joins_stands_as_near_to_the_first_figure_as_may_be() -> None:
    """Nobody else is near: both that come stand base to base with it."""
    lead, *new = lookup.board(refit(0).state).bases(GroupId("1.1"))
    assert [gap(lead, one) for one in new] == [0, 0]


def test_who_joins_overlaps_nobody() -> None:
    """Friends and one of the group itself stand on all four places nearest to its first figure."""
    beside = {"1.1": ((2700, 3000), (2800, 3000)), "1.2": ((2700, 3100), (2600, 3000), (2700, 2900))}
    play = happen(table(Effect("refit", who="next"), groups={**GROUPS, **beside}))
    [joined] = play.events(FiguresJoined)
    [new] = [lookup.base(play.state, figure.id) for figure in joined.figures]
    others = [base for id in play.state.groups for base in lookup.board(play.state).bases(id) if base.id != new.id]
    assert not any(overlaps(new, other) for other in others)


@pytest.mark.parametrize("away", [150, 200])
def test_who_joins_touches_no_enemy(away: int) -> None:
    """Enemies stand half an inch or an inch off on four sides: room is left between them."""
    play = refit(0, (2700 + away, 3000), (2700 - away, 3000), (2700, 3000 + away), (2700, 3000 - away))
    enemies = lookup.board(play.state).bases(GroupId("2.1"))
    new = [base for base in lookup.board(play.state).bases(GroupId("1.1")) if base.id != "1.1/1"]
    assert new
    assert all(gap(one, enemy) > TOUCH for one in new for enemy in enemies)


# Blasts, and fire at monsters


def battery(*features: Feature, kind: str = "mortar", **groups: tuple[tuple[int, int], ...]) -> Skirmish:
    """Return a crewed weapon at (1000, 2000)."""
    places = {"3.1": line_up(4, 6000, 4500), **{f"{id[1]}.{id[2]}": at for id, at in groups.items()}}
    return with_crew(motors.table(places, features), GROUP_0_5, (1000, 2000), 3 if kind == "mortar" else 1, kind)


BEAST = Danger("danger.1", "it", (2000, 2000), 200, 9, 6, 800, 20, 2, 100)


@pytest.mark.parametrize("intent", [Blast(GROUP_0_5, (3000, 2000)), Hunt(GROUP_0_5, "danger.1")])
def test_a_blast_and_a_shot_at_a_monster_take_an_action(intent: Blast | Hunt) -> None:
    """A free move does not pay for them."""
    state = battery(kind="rifle" if isinstance(intent, Hunt) else "mortar")
    state = with_open(state, dangers=(BEAST,), left=0, free_moves={"0.5": 1})
    assert refusal(Play(state), 0, intent) == "card/no-actions-left"


def test_guns_for_places_do_not_shoot_at_monsters() -> None:
    assert refusal(Play(with_open(battery(), dangers=(BEAST,))), 0, Hunt(GROUP_0_5, "danger.1")) == "shoot/no-dice"


def test_a_cease_fire_does_not_keep_anybody_from_ones_own() -> None:
    state = battery(g01=line_up(2, 2950, 2000))
    state = with_open(state, lasting=(Lasting("flag", 9, truce=(0, 1)),))
    assert refusal(Play(state, *(1,) * 6), 0, Blast(GROUP_0_5, (3000, 2000))) == ""


def test_in_fog_nobody_sees_what_is_far_from_all() -> None:
    state = with_open(battery(), lasting=(Lasting("fog", 9, sight=100),))
    assert refusal(Play(state), 0, Blast(GROUP_0_5, (3000, 2000))) == "blast/no-line-of-sight"


@pytest.mark.parametrize(("airborne", "seen"), [(True, True), (False, False)])
def test_nothing_hides_a_place_from_above(airborne: bool, seen: bool) -> None:
    house = area("house", "building", 1500, 1500, 2000, 2500)
    state = with_vehicle(
        motors.table({"1.1": line_up(1, 6000, 4500)}, [house]),
        GroupId("0.9"),
        "gull",
        (1000, 2000),
        0,
        airborne=airborne,
    )
    assert place_sight.sees(state, GroupId("0.9"), (3000, 2000)) is seen
    node = names.group_node(GroupId("0.9"))
    assert contains((3000, 2000), place_sight.seen_from(state, node, *place_sight.lookouts(state, node))) is seen


@pytest.mark.rule("AC-SETUP-02")
def test_the_middle_of_a_large_hull_is_under_the_circle_too() -> None:
    car = motors.CAR.vehicle
    assert car is not None
    large = replace(motors.CAR, vehicle=replace(car, length=1000, width=1000))
    own = replace(motors.MOTORS, profiles=tuple(large if p.id == "car" else p for p in motors.MOTORS.profiles))
    state = battery()
    state = replace(state, resolved=replace(state.resolved, factions=(own, *state.resolved.factions[1:])))
    state = with_vehicle(state, GroupId("0.7"), "car", (3000, 2000))
    assert blast.figures_under(state, GroupId("0.7"), (3000, 2000)) == ("0.7/1",)
    assert blast.figures_under(state, GroupId("0.7"), (3900, 2000)) == ()
