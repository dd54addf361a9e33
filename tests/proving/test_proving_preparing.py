"""A phase that each seat ends for itself, and a table of one seat, which plays against the game."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, strategies as st

from engine.core.bots.bot import run_inline
from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlayView
from engine.core.match.causes import Expiry, Undo
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent
from engine.core.view.prompts import waits_for
from protocol.ids import MatchId
from protocol.scene.nodes import Reply
from tests.support.play.checked_play import undoes
from tests.support.play.knowledge import check_knowledge
from tests.support.play.observed import Observed
from tests.support.proving import events, system
from tests.support.proving.ground import GROUND
from tests.support.proving.state import Field, Scenario

WEST, EAST, NORTH = map(Seat, range(3))
ID = bytes(16)


def table_of(seed: int, seats: int = 3, turns: int = 4) -> Observed[Field]:
    """Begin a match in which all prepare; nobody has hidden a unit yet."""
    dice = MatchDice(seed.to_bytes(32, "big"), MatchId("m1"))
    return Observed(system, dice, msgspec.msgpack.encode(Scenario(turns, seats=seats, prepare=True)), seats)


def preparing(seed: int = 1) -> Observed[Field]:
    """Return the match once all have hidden their units."""
    table = table_of(seed)
    table.play.expire()
    assert table.match.may_act() == (WEST, EAST, NORTH)
    return table


def undo(table: Observed[Field], seat: Seat) -> None:
    table.play.do(Undo(seat, ID))
    table.check_log()
    table.check_views()


def say(table: Observed[Field], seat: Seat, choice: str, **fields: object) -> None:
    table.play.submit(seat, Reply(choice, fields))
    table.check_log()
    table.check_views()


def test_all_act_in_any_order_and_each_ends_it_for_itself() -> None:
    table = preparing()
    say(table, NORTH, "face", unit=["piece/u20"], facing=60)
    say(table, WEST, "shift", unit=["piece/u00"], cell=[1, 1])
    say(table, NORTH, "ready")
    assert waits_for(table.match, table.match.may_act()).seats == (WEST, EAST)
    with pytest.raises(IllegalIntent, match="turn/not-yours"):
        say(table, NORTH, "face", unit=["piece/u21"], facing=60)
    say(table, WEST, "ready")
    say(table, EAST, "ready")
    assert (table.match.state.preparing, table.match.state.turn) == (False, 1)
    assert table.match.may_act() == (WEST,)


def test_each_takes_its_own_acts_back_whatever_others_have_done_since() -> None:
    table = preparing()
    say(table, WEST, "shift", unit=["piece/u00"], cell=[1, 1])
    say(table, EAST, "face", unit=["piece/u10"], facing=60)
    say(table, WEST, "ready")
    say(table, EAST, "face", unit=["piece/u11"], facing=120)
    assert [table.match.undo_refusal(seat) for seat in (WEST, EAST, NORTH)] == ["", "", "another-acted"]
    undo(table, WEST)
    undo(table, WEST)
    first, last = table.match.state.unit(0), table.match.state.unit(4)
    assert first is not None
    assert last is not None
    assert (first.cell, first.spent, last.facing) == ((0, 0), False, 120)
    assert table.match.state.ready == ()
    undo(table, EAST)
    undo(table, EAST)
    assert table.match.undo_refusal(EAST) == "nothing"


def test_who_ends_it_for_all_can_take_that_back_and_nobody_else_can() -> None:
    table = preparing()
    for seat in (WEST, EAST, NORTH):
        say(table, seat, "ready")
    assert [table.match.undo_refusal(seat) for seat in (WEST, EAST, NORTH)] == ["another-acted"] * 2 + [""]
    undo(table, NORTH)
    assert table.match.may_act() == (NORTH,)


def test_time_runs_out_for_one_and_not_for_the_others() -> None:
    table = preparing()
    say(table, WEST, "shift", unit=["piece/u00"], cell=[1, 1])
    say(table, EAST, "face", unit=["piece/u10"], facing=60)
    table.play.do(Expiry(seat=EAST))
    table.check_log()
    assert table.match.state.ready == (EAST,)
    assert [table.match.undo_refusal(seat) for seat in (WEST, EAST)] == ["", "another-acted"]
    undo(table, WEST)
    assert table.match.state.ready == (EAST,)
    assert table.match.may_act() == (WEST, NORTH)


@given(st.integers(0, 2**32), st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=24))
def test_acts_taken_back_have_never_been(seed: int, turns: list[tuple[int, bool]]) -> None:
    """In any order of acts and undos the match stands as if only what was not taken back had been done."""
    table = preparing(seed)
    stands: list[tuple[Seat, Reply]] = []
    bots = {seat: RandomBot(seed + seat) for seat in (WEST, EAST, NORTH)}
    for number, takes_back in turns:
        seat = Seat(number)
        if takes_back and undoes(table, seat):
            stands.pop(max(n for n, (who, _) in enumerate(stands) if who == seat))
            continue
        prompt = table.play.projector.prompt(seat)
        if seat not in table.match.may_act() or len(table.match.may_act()) == 1 or prompt is None:
            continue
        reply = run_inline(bots[seat].decide(SelfPlayView(table.play, seat, prompt)))
        try:
            table.play.submit(seat, reply)
        except IllegalIntent:
            continue
        stands.append((seat, reply))
    table.check_log()
    table.check_views()
    other = preparing(seed)
    for seat, reply in stands:
        other.play.submit(seat, reply)
    assert other.match.state == table.match.state
    assert other.match.may_act() == table.match.may_act()


@given(st.integers(0, 2**32))
def test_one_seat_plays_against_the_game_to_its_end(seed: int) -> None:
    table, bot = table_of(seed, 1, 5), RandomBot(seed)
    turn = 0
    while table.match.may_act():
        assert table.match.may_act() == (WEST,)
        if turn % 6 == 0:
            check_knowledge(table.match, WEST, turn)
            table.check_log()
            table.check_views()
        table.play.decide({WEST: bot})
        turn += 1
    table.check_log()
    table.check_views()
    result = table.match.result
    assert result is not None
    (seat,) = result.seats
    ground = sum(unit.strength for unit in table.match.state.of(GROUND))
    assert seat.won == (seat.score > ground)
    happened = {type(entry) for data in table.log for entry in table.match.codec.decode(data).entries}
    assert events.Prepared in happened
