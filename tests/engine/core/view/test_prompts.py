"""Prompts and replies: what a seat is offered, and what its reply stands for."""

from __future__ import annotations

from operator import is_

import pytest

from engine.core.bots.random_bot import RandomBot
from engine.core.match.causes import Answered, Intended, Undo
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent
from engine.core.view.prompts import (
    UNDO,
    cause_of,
    detail_for,
    idle_prompt_key,
    prompt_for,
    prompt_key,
    prompt_source,
    waits_for,
)
from protocol.ids import PromptId
from protocol.scene.fields import Facing, PickCell, PickOption
from protocol.scene.nodes import Prompt, Reply, UndoState, Waits
from protocol.text import Text
from tests.support.play.observed import Observed
from tests.support.play.proving_checks import table_of
from tests.support.proving import system as proving
from tests.support.proving.state import GRID, Field
from tests.support.systems.haggle import HAGGLE, Act, Buy, Ledger, Pass
from tests.support.systems.stopping import MATCH, stopping

ID, SAID = bytes(16), b"s" * 32


def test_before_a_match_has_begun_nobody_is_offered_anything() -> None:
    assert prompt_for(Match(HAGGLE, MATCH, MatchDice(bytes(32), MATCH)), Seat(0), None) is None


def test_who_is_to_act_has_what_the_rules_offer_with_the_reason_against_undo() -> None:
    match = Ledger().match
    offer = prompt_source(match, Seat(0))
    prompt = prompt_for(match, Seat(0), offer)
    assert isinstance(offer, Prompt)
    assert prompt is not None
    assert prompt.choices == offer.choices
    assert prompt.undo == UndoState(can=False, why=Text("refuse.undo/started"))
    assert prompt_for(match, Seat(1), None) is None


def test_who_can_only_take_back_watches() -> None:
    ledger = Ledger()
    ledger.act(0, Buy("bread"))
    ledger.act(0, Pass())
    prompt = prompt_for(ledger.match, Seat(0), None)
    assert prompt == Prompt(PromptId(""), Text("prompt.watch"), (), undo=UndoState(can=True))


def test_who_is_asked_has_the_question() -> None:
    ledger = Ledger()
    ledger.act(0, Act("auction"))
    match = ledger.match
    assert match.question is not None
    ask = match.question.asks[Seat(1)]
    assert prompt_source(match, Seat(1)) is ask
    prompt = prompt_for(match, Seat(1), ask)
    assert prompt is not None
    assert (prompt.title, prompt.choices, prompt.window, prompt.default) == (ask.title, ask.choices, "sealed", "0")
    assert prompt.undo == UndoState(can=False, why=Text("refuse.undo/waiting"))


def test_while_its_key_is_the_same_a_prompt_is_too() -> None:
    ledger = Ledger()
    match = ledger.match
    offer = prompt_source(match, Seat(0))
    assert all(map(is_, prompt_key(match, Seat(0), offer), prompt_key(match, Seat(0), offer)))
    assert all(map(is_, prompt_key(match, Seat(1), None), idle_prompt_key(match)))
    before = idle_prompt_key(match)
    ledger.act(0, Buy("bread"))
    assert not all(map(is_, before, idle_prompt_key(match)))


def test_the_table_waits_for_a_turn_or_for_answers() -> None:
    ledger = Ledger()
    assert waits_for(ledger.match, [Seat(0)]) == Waits((0,), Text("waits.turn"))
    ledger.act(0, Act("vote"))
    assert waits_for(ledger.match, ledger.match.may_act()) == Waits((0, 1, 2), Text("waits.vote"), "vote")


def test_a_reply_stands_for_an_intent_an_answer_or_an_undo() -> None:
    ledger = Ledger()
    match = ledger.match
    intent = cause_of(match, Seat(0), ID, Reply("buy", {"good": "bread"}), SAID)
    assert intent == Intended(0, ID, match.codec.encode_intent(Buy("bread")), SAID)
    assert cause_of(match, Seat(2), ID, Reply(UNDO), SAID) == Undo(2, ID, SAID)
    ledger.act(0, Act("auction"))
    assert cause_of(match, Seat(1), ID, Reply("2"), SAID) == Answered(1, ID, 0, Reply("2"))


def test_a_reply_out_of_turn_is_refused() -> None:
    ledger = Ledger()
    with pytest.raises(IllegalIntent, match="turn/not-yours"):
        cause_of(ledger.match, Seat(1), ID, Reply("pass"))
    ledger.act(0, Act("ask_self"))
    with pytest.raises(IllegalIntent, match="turn/wait"):
        cause_of(ledger.match, Seat(1), ID, Reply("pass"))
    parted = Ledger(parts=True).match
    assert parted.wants_round
    with pytest.raises(IllegalIntent, match="turn/wait"):
        cause_of(parted, Seat(0), ID, Reply("pass"))


def test_a_detail_is_that_of_the_rules_or_of_the_question() -> None:
    match = stopping()
    assert detail_for(match, Seat(0), "buy", {}) == PickOption("good", Text("full"))
    assert detail_for(match, Seat(0), "buy", {}, bare=True) == PickOption("good", Text("bare"))
    with pytest.raises(IllegalIntent, match="turn/not-yours"):
        detail_for(match, Seat(1), "buy", {})
    asking = Ledger()
    asking.act(0, Act("ask_self"))
    with pytest.raises(IllegalIntent, match="reply/unknown-field"):
        detail_for(asking.match, Seat(0), "yes", {})
    with pytest.raises(IllegalIntent, match="turn/not-yours"):
        detail_for(asking.match, Seat(1), "yes", {})


def at_a_question(kind: str) -> Observed[Field]:
    """Play matches of the proving game until one asks such a question."""
    for seed in range(200):
        table = table_of(proving, seed)
        bots = {Seat(s): RandomBot(seed + s) for s in range(3)}
        while table.play.decide(bots):
            if table.match.question is not None and table.match.question.kind == kind:
                return table
    raise AssertionError(f"nothing asks {kind}")


def test_a_lazy_field_of_a_question_is_filled_in_from_a_probe_and_the_fields_before_it() -> None:
    table = at_a_question("fall-back")
    match, question = table.match, table.match.question
    assert question is not None
    (seat,) = question.asks
    cells = detail_for(match, seat, "back", {})
    assert isinstance(cells, PickCell)
    cell = list(cells.options[-1])
    facing = detail_for(match, seat, "back", {"cell": cell})
    assert isinstance(facing, Facing)
    assert facing.at == GRID.centre(cells.options[-1])
    with pytest.raises(IllegalIntent, match="way/none"):
        detail_for(match, seat, "back", {"cell": [0, 99]})
    with pytest.raises(IllegalIntent, match="facing/none"):
        table.play.submit(seat, Reply("back", {"cell": cell, "facing": 7}))
    table.play.submit(seat, Reply("back", {"cell": cell, "facing": facing.angles[-1]}))
    table.check_log()
