"""AC-HTH-04: the one round of dice in a close combat."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.rules.events import DiceRolled
from engine.core.rules.questions import SEALED
from engine.rulesets.action_cards.rules.close_combat import damage, resolution
from engine.rulesets.action_cards.state.combat_events import CombatFought, CombatStruck, TargetsNamed
from engine.rulesets.action_cards.state.events import FiguresRemoved
from engine.rulesets.action_cards.state.state import Combat, Lasting, Skirmish
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.melee import Ran, barrier, block, charge, field_of, only_combat, run

A = GroupId("a")
A_1 = FigureId("a.1")


def fought(state: Skirmish, dice: tuple[int, ...], **answers: Reply) -> Ran:
    """Fight the only combat; answers by KIND_SEAT."""
    given = {(name.split("_")[0], int(name.split("_")[1])): reply for name, reply in answers.items()}
    return run(state, resolution.fight, only_combat(state).id, dice=dice, answers=given)


def line(x: int, count: int) -> list[tuple[int, int]]:
    """Return figures above each other."""
    return [(x, 1000 + 110 * place) for place in range(count)]


def two_sides(champions: tuple[str, ...] = ()) -> Skirmish:
    """Return three figures of seat 0 that have charged three of seat 1 in the open."""
    state = field_of({"a": (0, line(1000, 3)), "b": (1, line(1900, 3))}, champions=champions)
    return charge(state, A, A_1, (1800, 1000), _2=(1800, 1110), _3=(1800, 1220))


@pytest.mark.rule("AC-HTH-04")
def test_damage_is_simultaneous() -> None:
    """Seat 0 kills all three (18 points), yet all three still roll, and kill two of seat 0 (12 points)."""
    pick = Reply("pick", {"picked": ["piece/a.2", "piece/a.1"]})
    ran = fought(two_sides(), (6, 6, 6, 6, 5, 1), casualties_0=pick)
    assert ran.rolls == [(0, "dice.close_combat", 3), (1, "dice.close_combat", 3)]
    assert [event.strike.kills for event in ran.of(CombatStruck)] == [{1: 3}, {0: 2}]
    assert set(ran.state.figures) == {"a.3"}
    assert [event.by for event in ran.of(FiguresRemoved)] == [1, 0]
    assert ran.state.seats[0].removed == {1: 3}
    assert ran.state.seats[1].removed == {0: 2}


@pytest.mark.rule("AC-HTH-04", "AC-OPEN-01")
def test_nobody_names_a_partner_of_a_cease_fire_while_there_is_somebody_else() -> None:
    state = field_of({"a": (0, line(1000, 3)), "b": (1, line(1101, 3)), "c": (2, line(1202, 3))})
    combat = Combat("combat.0", (A, GroupId("b"), GroupId("c")), 0, 1, 0)

    def named(*truce: int) -> Ran:
        kept = (Lasting("flag", 9, truce=truce),)
        table = msgspec.structs.replace(state, combats=(combat,), lasting=kept)
        return run(table, resolution.fight, combat.id, dice=(1,) * 9)

    ran = named(0, 1)
    assert [list(question.asks) for question in ran.questions if question.kind == "target"] == [[2]]
    assert [event.targets for event in ran.of(TargetsNamed)] == [{0: 2, 1: 2, 2: 0}]
    assert [event.targets for event in named(0, 1, 2).of(TargetsNamed)] == [{0: 1, 1: 2, 2: 0}]


@pytest.mark.rule("AC-HTH-04", "AC-OPEN-01")
@pytest.mark.parametrize("truce", [(), (0, 2)])
def test_nobody_names_an_ally_even_where_the_only_enemy_keeps_a_cease_fire(truce: tuple[int, ...]) -> None:
    state = field_of({"a": (0, line(1000, 3)), "b": (1, line(1101, 3)), "c": (2, line(1202, 3))})
    scenario = msgspec.structs.replace(state.resolved.scenario, sides=(0, 0, 1))
    resolved = msgspec.structs.replace(state.resolved, scenario=scenario)
    table = msgspec.structs.replace(state, resolved=resolved, lasting=(Lasting("flag", 9, truce=truce),))
    combat = Combat("combat.0", (A, GroupId("b"), GroupId("c")), 0, 1, 0)
    assert [resolution.foes_of(table, combat, seat) for seat in range(3)] == [[2], [2], [0, 1] if not truce else [1]]


@pytest.mark.rule("AC-HTH-04")
def test_all_dice_are_rolled_before_anybody_is_removed_and_the_table_shows_them() -> None:
    ran = fought(two_sides(), (6, 1, 1, 6, 1, 1))
    kinds = [type(event).__name__ for event in ran.of(CombatStruck, FiguresRemoved, CombatFought)]
    assert kinds == ["CombatStruck", "CombatStruck", "FiguresRemoved", "FiguresRemoved", "CombatFought"]
    strikes = only_combat(ran.state).strikes
    assert [(roll.seat, roll.faces) for roll in ran.of(DiceRolled)] == [(0, (6, 1, 1)), (1, (6, 1, 1))]
    assert [(strike.seat, strike.roll, strike.total) for strike in strikes] == [
        (roll.seat, roll.id, 8) for roll in ran.of(DiceRolled)
    ]
    assert only_combat(ran.state).fought


@pytest.mark.rule("AC-HTH-04")
def test_the_owner_chooses_the_casualties_and_nobody_asks_when_all_die() -> None:
    ran = fought(two_sides(), (6, 1, 1, 6, 6, 6))
    assert [(question.kind, list(question.asks)) for question in ran.questions] == [("casualties", [1])]


@pytest.mark.rule("AC-HTH-04")
def test_close_combat_dice_are_those_of_the_profile() -> None:
    """A champion shoots with four dice and fights with two."""
    ran = fought(two_sides(champions=("a.1", "b.2", "b.3")), (1,) * 9)
    assert ran.rolls == [(0, "dice.close_combat", 4), (1, "dice.close_combat", 5)]


@pytest.mark.rule("AC-HTH-04")
@pytest.mark.parametrize(("kind", "number"), [("wall", 9), ("scrub", 9), ("building", 12), ("wire", 6), ("river", 6)])
def test_only_the_defender_of_a_position_has_its_cover(kind: str, number: int) -> None:
    """Two of the three defenders are in the position."""
    feature = (
        barrier("f", kind, (1880, 500), (1880, 1500))
        if kind in ("wall", "wire")
        else block("f", kind, 1880, 500, 2200, 1150)
    )
    state = field_of({"a": (0, line(1000, 3)), "b": (1, [(1930, 1000), (1930, 1110), (2300, 1220)])}, feature)
    state = charge(state, A, A_1, (1828, 1000))
    combat = only_combat(state)
    assert damage.close_kill_number(state, combat, 1) == number
    assert damage.close_kill_number(state, combat, 0) == 6


@pytest.mark.rule("AC-HTH-04")
def test_half_of_the_defenders_in_the_position_is_not_more_than_half() -> None:
    house = block("h", "building", 1880, 500, 2200, 1050)
    state = field_of({"a": (0, line(1000, 1)), "b": (1, [(1960, 1000), (1960, 1110)])}, house)
    state = charge(state, A, A_1, (1850, 1000))
    assert only_combat(state).defender == 1
    assert damage.close_kill_number(state, only_combat(state), 1) == 6


@pytest.mark.rule("AC-HTH-04")
def test_a_position_that_is_gone_protects_nobody() -> None:
    house = block("h", "building", 1880, 500, 2200, 1500)
    state = charge(field_of({"a": (0, line(1000, 1)), "b": (1, line(1960, 2))}, house), A, A_1, (1850, 1000))
    assert damage.close_kill_number(state, only_combat(state), 1) == 12
    state = msgspec.structs.replace(state, gone=("h",))
    assert damage.close_kill_number(state, only_combat(state), 1) == 6


def three_sides(figures: tuple[int, int, int] = (2, 2, 2)) -> Skirmish:
    """Return seat 1 between seats 0 and 2."""
    groups = {"a": (0, line(1000, figures[0])), "b": (1, line(1900, figures[1])), "c": (2, line(2800, figures[2]))}
    state = charge(field_of(groups), A, A_1, (1800, 1000))
    return charge(state, GroupId("c"), FigureId("c.1"), (2000, 1000))


@pytest.mark.rule("AC-HTH-04")
def test_targets_are_named_sealed_and_together_where_there_is_a_choice() -> None:
    ran = fought(three_sides(), (1,) * 6, target_0=Reply("seat/2"), target_1=Reply("seat/2"))
    question = ran.questions[0]
    assert (question.kind, question.window, list(question.asks)) == ("target", SEALED, [0, 1, 2])
    assert [[choice.id for choice in ask.choices] for ask in question.asks.values()] == [
        ["seat/1", "seat/2"],
        ["seat/2", "seat/0"],
        ["seat/0", "seat/1"],
    ]
    assert ran.of(TargetsNamed)[0].targets == {0: 2, 1: 2, 2: 0}


@pytest.mark.rule("AC-HTH-04")
@pytest.mark.parametrize(
    ("figures", "targets"),
    [
        ((2, 2, 2), {0: 1, 1: 2, 2: 0}),  # equals: the next in seat order
        ((2, 2, 3), {0: 2, 1: 2, 2: 0}),
        ((3, 2, 2), {0: 1, 1: 0, 2: 0}),
    ],
)
def test_who_names_nobody_fights_the_most_numerous(figures: tuple[int, int, int], targets: dict[int, int]) -> None:
    ran = fought(three_sides(figures), (1,) * sum(figures))
    assert ran.of(TargetsNamed)[0].targets == targets


@pytest.mark.rule("AC-HTH-04")
def test_of_two_factions_nobody_is_asked_whom_it_fights() -> None:
    ran = fought(two_sides(), (1,) * 6)
    assert ran.questions == []
    assert ran.of(TargetsNamed)[0].targets == {0: 1, 1: 0}


@pytest.mark.rule("AC-HTH-04")
def test_of_three_factions_even_dice_hit_the_target_and_odd_ones_the_other() -> None:
    """Seat 0 against 1: 6 kills one, 5 leaves seat 2 alone. 1 against 2: 5 to seat 0, 4 lost. 2 against 0: both 6.
    Each faction's points are divided on their own: the 5 and the 12 against seat 0 do not add up."""
    ran = fought(three_sides(), (6, 5, 5, 4, 6, 6))
    assert [event.strike.kills for event in ran.of(CombatStruck)] == [{1: 1, 2: 0}, {2: 0, 0: 0}, {0: 2, 1: 0}]
    assert sorted(ran.state.figures) == ["b.1", "c.1", "c.2"]
    assert ran.state.seats[2].removed == {0: 2}


@pytest.mark.rule("AC-HTH-04")
def test_several_rollers_may_kill_figures_of_one_faction_but_none_twice() -> None:
    ran = fought(three_sides((2, 3, 2)), (6, 6, 1, 1, 1, 6, 6), target_0=Reply("seat/1"), target_2=Reply("seat/1"))
    assert [(event.by, len(event.figures)) for event in ran.of(FiguresRemoved)] == [(0, 2), (2, 1)]
    assert ran.state.seats[2].removed == {1: 1}
