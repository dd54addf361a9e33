"""Actions of a card, and cards of factions without figures."""

from __future__ import annotations

import itertools

import msgspec
import pytest

from engine.core.rules.errors import IllegalIntent
from engine.core.rules.record import DeckState
from engine.core.rules.system import all_parts
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.state.events import CardSetAside, CardTurned, FactionFell, GameEnded
from engine.rulesets.action_cards.state.model import CardActions
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.view import scene
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Row
from tests.support.systems import skirmish
from tests.support.systems.skirmish import Play, line_up

GROUP_1_1 = GroupId("1.1")

GROUPS = {
    "0.1": line_up(1, 600, 600),
    "0.2": line_up(1, 2000, 600),
    "0.3": line_up(1, 3400, 600),
    "1.1": line_up(3, 600, 4000),
}


def step_forward(play: Play, group: GroupId) -> None:
    x, y = play.at(f"{group}/1")
    play.do(0, Move(group, FigureId(f"{group}/1"), (x, y + 100)))


@pytest.mark.rule("AC-ACT-01")
@pytest.mark.parametrize(("kind", "actions"), [("single", 1), ("double", 2), ("triple", 3)])
def test_a_cards_actions_fall_on_groups_in_any_way(kind: str, actions: int) -> None:
    """Every split is allowed: all to one group, one each, two and one, interleaved."""
    for groups in itertools.product(("0.1", "0.2", "0.3"), repeat=actions):
        play = Play(skirmish.table(GROUPS, cards=(f"0.{kind}.1", "1.single.1")))
        for group in groups:
            assert play.match.may_act() == (0,)
            step_forward(play, GroupId(group))
        assert play.match.may_act() == (1,)


@pytest.mark.rule("AC-ACT-01")
def test_no_action_need_be_used_and_the_unused_are_lost() -> None:
    play = Play(skirmish.table(GROUPS, cards=("0.triple.1", "1.single.1", "0.single.1")))
    step_forward(play, GroupId("0.1"))
    play.do(0, EndCard()).do(1, EndCard())
    assert (play.match.may_act(), play.state.left) == ((0,), 1)


@pytest.mark.rule("AC-ACT-01")
def test_when_time_runs_out_the_card_ends() -> None:
    play = Play(skirmish.table(GROUPS, cards=("0.triple.1", "1.single.1"))).expire()
    assert play.match.may_act() == (1,)


@pytest.mark.rule("AC-ACT-01", "AC-MOVE-02")
def test_nobody_acts_on_anothers_card_or_with_anothers_group() -> None:
    play = Play(skirmish.table(GROUPS))
    with pytest.raises(IllegalIntent) as refused:
        play.do(1, EndCard())
    assert refused.value.refusal.code == "turn/not-yours"
    for intent, code in (
        (Move(GROUP_1_1, FigureId("1.1/1"), (600, 3900)), "group/not-yours"),
        (Shoot(GroupId("9.9"), GROUP_1_1), "group/unknown"),
    ):
        with pytest.raises(IllegalIntent) as refused:
            play.do(0, intent)
        assert refused.value.refusal.code == code
    step_forward(play, GroupId("0.1"))


def without(state: Skirmish, seat: int) -> Skirmish:
    """Return the state just after a faction has lost its last figures."""
    groups = {id: group for id, group in state.groups.items() if group.owner != seat}
    figures = {id: figure for id, figure in state.figures.items() if figure.owner != seat}
    return msgspec.structs.replace(state, groups=groups, figures=figures)


FOUR = {f"{seat}.1": line_up(3, 500 + 1700 * seat, 600 + 1000 * seat) for seat in range(4)}


@pytest.mark.rule("AC-ACT-02", "AC-ACT-01")
def test_a_card_of_a_faction_without_figures_that_lies_open_passes() -> None:
    state = without(skirmish.table(FOUR, cards=("0.single.1", "2.double.1", "1.single.1")), 2)
    play = Play(state)
    assert [event.seat for event in play.events(FactionFell)] == [2]
    play.do(0, EndCard())
    assert play.match.may_act() == (1,)
    assert [event.seat for event in play.events(CardTurned)] == [1]
    assert play.state.row[1].state == "passed"
    assert "2.double.1" in play.state.discard


@pytest.mark.rule("AC-ACT-02", "AC-DECK-02")
def test_such_a_card_when_drawn_is_put_out_of_the_game_and_replaced() -> None:
    play = Play(without(skirmish.table(FOUR, cards=("0.single.1",)), 2))
    play.with_deck(
        "actions", DeckState(0, 0, (), ("0.single.2", "1.single.1", "2.double.1", "3.single.1", "3.single.2"))
    )
    play.do(0, EndCard())
    assert [event.card for event in play.events(CardSetAside)] == ["2.double.1"]
    assert play.state.out == ("2.double.1",)
    assert [card.seat for card in play.state.row] == [0, 1, 3, 3]


@pytest.mark.rule("AC-ACT-02")
@pytest.mark.parametrize(("left", "drawn"), [(6, 6), (5, 5), (4, 4), (3, 4)])
def test_the_number_of_cards_drawn_follows_the_factions_still_in_the_game(left: int, drawn: int) -> None:
    factions = (*skirmish.FACTIONS, skirmish.UNIT, skirmish.DALEKS)
    groups = {f"{seat}.1": line_up(1, 500, 500 + 600 * seat) for seat in range(6)}
    state = skirmish.table(groups, factions=factions, cards=("0.single.1",))
    for seat in range(left, 6):
        state = without(state, seat)
    play = Play(state)
    play.with_deck("actions", DeckState(0, 0, (), tuple(f"0.single.{n}" for n in range(2, 10))))
    play.do(0, EndCard())
    assert len(play.state.row) == drawn


@pytest.mark.rule("AC-ACT-02")
def test_with_one_faction_left_the_game_ends_at_once() -> None:
    state = skirmish.table({"0.1": line_up(4, 600, 600), "1.1": line_up(1, 600, 2000)}, factions=FACTIONS_OF_TWO)
    play = Play(state, *[6] * 8).do(0, Shoot(GroupId("0.1"), GROUP_1_1))
    assert [event.why for event in play.events(GameEnded)] == ["last"]
    assert (play.match.may_act(), play.state.left) == ((), 0)


@pytest.mark.rule("AC-ACT-02")
def test_with_no_faction_left_the_game_ends_at_once() -> None:
    state = skirmish.table({"0.1": line_up(4, 600, 600), "1.1": line_up(1, 600, 2000)}, factions=FACTIONS_OF_TWO)
    play = Play(without(without(state, 0), 1))
    assert [event.why for event in play.events(GameEnded)] == ["nobody"]


FACTIONS_OF_TWO = (skirmish.UNIT, skirmish.DALEKS)


@pytest.mark.rule("AC-ACT-01")
def test_a_scenario_may_give_its_cards_other_actions() -> None:
    """The next card gives the scenario's actions, and its scene node shows them."""
    actions = CardActions(single=1000)
    play = Play(skirmish.table(GROUPS, cards=("0.triple.1", "1.single.1"), actions=actions)).do(0, EndCard())
    assert (play.match.may_act(), play.state.left) == ((1,), 1000)
    row = next(part.make() for part in all_parts(scene.public(play.state)) if part.id == "row")
    assert isinstance(row, Row)
    assert [card.pips for card in row.cards] == [3, 1000]
