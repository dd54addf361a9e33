"""Edges of close combat: both sides of each condition (AC-HTH)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine.rulesets.action_cards.rules.close_combat import aftermath, regrouping, resolution
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.state.combat_events import CombatEnded, GroundTaken, TargetsNamed
from engine.rulesets.action_cards.state.events import FiguresRemoved
from engine.rulesets.action_cards.state.model import Organisation
from engine.rulesets.action_cards.state.state import Combat, Lasting, Skirmish
from protocol.ids import FigureId, GroupId
from tests.support.systems import motors
from tests.support.systems.melee import barrier, block, charge, faction, field_of, only_combat, run
from tests.support.systems.skirmish import Play, line_up

A_1 = FigureId("a.1")

A = GroupId("a")
B = GroupId("b")


def line(x: int, count: int) -> list[tuple[int, int]]:
    """Return figures above each other."""
    return [(x, 1000 + 110 * place) for place in range(count)]


@pytest.mark.rule("AC-HTH-04")
def test_nobody_is_asked_where_each_has_one_left_to_name() -> None:
    """Each of four factions in one combat is at peace with two of the others."""
    state = field_of({id: (seat, line(1000 + 101 * seat, 1)) for seat, id in enumerate("abcd")})
    combat = Combat("combat.0", (A, B, GroupId("c"), GroupId("d")), 0, 1, 0)
    flags = tuple(Lasting("flag", 9, truce=pair) for pair in ((0, 2), (0, 3), (1, 2), (1, 3)))
    ran = run(replace(state, combats=(combat,), lasting=flags), resolution.fight, "combat.0", dice=(1,) * 4)
    assert ran.questions == []
    assert [named.targets for named in ran.of(TargetsNamed)] == [{0: 1, 1: 0, 2: 3, 3: 2}]


@pytest.mark.rule("AC-HTH-04")
@pytest.mark.parametrize(("groups", "why"), [((), "nobody"), ((A,), "won")])
def test_a_combat_in_which_nobody_or_one_faction_is_left_is_not_fought(groups: tuple[GroupId, ...], why: str) -> None:
    state = field_of({"a": (0, line(1000, 1)), "b": (1, line(3000, 1))})
    combat = Combat("combat.0", groups, 0, 1, 0)
    ran = run(replace(state, combats=(combat,)), resolution.resolve, (combat,))
    assert ran.events == [CombatEnded("combat.0", why)]


@pytest.mark.rule("AC-HTH-04")
@pytest.mark.parametrize(("gone", "kills"), [((), 1), (("h",), 2)])
def test_a_house_that_came_down_in_the_combat_shelters_nobody(gone: tuple[str, ...], kills: int) -> None:
    house = block("h", "building", 1880, 500, 2200, 1500)
    state = charge(field_of({"a": (0, line(1000, 2)), "b": (1, line(1960, 3))}, house), A, A_1, (1850, 1000))
    ran = run(replace(state, gone=gone), resolution.fight, "combat.0", dice=(6, 6, 1, 1, 1))
    assert ran.state.seats[0].removed == {1: kills}


def won(*inside: str, gone: bool = False) -> Skirmish:
    """Return a state in which seat 0 has charged a house with two groups, and its defender is gone; `inside` groups are
    in it already."""
    house = block("h", "building", 2000, 500, 2600, 1500)
    groups = {"a": (0, [(1400, 1000)]), "c": (0, [(1400, 1300)]), "b": (1, [(2055, 1000)])}
    state = charge(field_of(groups, house), A, A_1, (1948, 1000))
    combat = replace(only_combat(state), groups=("b", "a", "c"), charged=("a", "c"))
    state = FiguresRemoved(-1, (FigureId("b.1"),)).apply(replace(state, combats=(combat,)))
    middle = {"a": (2300, 800), "c": (2300, 1200)}
    figures = {f"{id}.1": replace(state.figures[FigureId(f"{id}.1")], at=middle[id]) for id in inside}
    return replace(state, figures={**state.figures, **figures}, gone=("h",) if gone else ())


def taken(state: Skirmish) -> tuple[list[list[str]], list[str]]:
    """Return the groups offered to take the ground, and those that took it."""
    far = {id: replace(group, kind="") for id, group in state.groups.items()}
    ran = run(replace(state, groups=far), aftermath.take_ground, "combat.0", 0)
    offered = [
        [option.id for field in ask.choices[0].fields for option in getattr(field, "options", ())]
        for question in ran.questions
        for ask in question.asks.values()
    ]
    return offered, [event.group for event in ran.of(GroundTaken)]


@pytest.mark.rule("AC-HTH-05")
@pytest.mark.parametrize(
    ("inside", "gone", "offered", "took"),
    [
        ((), False, [["group/a", "group/c"]], ["a"]),
        (("a",), False, [["group/c"]], ["c"]),
        (("a", "c"), False, [], []),
        ((), True, [], []),
    ],
)
def test_ground_is_offered_to_those_who_are_not_on_it_yet(
    inside: tuple[str, ...], gone: bool, offered: list[list[str]], took: list[str]
) -> None:
    assert taken(won(*inside, gone=gone)) == (offered, took)


@pytest.mark.rule("AC-HTH-05")
def test_combats_of_several_factions_go_on_when_some_fall() -> None:
    state = field_of({"a": (0, line(1000, 1)), "b": (1, line(1101, 1)), "c": (2, line(1202, 1))})
    state = replace(state, combats=(Combat("combat.0", (A, B, GroupId("c")), 0, 1, 0),))
    two = FiguresRemoved(-1, (A_1,)).apply(state)
    assert run(two, resolution.after_losses).of(CombatEnded) == []
    one = FiguresRemoved(-1, (FigureId("b.1"),)).apply(two)
    assert [ended.why for ended in run(one, resolution.after_losses).of(CombatEnded)] == ["won"]


@pytest.mark.rule("AC-HTH-05")
def test_survivors_of_two_organisations_fill_groups_apart() -> None:
    """Two pairs of the usual kind make one group of four; a pair of riders stays its own, though three may ride."""
    own = replace(faction(0), organisations=(Organisation("riders", "organisation.riders", 3, 1200),))
    groups = {"a": (0, line(1000, 2)), "b": (0, line(1300, 2)), "r": (0, line(1600, 2)), "e": (1, line(1900, 1))}
    state = field_of(groups, factions=(own, faction(1)))
    riders = replace(state.groups[GroupId("r")], kind="riders")
    state = replace(state, groups={**state.groups, "r": riders})
    combat = Combat("combat.0", (GroupId("e"), A, B, GroupId("r")), 0, 1, 0)
    assert regrouping.fewest_groups(state, combat, 0) == {
        "a": ("a.1", "a.2", "b.1", "b.2"),
        "r": ("r.1", "r.2"),
    }


@pytest.mark.rule("AC-HTH-01")
@pytest.mark.parametrize(("airborne", "locked"), [(True, False), (False, True)])
def test_only_a_vehicle_on_the_ground_is_touched(airborne: bool, locked: bool) -> None:
    state = motors.table({"1.1": ((1000, 1400),), "0.2": line_up(1, 6000, 4000)}, cards=("1.single.1", "0.single.1"))
    state = motors.with_vehicle(state, GroupId("0.1"), "gull", (1000, 2000), 0, airborne=airborne)
    play = Play(state).do(1, Move(GroupId("1.1"), FigureId("1.1/1"), (1000, 1850)))
    assert bool(play.state.combats) is locked


@pytest.mark.rule("AC-HTH-01")
def test_a_charge_at_a_free_group_begins_a_combat_of_its_own() -> None:
    """The charge does not touch the combat that is open beside it."""
    groups = {"a": (0, line(1000, 1)), "b": (1, line(1900, 1)), "c": (2, line(3000, 1)), "d": (3, line(3900, 1))}
    state = charge(field_of(groups, barrier("w", "wall", (100, 100), (200, 100))), A, A_1, (1800, 1000))
    state = charge(state, GroupId("c"), FigureId("c.1"), (3800, 1000))
    assert [combat.groups for combat in state.combats] == [("b", "a"), ("d", "c")]
