"""Close combat in a match: acts that the lock forbids, cards that resolve it, and no combat left open."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from engine.core.rules.errors import IllegalIntent
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.movement import moves
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.state.combat_events import (
    CombatBegun,
    CombatEnded,
    CombatFought,
    CombatsMerged,
    FireFell,
)
from engine.rulesets.action_cards.state.events import GameEnded
from engine.rulesets.action_cards.state.state import Skirmish
from engine.space.movement.moves import clip_move
from protocol.ids import FigureId, GroupId
from tests.support.systems import skirmish
from tests.support.systems.skirmish import MILITIA, Play, area, barrier, line_up

GROUP_0_1 = GroupId("0.1")

FACTIONS = (MILITIA, MILITIA, MILITIA)


def facing(*cards: str, dice: int = 0) -> Play:
    """Play with groups of seats 0 and 1 six inches apart, a second group of each and one of seat 2 farther off; all
    `dice` rolled are ones."""
    groups = {
        "0.1": line_up(3, 2000, 1000),
        "0.2": line_up(3, 2400, 900),
        "1.1": line_up(3, 2000, 1600),
        "1.2": line_up(3, 4000, 3000),
        "2.1": line_up(3, 5500, 1000),
    }
    return Play(skirmish.table(groups, factions=FACTIONS, cards=cards or ("0.triple.1", "1.single.1")), *(1,) * dice)


CHARGE = Move(GROUP_0_1, FigureId("0.1/1"), (2000, 1500))


@pytest.mark.rule("AC-HTH-01", "AC-HTH-03", "AC-SHOOT-01", "AC-SHOOT-02")
def test_who_is_locked_may_do_nothing_but_shoot_into_its_combat() -> None:
    play = facing(dice=3).do(0, CHARGE)
    for intent, code in (
        (Move(GROUP_0_1, FigureId("0.1/1"), (2000, 1200)), "group/locked"),
        (Shoot(GROUP_0_1, GroupId("2.1")), "shoot/locked"),
    ):
        with pytest.raises(IllegalIntent, match=code):
            play.do(0, intent)
    play.do(0, Shoot(GROUP_0_1, GroupId("1.1")))
    assert [event.strike.target for event in play.events(FireFell)] == [1]


@pytest.mark.rule("AC-HTH-03")
def test_a_comrade_outside_may_not_shoot_into_it_but_may_join() -> None:
    play = facing(dice=9).do(0, CHARGE)
    with pytest.raises(IllegalIntent, match="shoot/own-combat"):
        play.do(0, Shoot(GroupId("0.2"), GroupId("1.1")))
    play.do(0, Move(GroupId("0.2"), FigureId("0.2/1"), (2300, 1514)))
    assert [combat.groups for combat in play.state.combats] == [("1.1", "0.1", "0.2")]
    play.do(0, EndCard())
    assert play.rolls == [(0, "dice.close_combat", 6), (1, "dice.close_combat", 3)]


@pytest.mark.rule("AC-HTH-02")
def test_a_combat_of_a_double_or_triple_card_is_fought_before_the_next_card() -> None:
    play = facing("0.double.1", "1.single.1", dice=6).do(0, CHARGE)
    assert play.events(CombatFought) == []
    play.do(0, EndCard())
    assert [event.combat for event in play.events(CombatFought)] == ["combat.0"]
    assert play.state.current == 1


@pytest.mark.rule("AC-HTH-02", "AC-DECK-02")
def test_a_combat_of_a_single_card_waits_for_a_double_or_triple_card_of_anybody() -> None:
    """Events and Single cards do not bring it to an end; the Double card does, once its own actions are done."""
    play = facing("0.single.1", "event.1", "1.single.1", "2.double.1", "1.single.2", dice=6).do(0, CHARGE)
    play.do(1, EndCard())
    assert (play.state.current, len(play.state.combats)) == (3, 1)
    play.do(2, Move(GroupId("2.1"), FigureId("2.1/1"), (5500, 1100)))
    assert len(play.state.combats) == 1
    play.do(2, EndCard())
    assert len(play.events(CombatFought)) == 1
    assert len(play.events(CombatEnded)) == 1


def field() -> Skirmish:
    """Return a crowded table with a house, a wall and scrub, on which charges are short."""
    groups = {
        "0.1": line_up(4, 300, 300),
        "0.2": line_up(3, 1400, 300),
        "1.1": line_up(4, 300, 1200),
        "1.2": line_up(3, 1350, 1500),
        "2.1": line_up(4, 2100, 900),
        "2.2": line_up(2, 500, 2000),
    }
    features = (
        area("house", "building", 250, 1100, 800, 1400),
        barrier("wall", "wall", (1200, 1440), (1800, 1440)),
        area("scrub", "scrub", 2000, 800, 2600, 1100),
    )
    cards = ("0.single.1", "1.single.1", "2.double.1", "1.single.2", "2.single.1", "0.triple.1", "event.1")
    return skirmish.table(groups, features, FACTIONS, cards, size=(2700, 2200), reshuffles=2)


def charge_somebody(play: Play, seat: int, picks: Sequence[int]) -> None:
    """Move a group of the seat as far as it comes towards an enemy figure, if it can move at all."""
    state = play.state
    own = [group for group in state.groups.values() if group.owner == seat]
    enemies = [figure for figure in state.figures.values() if figure.owner != seat]
    group, enemy = own[picks[0] % len(own)], enemies[picks[1] % len(enemies)]
    lead = group.figures[picks[2] % len(group.figures)]
    way = moves.way_of(state, group, lead)
    end = clip_move(way, state.figures[lead].at, enemy.at, moves.allowance_of(state, group))
    move = Move(group.id, lead, end.point)
    if play.match.can(play.match.may_act()[0], move) is None:
        play.do(seat, move)


@pytest.mark.rule("AC-HTH-01", "AC-HTH-02", "AC-HTH-05")
@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=8, max_size=30), st.integers(0, 2**32))
def test_every_combat_that_begins_ends_and_nobody_is_left_in_contact(
    picks: list[tuple[int, int, int]], seed: int
) -> None:
    play = Play.opened(field(), seed)
    waiting = list(picks)
    for _ in range(150):
        if play.state.ending is not None:
            break
        if play.match.question is not None:
            play.expire()
            continue
        [seat] = play.match.may_act()
        if waiting:
            charge_somebody(play, seat, waiting.pop())
        else:
            play.do(seat, EndCard())
    assert [event.why for event in play.events(GameEnded)] in (["clock"], ["last"], ["nobody"])
    begun = [event.combat.id for event in play.events(CombatBegun)]
    over = [event.combat for event in play.events(CombatEnded)] + [e.absorbed for e in play.events(CombatsMerged)]
    assert sorted(begun) == sorted(over)
    placed = [base for group in play.state.groups for base in table.board(play.state).bases(group)]
    assert all(
        abs(a.at[0] - b.at[0]) ** 2 + abs(a.at[1] - b.at[1]) ** 2 >= 100**2
        for n, a in enumerate(placed)
        for b in placed[:n]
    )
