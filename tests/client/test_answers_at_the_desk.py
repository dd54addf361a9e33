"""What a player's desk takes for answered: only what the host keeps sealed, and only at the prompt it was said at.
And that nothing is said before what was said is answered."""

from __future__ import annotations

from collections.abc import Mapping

from arcade import key as keys

from client.desk import Desk
from client.views.table import TableScreen
from protocol.from_client import Intent
from protocol.from_server import Ack, Detail, Reject
from protocol.scene import Choice, Prompt, Reply
from protocol.text import text
from tests.support.hand import Hand
from tests.support.sessions import Table

QUESTION = Prompt("q1", text("title"), (Choice("stay", text("stay")), Choice("go", text("go"))), "choice", "stay")
NEXT = Prompt("q2", text("title"), (Choice("yes", text("yes")), Choice("no", text("no"))), "sealed", "no")


class Host:
    """Takes replies, and leaves it to the test how they end."""

    def __init__(self) -> None:
        self.detail: Detail | None = None
        self.links_made = 1
        self.sealed = b""
        self.unanswered: dict[bytes, Reply] = {}

    def intend(self, reply: Reply) -> bytes:
        id = bytes([len(self.unanswered) + 1]) * 16
        self.unanswered[id] = reply
        return id

    def ask_detail(self, choice: str, fields: Mapping[str, object]) -> int:
        raise AssertionError("no field here is left to the server")

    def seal(self) -> None:
        """All that was said is kept until the question closes."""
        self.sealed = next(iter(self.unanswered))
        self.unanswered.clear()


def asked(prompt: Prompt) -> tuple[Desk, Host]:
    host = Host()
    desk = Desk(host)
    desk.update(prompt, host.unanswered)
    return desk, host


def test_a_refused_answer_is_none_and_another_can_be_given() -> None:
    desk, host = asked(QUESTION)
    desk.choose("go")
    host.unanswered.clear()
    desk.update(QUESTION, host.unanswered)
    assert not desk.answered
    desk.choose("stay")
    assert list(host.unanswered.values()) == [Reply("stay")]


def test_a_sealed_answer_is_shown_and_a_refused_change_leaves_it() -> None:
    desk, host = asked(QUESTION)
    desk.choose("stay")
    host.seal()
    desk.update(QUESTION, host.unanswered)
    assert desk.answered == "stay"
    host.sealed = b""
    desk.choose("go")
    host.unanswered.clear()
    desk.update(QUESTION, host.unanswered)
    assert desk.answered == "stay"


def test_an_answer_acknowledged_after_the_next_question_came_is_not_an_answer_to_that() -> None:
    desk, host = asked(QUESTION)
    desk.choose("go")
    desk.update(NEXT, host.unanswered)
    host.seal()
    desk.update(NEXT, host.unanswered)
    assert not desk.answered
    assert not desk.busy


def test_a_second_click_says_nothing_until_the_first_is_answered() -> None:
    desk, host = asked(QUESTION)
    desk.choose("go")
    desk.choose("go")
    desk.choose("stay")
    assert not desk.pick(("group/1",))
    assert list(host.unanswered.values()) == [Reply("go")]
    host.unanswered.clear()
    desk.update(QUESTION, host.unanswered)  # done, and the choices are what they were
    desk.choose("go")
    assert list(host.unanswered.values()) == [Reply("go")]


def test_a_desk_that_is_made_anew_waits_for_what_is_on_its_way() -> None:
    desk, host = asked(QUESTION)
    desk.choose("go")
    again = Desk(host)
    again.update(QUESTION, host.unanswered)
    again.choose("go")
    assert again.busy and list(host.unanswered.values()) == [Reply("go")]
    host.unanswered.clear()
    again.update(QUESTION, host.unanswered)
    assert not again.busy and not again.answered


def test_two_clicks_in_the_window_are_one_act_and_after_its_answer_a_third_is_another(table: Table, hand: Hand) -> None:
    hand.click_on("End the card")
    hand.press(keys.KEY_5)
    first = table.intent()
    assert [said for said in table.said if isinstance(said, Intent)] == [first]
    table.say(Ack(first.id))
    hand.click_on("End the card")
    second = table.intent()
    assert second.id != first.id and second.prompt == first.prompt


def test_a_look_at_the_lobby_makes_no_second_act_of_what_is_on_its_way(table: Table, hand: Hand) -> None:
    hand.click_on("End the card")
    said = table.intent()
    table.pilot.to_lobby()
    table.settle()
    table.pilot.to_table()
    table.settle()
    assert isinstance(table.app.front, TableScreen) and table.app.front.desk.busy
    assert table.intent() is said
    table.say(Ack(said.id))
    assert not table.app.front.desk.busy


def test_a_window_takes_a_refusal_and_a_plain_acknowledgement_for_no_answer(table: Table, hand: Hand) -> None:
    view = table.app.front
    assert isinstance(view, TableScreen)
    hand.click_on("End the card")
    table.say(Reject(table.intent().id, "move/too-near", text("why.dice")))
    assert _answered(view) == ""
    hand.click_on("End the card")
    table.say(Ack(table.intent().id))
    assert _answered(view) == ""
    hand.click_on("End the card")
    table.say(Ack(table.intent().id, question=4))
    assert _answered(view) == "end"


def _answered(view: TableScreen) -> str:
    return view.desk.answered
