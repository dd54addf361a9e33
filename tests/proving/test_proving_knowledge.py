"""Knowledge of a seat of the proving game: it gets nothing beyond."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given, strategies as st

from engine.core.bots.random_bot import Chance, RandomBot
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent, RuleBug
from engine.core.rules.game import Game
from engine.core.view import prompts
from protocol.scene.fields import AnyField
from tests.proving.test_proving_properties import LEAK_SEEDS, CountsCards
from tests.support.play.knowledge import check_knowledge, packed
from tests.support.play.proving_checks import OWNER, bots_of, is_dark, play, table_of
from tests.support.proving import events, system
from tests.support.proving.secrets import marker
from tests.support.proving.state import HOMES, NOWHERE, Field
from tests.support.proving.system import SEATS, Proving


def check(proving: Proving, seed: int, most: int = 60) -> int:
    """Look at a random match as each seat in turn; return how often there was something to hide."""
    table = table_of(proving, seed)
    bots = {Seat(s): RandomBot(seed + s) for s in range(SEATS)}
    hid = 0
    for turn in range(most):
        seat = table.play.next_seat()
        if seat is None:
            break
        for viewer in {seat, Seat(turn % SEATS)}:
            check_knowledge(table.match, viewer, seed + turn)
            hid += packed(table.match.known(viewer)) != packed(table.match.state)
        table.play.decide(bots)
    return hid


def check_all(make: Callable[[], Proving]) -> None:
    for seed in LEAK_SEEDS:
        check(make(), seed)


@given(st.integers(0, 2**32))
def test_what_a_seat_gets_follows_from_what_it_knows(seed: int) -> None:
    assert check(system, seed) > 0


@given(st.integers(0, 2**32))
def test_what_others_hide_is_in_nothing_that_a_seat_knows(seed: int) -> None:
    """Two matches that differ only in where a unit hides: all but its owner know the same of both."""
    one, other = table_of(system, seed), table_of(system, seed)
    for table, cell in ((one, HOMES[OWNER][2]), (other, HOMES[OWNER][5])):
        play(table, bots_of(seed), SEATS, cell)
        assert is_dark(table)
    for seat in (Seat(s) for s in range(SEATS)):
        same = packed(one.match.known(seat)) == packed(other.match.known(seat))
        assert same == (seat != OWNER)
        assert packed(one.match.probe(seat).record.decks) == packed(other.match.probe(seat).record.decks)


def test_a_seat_knows_its_own_and_of_others_that_they_have_some() -> None:
    table = table_of(system, 1)
    play(table, bots_of(1), SEATS)
    known, whole = table.match.known(Seat(0)), table.match.state
    assert table.match.known(Seat(0)) is known
    assert [unit.cell == NOWHERE for unit in known.of(1)] == [False, False, True]
    assert list(known.of(0)) == list(whole.of(0))
    assert known.hands == (whole.hands[0], ("",), ("",))
    deck = table.match.probe(Seat(0)).deck("cards")
    assert deck.left == Game(whole, table.match.record, table.dice).deck("cards").left
    assert table.match.probe(Seat(0)).record.decks["cards"].drawn == ("",) * SEATS


def test_what_is_split_is_for_all_and_for_single_seats() -> None:
    table = table_of(system, 1)
    game: Game[Field] = Game(table.match.state, table.match.record, table.dice)
    with pytest.raises(RuleBug, match="CardTaken is not for all"):
        game.emit_split(events.CardTaken(0, "dash"), {})
    with pytest.raises(RuleBug, match="CardTaken is not for seat 1 alone"):
        game.emit_split(events.HandGrew(0), {Seat(1): events.CardTaken(0, "dash")})
    assert not game.trail
    game.emit_split(events.WentDark(marker(9, 2)), {})
    assert [type(trace.event) for trace in game.trail] == [events.WentDark]


# Planted leaks


class KnowsAll(Proving):
    """A seat knows whatever there is."""

    def known(self, state: Field, seat: Seat) -> Field:
        return state

    def imagine(self, known: Field, chance: Chance) -> Field:
        hands = tuple((*reversed(hand), "dash") for hand in known.hands)
        return known.with_hands(hands)


@pytest.mark.parametrize(("leaky", "found"), [(KnowsAll, "knows what was imagined"), (CountsCards, "scene differs")])
def test_a_system_that_leaks_is_found(leaky: Callable[[], Proving], found: str) -> None:
    with pytest.raises(AssertionError, match=found):
        check_all(leaky)


def test_a_core_that_hands_out_the_state_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = prompts.detail_for

    def leaky(match: Match[Any], seat: Seat, *asked: Any, **named: Any) -> AnyField:
        monkeypatch.setattr(match, "known", lambda _: match.state)
        return real(match, seat, *asked, **named)

    class FeelsTheDark(Proving):
        """Details that shun cells where something hides."""

        def detail(self, game: Game[Field], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
            hidden = {unit.cell for unit in game.state.units if unit.hidden and unit.owner != seat} - {NOWHERE}
            field = super().detail(game, seat, choice, fields)
            options = getattr(field, "options", ())
            if hidden & set(options):
                raise IllegalIntent("way/none")
            return field

    for seed in range(5):
        check(FeelsTheDark(), seed)
    monkeypatch.setattr(prompts, "detail_for", leaky)
    with pytest.raises(AssertionError, match=r"detail|reply"):
        check_all(FeelsTheDark)
