"""What a player's desk takes for answered: only what the host keeps sealed, and only at the prompt it was said at.
And that nothing is said before what was said is answered."""

from __future__ import annotations

from collections.abc import Mapping

from arcade import key as keys
from msgspec.structs import replace

from client.input.prompt_controller import Desk
from client.net.link import Down, Up
from client.views.table.table_screen import TableScreen
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.text import text
from protocol.wire.from_client import Intent
from protocol.wire.from_server import Ack, Detail, Reject, Welcome
from tests.support.clients.sessions import Table
from tests.support.systems.hand import Hand

QUESTION = Prompt("q1", text("title"), (Choice("stay", text("stay")), Choice("go", text("go"))), "choice", "stay")
NEXT = Prompt("q2", text("title"), (Choice("yes", text("yes")), Choice("no", text("no"))), "sealed", "no")


class Host:
    """Takes replies, and leaves it to the test how they end."""

    def __init__(self) -> None:
        self.detail: Detail | None = None
        self.links_made = 1
        self.sealed = self.given_before = b""
        self.unanswered: dict[bytes, Reply] = {}
        self.said = 0

    def intend(self, reply: Reply) -> bytes:
        self.said += 1
        id = bytes([self.said]) * 16
        self.unanswered[id] = reply
        return id

    def ask_detail(self, choice: str, fields: Mapping[str, object]) -> int:
        raise AssertionError("no field here is left to the server")

    def seal(self) -> None:
        """All that was said is kept until the question closes."""
        self.sealed = next(iter(self.unanswered))
        self.unanswered.clear()

    def has_another(self) -> None:
        """The seat has answered before, from elsewhere."""
        self.given_before = next(iter(self.unanswered))
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


def test_a_sealed_answer_is_shown_and_nothing_more_is_offered_but_asides() -> None:
    desk, host = asked(QUESTION)
    desk.choose("stay")
    host.seal()
    for prompt in (QUESTION, replace(QUESTION), replace(QUESTION, title=text("title.new"))):
        desk.update(prompt, host.unanswered)
        assert desk.is_given
        assert (desk.answered, desk.answered_name) == ("stay", text("stay"))
        assert desk.driver is not None
        assert desk.driver.prompt == replace(prompt, choices=())
        desk.choose("go")
        assert not desk.busy
        assert not host.unanswered
    desk.update(replace(QUESTION, asides=(Choice("rest", text("rest")),)), host.unanswered)
    desk.choose("rest")
    assert list(host.unanswered.values()) == [Reply("rest")]
    host.unanswered.clear()
    desk.update(replace(QUESTION, asides=(Choice("rest", text("rest")),)), host.unanswered)
    assert desk.is_given
    assert desk.answered == "stay"
    assert not _choices(desk)
    desk.update(NEXT, host.unanswered)
    assert not desk.is_given
    assert _choices(desk) == NEXT.choices


def test_an_answer_that_was_given_from_elsewhere_is_shown_as_given_without_its_name() -> None:
    desk, host = asked(QUESTION)
    desk.choose("stay")
    host.has_another()
    desk.update(QUESTION, host.unanswered)
    assert desk.is_given
    assert not desk.answered
    assert desk.answered_name is None
    desk.choose("go")
    assert not host.unanswered


def test_after_a_reconnect_the_answer_on_its_way_is_said_again_before_anything_else_is_offered(
    table: Table, hand: Hand
) -> None:
    view = table.app.front
    assert isinstance(view, TableScreen)
    hand.click_on("End the card")
    pending = table.intent()
    table.wire.waiting += [Down("closed", 0, 0.0), Up()]
    table.settle()
    assert view.desk.busy
    table.say(Welcome("u1", "Bertram", "secret", "here", "0.1.0"))
    assert isinstance(table.last(Intent), Intent)
    assert table.intent().id == pending.id
    assert len([said for said in table.said if isinstance(said, Intent)]) == 2
    hand.press(keys.KEY_5)
    assert view.desk.busy
    assert len([said for said in table.said if isinstance(said, Intent)]) == 2
    table.say(Ack(pending.id, question=4))
    assert view.desk.is_given
    assert _answered(view) == "end"
    hand.press(keys.KEY_5)
    assert not view.desk.busy
    assert len([said for said in table.said if isinstance(said, Intent)]) == 2


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
    assert again.busy
    assert list(host.unanswered.values()) == [Reply("go")]
    host.unanswered.clear()
    again.update(QUESTION, host.unanswered)
    assert not again.busy
    assert not again.answered


def test_two_clicks_in_the_window_are_one_act_and_after_its_answer_a_third_is_another(table: Table, hand: Hand) -> None:
    hand.click_on("End the card")
    hand.press(keys.KEY_5)
    first = table.intent()
    assert [said for said in table.said if isinstance(said, Intent)] == [first]
    table.say(Ack(first.id))
    hand.click_on("End the card")
    second = table.intent()
    assert second.id != first.id
    assert second.prompt == first.prompt


def test_a_look_at_the_lobby_makes_no_second_act_of_what_is_on_its_way(table: Table, hand: Hand) -> None:
    hand.click_on("End the card")
    said = table.intent()
    table.pilot.to_lobby()
    table.settle()
    table.pilot.to_table()
    table.settle()
    assert isinstance(table.app.front, TableScreen)
    assert table.app.front.desk.busy
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


def _choices(desk: Desk) -> tuple[Choice, ...]:
    return desk.driver.prompt.choices if desk.driver is not None else ()
