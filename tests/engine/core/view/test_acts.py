"""Open actions: their names as they were declared, their items on the stack, and the acts that are told of them."""

from __future__ import annotations

from engine.core.match.causes import Answered, Void
from engine.core.match.match import Match
from engine.core.rules.node_ids import seat_node
from engine.core.view.acts import OpenActions, open_names, stack_of
from protocol.scene.nodes import VOIDED, Act, Dice, Reply, StackItem
from protocol.text import Text
from tests.support.systems.haggle import HAGGLE, Act as HaggleAct, Ledger, Market

ID = bytes(16)
TITLE = Text("act.trade", {"group": Text("s0"), "buyer": Text("s1")})
SOLD = {"group": Text("s0"), "buyer": Text("s1")}


def traded(*replies: str) -> Ledger:
    """A trade of seat 0 with seat 1, and so many answers: of seat 1 whether it haggles, of seat 0 whether it raises."""
    ledger = Ledger()
    ledger.act(0, HaggleAct("trade"))
    for question, reply in enumerate(replies):
        ledger.do(Answered((1, 0)[question], ID, question, Reply(reply)))
    return ledger


def test_open_actions_have_the_names_of_their_declaration() -> None:
    match = traded("yes").match
    names = open_names(match)
    assert [names[action.key] for action in match.record.declared] == [SOLD, {"group": Text("s1")}]
    assert open_names(traded("yes").refolded()) == names
    assert open_names(Ledger().match) == {}


def test_the_newest_action_is_first_on_the_stack_with_its_dice() -> None:
    match = traded("yes").match
    stack = stack_of(match, None, open_names(match))
    (roll, _), *_ = match.record.declared[1].rolls
    assert stack == {
        "stack/act.0": StackItem(Text("act.trade", {**SOLD}), 0, about=(seat_node(0), seat_node(1))),
        "stack/act.1": StackItem(
            Text("act.answer", {"group": Text("s1")}), -1, (), (Dice.of(roll, Text("dice.haggle")),), (seat_node(1),)
        ),
    }
    assert stack_of(match, 0, open_names(match)) == {}


def test_a_hidden_action_stands_on_the_stack_of_those_who_know_of_it() -> None:
    ledger = Ledger()
    ledger.act(0, HaggleAct("scheme"))
    assert (
        stack_of(ledger.match, None, open_names(ledger.match))
        == stack_of(ledger.match, 1, open_names(ledger.match))
        == {}
    )
    assert stack_of(ledger.match, 0, open_names(ledger.match)).keys() == {"stack/own.0"}


def followed(match: Match[Market], ledger: Ledger, since: int) -> list[list[Act]]:
    """The public acts that each step from `since` on declares or ends."""
    actions, found = OpenActions(match), list[list[Act]]()
    for data in ledger.steps[since:]:
        step = match.replay(data)
        actions.told = []
        for trace in step.trail:
            actions.take(trace)
        found.append([told.act(None) for told in actions.told])
    return found


def test_an_act_has_a_sum_when_it_has_ended() -> None:
    ledger = traded("yes", "yes")
    again = Match(HAGGLE, ledger.match.id, ledger.dice)
    *_, begun, haggled, ended = followed(again, ledger, 0)
    total = ended[0].counts["coins"]
    (trade,), (answer,) = begun, haggled
    assert (trade.n, trade.verb, trade.seat, trade.group, trade.title) == (1, "trade", 0, seat_node(0), TITLE)
    assert (answer.n, answer.verb, answer.seat, answer.group) == (2, "answer", 1, seat_node(1))
    assert (trade.sum, answer.sum) == (None, None)
    assert [(act.n, act.sum) for act in ended] == [
        (2, Text("act.answer.haggled", {"group": Text("s1"), "coins": total})),
        (1, Text("act.trade.sold", {**SOLD, "coins": 1})),
    ]


def test_an_act_that_is_given_up_says_so_also_after_a_restart() -> None:
    ledger = traded("yes")
    again = ledger.refolded()
    ledger.do(Void("e-1"))
    (given_up,) = followed(again, ledger, len(ledger.steps) - 1)
    assert [(act.n, act.how) for act in given_up] == [(1, VOIDED), (2, VOIDED)]
    assert given_up[0].sum == Text("act.voided", {"title": TITLE})
