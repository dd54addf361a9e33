"""Dice pools with their reasons, tests of dice, dice that are rolled again, dice matched against dice."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from hypothesis import given, strategies as st

from engine.core.rules.audience import Seat
from engine.core.rules.dice import Pool
from engine.core.rules.events import DiceRolled
from engine.core.rules.game import Game
from engine.core.rules.record import Record
from engine.kit.pools import DicePool, DieTest, PoolPart, expected_multiples, reroll, unmatched
from protocol.scene.nodes import Cue, RollId
from protocol.text import Text
from tests.support.systems.haggle import HAGGLE, Market
from tests.support.systems.scripted import ScriptedDice


def game(*faces: int) -> Game[Market]:
    return Game(HAGGLE.start(b"", 3), Record(round=1), ScriptedDice(faces))


def test_dice_that_are_rolled_again_are_two_rolls() -> None:
    table = game(6, 2, 3, 5, 4)
    first = table.roll(Pool(3), "dice.hit", Seat(0))
    assert reroll(table, Seat(0), first.faces, lambda face: face < 4, "dice.again") == (6, 5, 4)
    rolled = [trace.event for trace in table.trail if isinstance(trace.event, DiceRolled)]
    assert [(roll.id, roll.faces) for roll in rolled] == [(RollId(1, 0), (6, 2, 3)), (RollId(1, 1), (5, 4))]
    told = [cue for roll in rolled for cue in HAGGLE.cues(roll, table.state, table.state)]
    assert [cue.dice.roll for cue in told if isinstance(cue, Cue) and cue.dice] == [RollId(1, 0), RollId(1, 1)]


def test_each_die_is_rolled_again_once_at_most_and_of_its_kind() -> None:
    table = game(1, 9)
    assert reroll(table, Seat(2), (1, 1), lambda face: face == 1, "dice.again", lambda count: Pool(count, 10)) == (1, 9)
    (trace,) = table.trail
    assert trace.event == DiceRolled(1, 0, "dice.again", 2, 10, (1, 9))


def test_no_roll_is_made_where_every_die_stays() -> None:
    table = game()
    faces = (4, 5)
    assert reroll(table, Seat(0), faces, lambda face: face < 4, "dice.again") == faces
    assert not table.trail


def test_a_pool_is_built_part_by_part() -> None:
    """Parts of one reason are counted together; a penalty never leaves fewer dice than none."""
    rifle, cover = PoolPart(Text("rifle"), 1, 3), PoolPart(Text("cover"), -2, rule="X-1")
    pool = DicePool.of((rifle, cover, rifle))
    assert pool.parts == (PoolPart(Text("rifle"), 1, 6), cover)
    assert pool.count == 4
    assert pool.total.mean == 14
    assert DicePool((cover,)).count == 0
    table = game(1, 2, 3, 4)
    assert pool.roll(table, "dice.shot", Seat(1)).total == 10


def test_a_test_rolls_failures_or_successes_again() -> None:
    linked, piercing = DieTest(4, failures_again=True), DieTest(4, successes_again=True)
    assert linked.roll(game(1, 4, 3, 6, 2), Seat(0), 3, "dice.hit", "dice.again") == (6, 4, 2)
    assert piercing.roll(game(1, 4, 3), Seat(0), 2, "dice.block") == (1, 3)
    assert linked.successes((6, 4, 2)) == 2
    assert (linked.chance, piercing.chance, DieTest(4).best_of(2)) == (Fraction(3, 4), Fraction(1, 4), Fraction(3, 4))


@given(st.integers(1, 8), st.sampled_from((4, 6, 8)), st.booleans(), st.booleans(), st.integers(1, 8))
def test_the_face_that_a_die_ends_on_is_counted_over_both_rolls(
    need: int, sides: int, failures: bool, successes: bool, face: int
) -> None:
    test = DieTest(need, sides, failures, successes)
    faces = range(1, sides + 1)
    ends = [second if test.is_rolled_again(first) else first for first in faces for second in faces]
    assert test.ends_on(lambda one: one == face) == Fraction(ends.count(face), sides**2)


def test_an_opposed_test_needs_a_success_that_is_higher() -> None:
    """A D8 that needs 4 and more than a D6 shows: 4 beats three faces, 5 four, 6 five, 7 and 8 all six."""
    assert DieTest(4, 8).against(6) == Fraction(3 + 4 + 5 + 6 + 6, 48)


def test_marines_against_rebels_behind_a_mud_wall() -> None:
    assert unmatched((10, 9, 7, 5, 4, 3, 1, 1), (8, 5, 4, 4, 3, 2), 4) == 2


FACES = st.lists(st.integers(1, 8), max_size=5)


@given(FACES, FACES, st.integers(1, 8))
def test_dice_are_matched_so_that_the_fewest_are_left_over(attack: list[int], defence: list[int], need: int) -> None:
    hits = [face for face in attack if face >= need]
    padded = [*defence, *[0] * len(hits)]

    def left_over(order: Sequence[int]) -> int:
        return sum(block < hit for hit, block in zip(hits, order, strict=False))

    fewest = min(left_over(order) for order in set(permutations(padded, len(hits))))
    assert unmatched(attack, defence, need) == fewest


def test_those_whose_dice_succeed_are_told_apart() -> None:
    assert DieTest(4).passing(game(4, 3, 6), Seat(0), ("a", "b", "c"), "dice.hit") == ["a", "c"]
    assert DieTest(4).succeeds(game(4), Seat(0), "dice.hit")
    assert not DieTest(4).succeeds(game(3), Seat(0), "dice.hit")


def test_an_expected_number_of_multiples_is_told_in_hundredths() -> None:
    # two dice at 4 points each: 0 of 2 or 3 (3 of 36), 1 of 4 to 7 (18), 2 of 8 to 11 (14), 3 of 12 (1), at most 2
    assert expected_multiples(2, 4, 2) == round(100 * (18 + 2 * 15) / 36)
    assert expected_multiples(2, 4, 3) == round(100 * (18 + 2 * 14 + 3) / 36)
    assert expected_multiples(0, 4, 3) == 0
