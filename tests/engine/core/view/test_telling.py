"""The telling of steps: each cue with its act, hidden ones to those alone who may know."""

from __future__ import annotations

from engine.core.match.causes import Answered, Undo
from engine.core.rules.audience import Seat
from engine.core.view.telling import StepTeller, Told
from protocol.scene.nodes import Cue, Reply
from protocol.text import Text
from tests.support.systems.haggle import Act, Ledger

ID = bytes(16)
NOTE = Cue("note", Text("x"))


def test_cues_of_no_act_need_no_number_at_the_end() -> None:
    told = Told()
    for act in (0, 2, 0, 1, 0):
        told.add(NOTE, act)
    assert (len(told.cues), told.of) == (5, [0, 2, 0, 1])


def test_a_cue_is_part_of_the_innermost_act() -> None:
    ledger = Ledger()
    teller = StepTeller(ledger.match)
    steps = [ledger.act(0, Act("trade")), ledger.do(Answered(1, ID, 0, Reply("yes")))]
    steps += [ledger.do(Answered(0, ID, 1, Reply("yes"))), ledger.act(0, Act("order"))]
    told = [teller.told(step)[None] for step in steps]
    assert [([cue.kind for cue in one.cues if isinstance(cue, Cue)], one.of) for one in told] == [
        ([], []),
        (["dice"], [2]),
        (["note", "note"], [2, 1]),
        (["note"], []),
    ]
    assert [[act.n for act in one.acts] for one in told] == [[1], [2], [2, 1], []]


def test_a_hidden_act_is_told_to_those_alone_who_know_of_it() -> None:
    ledger = Ledger()
    teller = StepTeller(ledger.match)
    begun = teller.told(ledger.act(0, Act("scheme")))
    ended = teller.told(ledger.do(Answered(0, ID, 0, Reply("yes"))))
    assert begun.keys() == ended.keys() == {Seat(0)}
    assert [(act.n, act.sum) for act in (*begun[Seat(0)].acts, *ended[Seat(0)].acts)] == [
        (-1, None),
        (-1, Text("act.scheme.done", {"group": Text("s0")})),
    ]


def test_what_is_taken_back_is_part_of_no_act() -> None:
    ledger = Ledger()
    teller = StepTeller(ledger.match)
    for step in (ledger.act(0, Act("scheme")), ledger.do(Answered(0, ID, 0, Reply("yes")))):
        teller.told(step)
    told = teller.told(ledger.do(Undo(0, ID)))
    assert told.keys() == {None}
    assert (told[None].of, told[None].acts) == ([], [])
