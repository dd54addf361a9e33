"""AC-HTH-02 and AC-HTH-03: resolution of combats, groups that join, and fire into a combat."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec
import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.dice import Roll
from engine.core.rules.errors import IllegalIntent
from engine.rulesets.action_cards.rules.board import combats
from engine.rulesets.action_cards.rules.close_combat import damage, resolution
from engine.rulesets.action_cards.rules.shooting import shooting
from engine.rulesets.action_cards.state.combat_events import (
    CombatEnded,
    CombatFought,
    CombatJoined,
    CombatsMerged,
    FireFell,
    GroupRetreated,
)
from engine.rulesets.action_cards.state.events import FiguresRemoved, GroupMoved
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems import skirmish
from tests.support.systems.melee import barrier, block, charge, faction, field_of, only_combat, run

A = GroupId("a")
A_1 = FigureId("a.1")


def duel(*cards: str) -> Skirmish:
    """Return one figure of seat 0 that has charged one of seat 1."""
    state = field_of({"a": (0, [(1000, 1000)]), "b": (1, [(1900, 1000)])}, cards=cards or ("0.double.1",))
    return charge(state, A, A_1, (1800, 1000))


@pytest.mark.rule("AC-HTH-02")
@pytest.mark.parametrize(
    ("cards", "current", "changes", "is_due"),
    [
        (("0.double.1", "1.single.1"), 0, {}, True),
        (("0.triple.1", "1.single.1"), 0, {}, True),
        (("0.single.1", "1.single.1"), 0, {}, False),
        (("0.single.1", "1.double.1"), 1, {}, True),
        (("event.1", "1.single.1"), 0, {}, False),
        (("0.single.1", "1.single.1"), 0, {"reshuffled": True}, False),
        (("0.single.1", "1.single.1"), 1, {"reshuffled": True}, True),
        (("0.single.1", "event.1"), 1, {"reshuffled": True}, True),
        (("0.single.1", "1.single.1"), 1, {"last_row": True}, True),
    ],
)
def test_what_resolves_a_combat(cards: Sequence[str], current: int, changes: dict[str, bool], is_due: bool) -> None:
    """Double and Triple cards of any owner resolve it, and the end of a row that saw the deck shuffled; events never
    do."""
    state = msgspec.structs.replace(duel(*cards), current=current, **changes)
    assert combats.due(state) == (state.combats if is_due else ())


@pytest.mark.rule("AC-HTH-02")
def test_a_double_card_that_passes_still_resolves() -> None:
    state = duel("1.double.1")
    passed = msgspec.structs.replace(state, row=(msgspec.structs.replace(state.row[0], state="passed"),))
    assert combats.due(passed) == state.combats


@pytest.mark.rule("AC-HTH-02")
def test_several_combats_are_all_fought_before_anybody_parts() -> None:
    """Dice and casualties of every one in the order they began, then the aftermath moves in the same order."""
    groups = {
        "a": (0, [(1000, 1000)]),
        "b": (1, [(1900, 1000)]),
        "c": (1, [(3000, 3000)]),
        "d": (0, [(3900, 3000)]),
    }
    state = charge(charge(field_of(groups), A, A_1, (1800, 1000)), GroupId("c"), FigureId("c.1"), (3800, 3000))
    first, second = (combat.id for combat in state.combats)
    ran = run(state, resolution.resolve, tuple(reversed(state.combats)), dice=(1, 1, 1, 1))
    told = [(type(event).__name__, event.combat) for event in ran.of(CombatFought, CombatEnded)]
    assert told == [
        ("CombatFought", first),
        ("CombatFought", second),
        ("CombatEnded", first),
        ("CombatEnded", second),
    ]
    assert [event.group for event in ran.of(GroupRetreated)] == ["a", "b", "c", "d"]
    assert ran.state.combats == ()


@pytest.mark.rule("AC-HTH-03")
@pytest.mark.parametrize(
    ("faces", "others", "shares"),
    [
        ((2, 3, 4, 6), [0], {1: (2, 4, 6), 0: (3,)}),
        ((1, 3, 5, 1, 3), [2, 0], {1: (), 2: (1, 5, 3), 0: (3, 1)}),
        ((6, 5, 3, 2, 1, 5), [2, 3, 0], {1: (6, 2), 2: (5, 5), 3: (3,), 0: (1,)}),
        ((1, 2, 3), [], {1: (1, 2, 3)}),
    ],
)
def test_even_dice_for_the_target_odd_ones_dealt_round(
    faces: Sequence[int], others: Sequence[int], shares: dict[int, tuple[int, ...]]
) -> None:
    assert damage.spread(faces, 1, others) == shares


@pytest.mark.rule("AC-HTH-03")
def test_a_group_that_reaches_a_combat_joins_it_as_an_attacker() -> None:
    """The position stays with who held it before the first contact; comrades become one larger group."""
    house = block("h", "building", 1900, 500, 2600, 1500)
    groups = {
        "a": (0, [(1000, 1000)]),
        "b": (1, [(2000, 1000), (2000, 1200)]),
        "c": (2, [(3400, 1000)]),
        "d": (0, [(1000, 1300), (1000, 1400)]),
    }
    state = charge(field_of(groups, house), A, A_1, (1850, 1000))
    state = charge(state, GroupId("c"), FigureId("c.1"), (2650, 1000))
    state = charge(state, GroupId("d"), FigureId("d.1"), (1850, 1200))
    combat = only_combat(state)
    assert combat.groups == ("b", "a", "c", "d")
    assert combat.charged == ("a", "c", "d")
    assert (combat.defended, combat.defender) == ("h", 1)
    assert combats.figures_in(state, combat, 0) == ("a.1", "d.1", "d.2")


@pytest.mark.rule("AC-HTH-03", "AC-HTH-01")
def test_a_charge_that_reaches_two_combats_makes_them_one() -> None:
    """The later one ends in an event, and its groups fight in the earlier one."""
    groups = {
        "a": (0, [(1000, 1000)]),
        "b": (1, [(1900, 1000)]),
        "c": (0, [(1000, 1150)]),
        "d": (1, [(1900, 1150)]),
        "f": (2, [(2500, 1075)]),
        "g": (3, [(2070, 1075)]),
    }
    state = charge(charge(field_of(groups), A, A_1, (1800, 1000)), GroupId("c"), FigureId("c.1"), (1800, 1150))
    assert [combat.groups for combat in state.combats] == [("b", "a"), ("d", "c")]
    state = GroupMoved(GroupId("f"), FigureId("f.1"), (2500, 1075), {FigureId("f.1"): (1968, 1075)}).apply(state)
    ran = run(state, combats.contact, "f")
    assert [(event.combat, event.absorbed) for event in ran.of(CombatsMerged)] == [("combat.0", "combat.1")]
    assert [(event.group, event.path is None) for event in ran.of(CombatJoined)] == [("g", True), ("f", False)]
    assert only_combat(ran.state).groups == ("b", "a", "d", "c", "g", "f")


def brawl() -> Skirmish:
    """Return seats 0, 1 and 2 in one combat with three figures each, seat 3 outside."""
    groups = {
        "a": (0, [(1000, 1000), (1000, 1100), (1000, 1200)]),
        "b": (1, [(1900, 1000), (1900, 1100), (1900, 1200)]),
        "c": (2, [(2800, 1000), (2800, 1100), (2800, 1200)]),
        "d": (3, [(1900, 3000)]),
    }
    state = charge(field_of(groups), A, A_1, (1800, 1000), _2=(1800, 1110), _3=(1800, 1220))
    return charge(state, GroupId("c"), FigureId("c.1"), (2000, 1000), _2=(2000, 1110), _3=(2000, 1220))


@pytest.mark.rule("AC-HTH-03")
def test_fire_from_outside_into_three_factions() -> None:
    """Against seat 1: 6 + 6 even kills two; odd 5, 1, 5 are dealt 2, 0, 2: seat 2 loses one, seat 0 none."""
    state = brawl()
    pick = Reply("pick", {"picked": ["piece/b.1", "piece/b.2"]})
    ran = run(
        state,
        partial(damage.apply_fire, inside=False),
        Seat(3),
        only_combat(state),
        Seat(1),
        Roll((6, 5, 1, 6, 5), 1, 0),
        ("d",),
        answers={("casualties", 1): pick},
    )
    [fell] = ran.of(FireFell)
    assert fell.strike.kills == {1: 2, 2: 1, 0: 0}
    assert [(event.by, event.figures) for event in ran.of(FiguresRemoved)] == [(3, ("b.1", "b.2")), (3, ("c.3",))]
    assert ran.state.seats[3].removed == {1: 2, 2: 1}


@pytest.mark.rule("AC-HTH-03")
def test_fire_from_outside_into_two_factions_spills_over_to_the_other() -> None:
    groups = {"a": (0, [(1000, 1000)]), "b": (1, [(1900, 1000)]), "c": (2, [(1900, 3000)])}
    state = charge(field_of(groups), A, A_1, (1800, 1000))
    ran = run(
        state,
        partial(damage.apply_fire, inside=False),
        Seat(2),
        only_combat(state),
        Seat(1),
        Roll((6, 1, 5), 1, 0),
        ("c",),
    )
    [fell] = ran.of(FireFell)
    assert fell.strike.kills == {1: 1, 0: 1}


@pytest.mark.rule("AC-HTH-03")
@pytest.mark.parametrize(("brawling", "kills"), [(False, {1: 1}), (True, {1: 0, 2: 0})])
def test_fire_from_inside(brawling: bool, kills: dict[int, int]) -> None:
    """Of two factions all dice apply; of three the odd ones go to the one that is neither target nor roller."""
    state = brawl() if brawling else duel()
    ran = run(
        state,
        partial(damage.apply_fire, inside=True),
        Seat(0),
        only_combat(state),
        Seat(1),
        Roll((4, 1, 1), 1, 0),
        ("a",),
    )
    [fell] = ran.of(FireFell)
    assert fell.strike.kills == kills


@pytest.mark.rule("AC-HTH-03")
def test_cover_against_fire_from_outside_is_that_of_the_larger_group() -> None:
    """Two of three figures of seat 1 are in scrub: nine points, though the scrub is nobody's position."""
    scrub = block("s", "scrub", 1840, 900, 2600, 1600)
    groups = {
        "a": (0, [(1850, 1000)]),
        "b": (1, [(1000, 1000)]),
        "e": (1, [(2300, 1000), (2300, 1100)]),
        "c": (2, [(1900, 3000)]),
    }
    state = charge(field_of(groups, scrub), GroupId("e"), FigureId("e.1"), (1950, 1000), _2=(1950, 1100))
    state = charge(state, GroupId("b"), FigureId("b.1"), (1750, 1000))
    assert only_combat(state).defended == ""
    ran = run(
        state,
        partial(damage.apply_fire, inside=False),
        Seat(2),
        only_combat(state),
        Seat(1),
        Roll((6, 6, 6), 1, 0),
        ("c",),
    )
    assert ran.of(FireFell)[0].strike.kills == {1: 2, 0: 0}


@pytest.mark.rule("AC-HTH-03")
def test_cover_against_fire_from_inside_is_that_of_a_defender_only() -> None:
    wall = barrier("w", "wall", (1880, 500), (1880, 1500))
    groups = {"a": (0, [(1000, 1000)]), "b": (1, [(1950, 1000), (1950, 1100)])}
    state = charge(field_of(groups, wall), A, A_1, (1820, 1000))
    inside = run(
        state,
        partial(damage.apply_fire, inside=True),
        Seat(0),
        only_combat(state),
        Seat(1),
        Roll((6, 2), 1, 0),
        ("a",),
    )
    assert inside.of(FireFell)[0].strike.kills == {1: 0}
    back = run(
        state,
        partial(damage.apply_fire, inside=True),
        Seat(1),
        only_combat(state),
        Seat(0),
        Roll((6, 2), 1, 0),
        ("b",),
    )
    assert back.of(FireFell)[0].strike.kills == {0: 1}


@pytest.mark.rule("AC-HTH-03", "AC-HTH-05")
def test_with_one_faction_left_the_lock_ends_at_once() -> None:
    state = brawl()
    one = FiguresRemoved(3, (A_1, FigureId("a.2"), FigureId("a.3"))).apply(state)
    still = run(one, resolution.after_losses)
    assert [combat.groups for combat in still.state.combats] == [("b", "c")]
    two = FiguresRemoved(3, (FigureId("c.1"), FigureId("c.2"), FigureId("c.3"))).apply(one)
    ended = run(two, resolution.after_losses)
    assert [event.why for event in ended.of(CombatEnded)] == ["won"]
    assert ended.state.combats == ()
    none = FiguresRemoved(3, (FigureId("b.1"), FigureId("b.2"), FigureId("b.3"))).apply(two)
    assert [event.why for event in run(none, resolution.after_losses).of(CombatEnded)] == ["nobody"]


@pytest.mark.rule("AC-SHOOT-01")
@pytest.mark.parametrize(("wall", "named", "refused"), [(True, 1, True), (True, 0, False), (False, 1, False)])
def test_a_faction_in_a_combat_is_shot_at_where_somebody_of_it_is_seen(wall: bool, named: int, refused: bool) -> None:
    """Seat 1 stands behind the wall; of seat 0, which has charged it, one figure stands clear of it."""
    groups = {"a": (0, [(2000, 1000), (2500, 1000)]), "b": (1, [(1000, 1000)]), "c": (2, [(1700, 3000)])}
    features = [barrier("it", "wall", (600, 1500), (1300, 1500))] if wall else []
    armed = [msgspec.structs.replace(faction(seat), weapons=skirmish.WEAPONS) for seat in range(3)]
    state = field_of(groups, *features, cards=("2.double.1",), factions=armed)
    state = charge(state, A, A_1, (1100, 1000), _2=(1700, 1000))
    try:
        shooting.check_aim(state, 2, GroupId("c"), A, named)
        code = ""
    except IllegalIntent as illegal:
        code = illegal.refusal.code
    assert code == ("shoot/faction-not-seen" if refused else "")
