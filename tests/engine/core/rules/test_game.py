"""The game: effects are entries of the step, stops are the only waits, and a probe ends at the first effect."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from engine.core.rules.audience import Seat, only
from engine.core.rules.dice import MatchDice, Pool
from engine.core.rules.errors import EffectReached, RuleBug
from engine.core.rules.events import ActionResolved, CardDrawn, DeckShuffled, DiceRolled, OrderMade
from engine.core.rules.game import MOST_ENTRIES, Game, Probe, RoundWanted
from engine.core.rules.questions import CHOICE, SEALED, Ask, Question, confirm
from engine.core.rules.record import Record
from protocol.ids import MatchId, NodeId
from protocol.proof.leaves import card_leaf, root_of
from protocol.scene.nodes import RollId
from protocol.text import Text
from tests.support.systems.haggle import HAGGLE, Market, Passed, Won
from tests.support.systems.scripted import ScriptedDice

CARDS = ("fig", "apple", "plum", "fig")
ASK: Ask[Any] = confirm(Text("sure"), Text("y"), Text("n"), default=False)


def game(*faces: int, orders: tuple[tuple[int, ...], ...] = ()) -> Game[Market]:
    return Game(HAGGLE.start(b"", 3), Record(round=4), ScriptedDice(faces, orders))


def stop(waiting: Coroutine[Any, Any, object]) -> object:
    """Return the stop of a procedure."""
    wanted = waiting.send(None)
    waiting.close()
    return wanted


def test_effects_happen_at_once_and_are_kept_with_the_states_around_them() -> None:
    table = game()
    before = table.state
    table.emit(Won(1, 2), Passed())
    assert (table.state.coins, table.state.turn) == ((3, 5, 3), 1)
    first, second = table.trail
    assert (first.event, second.event) == (Won(1, 2), Passed())
    assert first.before is before
    assert second.before is first.after
    assert second.after is table.state


def test_a_roll_carries_its_number() -> None:
    table = game(6, 2, 3, 1)
    open_one, hidden, open_two = (
        table.roll(Pool(count), "dice", Seat(1), *audience)
        for count, audience in ((2, ()), (1, (only(Seat(1)),)), (1, ()))
    )
    assert (open_one.faces, open_one.total, open_one.id) == ((6, 2), 8, RollId(4, 0))
    assert (hidden.faces, hidden.id) == ((3,), RollId(4, 0, hidden=True))
    assert (open_two.faces, open_two.id) == ((1,), RollId(4, 1))
    assert [trace.event.id for trace in table.trail if isinstance(trace.event, DiceRolled)] == [
        open_one.id,
        hidden.id,
        open_two.id,
    ]


def test_a_shuffle_counts_as_a_roll() -> None:
    table = game(5, orders=((2, 0, 1),))
    assert table.shuffle(3, "order") == (2, 0, 1)
    assert table.trail[0].event == OrderMade(4, 0, "order", (2, 0, 1))
    assert table.roll(Pool(1), "dice", Seat(0)).n == 1


def test_an_opaque_name_is_the_same_for_its_label_in_its_match_alone() -> None:
    names = {
        Game(HAGGLE.start(b"", 3), Record(), MatchDice(secret, MatchId(match))).opaque(label)
        for secret, match, label in (
            (bytes(32), "m1", "unit/1"),
            (bytes(32), "m1", "unit/1"),
            (bytes(32), "m1", "unit/2"),
            (bytes(32), "m2", "unit/1"),
            (b"s" * 32, "m1", "unit/1"),
        )
    }
    assert len(names) == 4
    assert {len(name) for name in names} == {12}


def test_a_deck_is_drawn_from_the_top_while_there_are_cards() -> None:
    table = game(orders=((3, 1, 0, 2),))
    deck = table.deck("fruit")
    assert (deck.left, deck.undrawn) == (0, ())
    assert deck.draw(1) == ()
    deck.new(CARDS)
    assert deck.left == 4
    assert deck.draw(1, only(Seat(2))) == ("plum",)
    assert deck.draw(9) == ("fig", "apple", "fig")
    shuffled, *drawn = (trace.event for trace in table.trail)
    assert isinstance(shuffled, DeckShuffled)
    assert shuffled.cards == ("apple", "fig", "fig", "plum")
    for event in drawn:
        assert isinstance(event, CardDrawn)
        assert root_of(card_leaf(event.index, event.salt, event.card), event.index, 4, event.path) == shuffled.root
    assert [trace.event.audience().public for trace in table.trail] == [True, False, True, True, True]


def test_cards_that_are_added_are_shuffled_in_with_those_not_drawn() -> None:
    table = game(orders=((0, 1, 2, 3), (0, 1, 2, 3)))
    deck = table.deck("fruit")
    deck.new(CARDS)
    assert deck.draw(2) == ("apple", "fig")
    assert deck.undrawn == ("fig", "plum")
    deck.add(("kiwi", "kiwi"))
    assert table.record.decks["fruit"].epoch == 1
    assert table.record.decks["fruit"].cards == ("fig", "kiwi", "kiwi", "plum")
    assert deck.draw(4) == ("fig", "kiwi", "kiwi", "plum")


def test_a_procedure_stops_for_rounds_and_questions() -> None:
    table = game()
    assert stop(table.round()) == RoundWanted()
    asked = stop(table.ask(Seat(1), ASK, "sure"))
    assert asked == Question(0, "sure", CHOICE, {Seat(1): ASK})
    together = stop(table.ask_together({Seat(2): ASK, Seat(0): ASK}, "vote"))
    assert isinstance(together, Question)
    assert (tuple(together.asks), together.window, together.moment) == ((0, 2), SEALED, False)
    moment = stop(table.moment("before-sale", {Seat(0): ASK}))
    assert isinstance(moment, Question)
    assert (moment.kind, moment.window, moment.moment) == ("before-sale", SEALED, True)


def test_the_answer_to_a_question_is_that_of_the_seat_and_nobody_is_waited_for_where_nobody_is_asked() -> None:
    table = game()
    waiting = table.ask(Seat(1), ASK, "sure")
    waiting.send(None)
    with pytest.raises(StopIteration) as ended:
        waiting.send({Seat(1): True})
    assert ended.value.value is True
    with pytest.raises(StopIteration) as ended:
        table.ask_together({}, "vote").send(None)
    assert ended.value.value == {}


def test_a_step_that_never_ends_is_a_bug() -> None:
    table = game()
    table.emit(*[Passed()] * MOST_ENTRIES)
    with pytest.raises(RuleBug, match=str(MOST_ENTRIES)):
        table.emit(Passed())


@pytest.mark.parametrize(
    "effect",
    [
        lambda probe: probe.emit(Passed()),
        lambda probe: probe.roll(Pool(1), "dice", Seat(0)),
        lambda probe: probe.shuffle(2, "order"),
        lambda probe: probe.deck("fruit").new(CARDS),
        lambda probe: probe.deck("fruit").undrawn,
        lambda probe: stop(probe.round()),
        lambda probe: stop(probe.ask(Seat(0), ASK, "sure")),
    ],
    ids=["emit", "roll", "shuffle", "deck", "cards", "round", "ask"],
)
def test_a_probe_ends_at_any_effect_and_rolls_nothing(effect: Callable[[Probe[Market]], object]) -> None:
    probe = Probe(HAGGLE.start(b"", 3), Record(), ScriptedDice())
    with pytest.raises(EffectReached):
        effect(probe)
    assert not probe.trail


def test_only_a_probe_may_be_bare() -> None:
    assert not game().bare
    assert not Probe(HAGGLE.start(b"", 3), Record(), ScriptedDice()).bare
    assert Probe(HAGGLE.start(b"", 3), Record(), ScriptedDice(), bare=True).bare


def test_a_declared_action_stands_in_the_record_until_it_is_resolved() -> None:
    table = game(4, 2)
    shot = table.declare("shot", Seat(0), group=NodeId("group/1"), target=NodeId("group/2"))
    table.roll(Pool(1), "dice.shot", Seat(0))
    table.roll(Pool(1), "dice.secret", Seat(0), only(Seat(0)))
    (action,) = table.record.declared
    assert (action.kind, action.seat, action.n, action.number_for(1)) == ("shot", 0, 1, 1)
    assert action.about == {"group": "group/1", "target": "group/2"}
    assert action.rolls == ((RollId(4, 0), "dice.shot"),), "a hidden roll is not shown with an open action"
    shot.resolve("hit", kills=2)
    assert (table.record.declared, table.record.acts) == ((), 1)
    assert table.trail[-1].event == ActionResolved(0, "hit", {"kills": 2})


def test_actions_of_one_audience_are_told_apart_by_their_place() -> None:
    table = game()
    outer, inner = (table.declare(kind, Seat(0)) for kind in ("move", "shot"))
    hidden, other = (table.declare("scheme", Seat(seat), only(Seat(seat))) for seat in (1, 2))
    outer.resolve("done")
    other.resolve("done")
    assert [action.kind for action in table.record.declared] == ["shot", "scheme"]
    hidden.resolve("done")
    inner.resolve("done")
    resolved = [trace.event for trace in table.trail if isinstance(trace.event, ActionResolved)]
    assert [(one.place, one.to.seats) for one in resolved] == [(0, None), (0, (2,)), (0, (1,)), (0, None)]


def test_a_seat_counts_the_hidden_actions_that_it_knows_of_alone() -> None:
    table = game()
    for seat in (1, 2, 1):
        table.declare("scheme", Seat(seat), only(Seat(seat)))
    table.declare("plot", Seat(1), only(Seat(1), Seat(2)))
    numbers = [(one.number_for(0), one.number_for(1), one.number_for(2)) for one in table.record.declared]
    assert numbers == [(0, -1, 0), (0, 0, -1), (0, -2, 0), (0, -3, -2)]
    assert {one.number_for(None) for one in table.record.declared} == {0}
    assert table.record.acts == 0


def test_an_action_is_resolved_once() -> None:
    table = game()
    shot = table.declare("shot", Seat(0))
    table.declare("shot", Seat(0))
    shot.resolve("hit")
    with pytest.raises(RuleBug, match="resolved already: shot"):
        shot.resolve("missed")


def test_a_probe_declares_nothing() -> None:
    probe = Probe(HAGGLE.start(b"", 3), Record(), ScriptedDice())
    with pytest.raises(EffectReached):
        probe.declare("shot", Seat(0))
