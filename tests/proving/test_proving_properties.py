"""The engine's properties on its hardest case, and planted leaks that these very checks must find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import pytest
from hypothesis import given, strategies as st

from engine.core.bots.random_bot import RandomBot
from engine.core.rules.audience import Seat
from engine.core.rules.events import CoreEvent, Event
from engine.core.rules.questions import SEALED, Window
from engine.core.rules.system import Part
from protocol.ids import NodeId
from protocol.scene.nodes import Counter as CounterNode, Cue
from protocol.text import text
from tests.support.play.checked_play import undoes
from tests.support.play.proving_checks import (
    OWNER,
    check_hands,
    check_hidden_position,
    check_sealed,
    heard,
    table_of,
)
from tests.support.proving import events, system
from tests.support.proving.asks import able
from tests.support.proving.hexes import distance
from tests.support.proving.reacting import Reactions
from tests.support.proving.state import Field
from tests.support.proving.system import SEATS, Proving

LEAK_SEEDS = range(25)
KINDS = {"hide", "react", "order", "overwatch", "before-test", "split", "fall-back", "in-view"}


@given(st.integers(0, 2**32), st.sets(st.integers(0, 60), max_size=6))
def test_fold_rebuild_projection_and_undo_agree_at_every_stop(seed: int, undos: set[int]) -> None:
    table = table_of(system, seed)
    bots = {Seat(s): RandomBot(seed + s) for s in range(SEATS)}
    for turn in range(150):
        table.check_log()
        table.check_views()
        if turn in undos:
            before = table.match.state
            for seat in bots:
                if undoes(table, seat):
                    assert table.match.state != before
        if not table.play.decide(bots):
            break


@given(st.integers(0, 2**32), st.integers(1, 4))
def test_time_may_run_out_at_every_question(seed: int, every: int) -> None:
    """Every so many decisions are left to the clock; the match goes on to its end, and folds to the same."""
    table = table_of(system, seed)
    bots = {Seat(s): RandomBot(seed + s) for s in range(SEATS)}
    for turn in range(200):
        if not table.match.may_act():
            break
        if turn % every:
            table.play.decide(bots)
        else:
            table.play.expire()
            table.check_log()
            table.check_views()
    assert table.match.result is not None


def test_time_runs_out_at_each_kind_of_question_at_least_once() -> None:
    expired: Counter[str] = Counter()
    for seed in range(400):
        table = table_of(system, seed)
        bots = {Seat(s): RandomBot(seed + s) for s in range(SEATS)}
        while table.match.may_act() and len(table.log) < 120:
            question = table.match.question
            if question is not None and not expired[question.kind]:
                expired[question.kind] += 1
                table.play.expire()
                table.check_log()
                table.check_views()
            else:
                table.play.decide(bots)
        if set(expired) >= KINDS:
            return
    assert set(expired) >= KINDS


@given(st.integers(0, 2**32))
def test_every_declared_reaction_ends_in_an_event(seed: int) -> None:
    table = table_of(system, seed)
    bots = {Seat(s): RandomBot(seed + s) for s in range(SEATS)}
    table.play.play(bots, 200)
    open_: Counter[int] = Counter()
    for data in table.log:
        for entry in table.match.codec.decode(data).entries:
            if isinstance(entry, events.Reacting):
                open_[entry.unit] += 1
            elif isinstance(entry, (events.Answered, events.Lapsed)):
                open_[entry.unit] -= 1
            elif isinstance(entry, events.Completed):
                assert not +open_
                assert not -open_


@given(st.integers(0, 2**32))
def test_nobody_learns_where_a_hidden_unit_stands(seed: int) -> None:
    check_hidden_position(system, seed)


@given(st.integers(0, 2**32))
def test_nobody_learns_which_cards_another_holds(seed: int) -> None:
    check_hands(system, seed)


@given(st.integers(0, 2**32))
def test_nobody_learns_of_a_sealed_answer_or_a_standing_order(seed: int) -> None:
    check_sealed(system, seed)


# Planted leaks


class NamesTheHidden(Proving):
    """A public cue names a unit that is still in the dark."""

    def cues(self, event: Event[Field] | CoreEvent, before: Field, after: Field) -> Iterable[Cue]:
        yield from super().cues(event, before, after)
        if isinstance(event, events.Declared):
            near = [u.node for u in after.of(OWNER, hidden=True) if distance(u.cell, event.path[-1]) < 5]
            yield Cue("note", text("pv.declared"), about=tuple(near))


class OnlyThoseWhoCan(Reactions):
    """Asks only seats that really can react."""

    def who_might(self, state: Field) -> list[Seat]:
        return [seat for seat in super().who_might(state) if able(state, seat)]


class LongerForThoseWhoCan(Reactions):
    """Waits longer when someone can react."""

    def window(self, state: Field) -> Window:
        can = any(u.hidden for seat in self.who_might(state) for u in able(state, seat))
        return Window("vote", 10) if can else SEALED


class OneByte(Proving):
    """A public number is one byte longer in one of two cases."""

    def public(self, state: Field) -> Iterable[Part]:
        yield from super().public(state)
        dark = [unit.cell[0] for unit in state.of(OWNER, hidden=True)]
        size = 100 + 100 * (sum(dark) % 2)
        yield Part(NodeId("counter/odd"), (object(),), lambda: CounterNode(text("pv.turn"), size))


class CountsCards(Proving):
    """A public node counts the cards that others hold of one kind."""

    def public(self, state: Field) -> Iterable[Part]:
        yield from super().public(state)
        held = sum(hand.count("dash") for hand in state.hands)
        yield Part(NodeId("counter/dash"), (held,), lambda: CounterNode(text("pv.dash"), held))


LEAKS = {
    "a hidden unit's id in a cue": (NamesTheHidden, check_hidden_position),
    "only those who can are asked": (lambda: Proving(OnlyThoseWhoCan()), check_hidden_position),
    "a longer wait when someone can react": (lambda: Proving(LongerForThoseWhoCan()), check_hidden_position),
    "one byte of size": (OneByte, check_hidden_position),
    "a count of cards": (CountsCards, check_hands),
}


def check_all(check: Callable[[Proving, int], object], leaky: Proving) -> None:
    for seed in LEAK_SEEDS:
        check(leaky, seed)


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str) -> None:
    make: Callable[[], Proving]
    make, check = LEAKS[leak]
    with pytest.raises(AssertionError, match=r"differ|waits|tells"):
        check_all(check, make())


def test_what_is_held_against_the_leaks_does_not_find_one_where_none_is() -> None:
    for seed in LEAK_SEEDS:
        check_hidden_position(system, seed)
        check_hands(system, seed)
        check_sealed(system, seed)


def test_a_unit_that_comes_to_light_gets_a_name_it_never_had() -> None:
    revealed = 0
    for seed in range(12):
        table = table_of(system, seed)
        before: set[str] = set()
        bots = {Seat(s): RandomBot(seed + s) for s in range(SEATS)}
        while table.play.decide(bots):
            before.update(unit.node for unit in table.match.state.units if unit.hidden)
        shown = {
            f"piece/{entry.shown}"
            for data in table.log
            for entry in table.match.codec.decode(data).entries
            if isinstance(entry, events.Revealed)
        }
        revealed += len(shown)
        assert not shown & before
        told = b"".join(heard(table, None).frames)
        assert not any(name.encode() in told for name in before)
    assert revealed
