"""A procedure run ahead: its effects change a copy of the state, and it ends where chance or a person would decide."""

from __future__ import annotations

import pytest

from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.errors import EffectReached, IllegalIntent
from engine.core.rules.rehearsal import Rehearsal, run_ahead
from tests.support.play.proving_checks import table_of
from tests.support.proving import events, system
from tests.support.proving.play import march, set_flags
from tests.support.proving.reacting import Reactions
from tests.support.proving.state import Field

WEST = Seat(0)


def begun() -> Match[Field]:
    table = table_of(system, 3)
    while table.match.question is not None:
        table.play.expire()
    return table.match


def rehearsal(match: Match[Field]) -> Rehearsal[Field]:
    return Rehearsal(match.state, match.record, match.dice)


def test_effects_change_the_copy_alone() -> None:
    match = begun()
    game, places = rehearsal(match), tuple((300 + 80 * n, 300) for n in range(6))
    run_ahead(set_flags(game, WEST, events.SetFlags(places)))
    assert game.state.flags[WEST] == places
    assert match.state.flags[WEST] == ()


def test_it_ends_where_others_are_asked() -> None:
    match = begun()
    game = rehearsal(match)
    run_ahead(march(game, WEST, events.March(0, ((1, 0),)), Reactions()))
    assert game.state.activation is not None
    unit = game.state.unit(0)
    assert unit is not None
    assert unit.cell == (0, 0), "the reactions come before the first step"


def test_chance_is_never_touched() -> None:
    game = rehearsal(begun())
    for touch in (lambda: game.shuffle(3, "x"), lambda: game.opaque("x"), lambda: game.deck("cards")):
        with pytest.raises(EffectReached):
            touch()


def test_a_refusal_comes_through() -> None:
    game = rehearsal(begun())
    with pytest.raises(IllegalIntent, match="way/none"):
        run_ahead(march(game, WEST, events.March(0, ((8, 6),)), Reactions()))
