"""Answers at the prompt controller: only a sealed one counts as given, at its own prompt, and nothing is sent twice."""

from __future__ import annotations

from collections.abc import Mapping

from arcade import key as keys
from msgspec.structs import replace

from client.input.prompt_controller import PromptController
from client.net.connection import Down, Up
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId, PromptId
from protocol.scene.nodes import Choice, Prompt, Reply
from protocol.text import text
from protocol.wire.from_client import Intent
from protocol.wire.from_server import Ack, Detail, Reject, Welcome
from tests.support.clients.sessions import Table
from tests.support.systems.hand import Hand

QUESTION = Prompt(
    PromptId("q1"), text("title"), (Choice("stay", text("stay")), Choice("go", text("go"))), "choice", "stay"
)
NEXT = Prompt(PromptId("q2"), text("title"), (Choice("yes", text("yes")), Choice("no", text("no"))), "sealed", "no")


class Host:
    """A host that takes replies; the test decides how they end."""

    def __init__(self) -> None:
        self.detail: Detail | None = None
        self.links_made = 1
        self.sealed = self.already_answered = b""
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
        """Seal the reply: it is held until the question closes."""
        self.sealed = next(iter(self.unanswered))
        self.unanswered.clear()

    def has_another(self) -> None:
        """Refuse the reply: the seat has answered before, from elsewhere."""
        self.already_answered = next(iter(self.unanswered))
        self.unanswered.clear()


def asked(prompt: Prompt) -> tuple[PromptController, Host]:
    host = Host()
    controller = PromptController(host)
    controller.update(prompt, host.unanswered)
    return controller, host


def test_a_refused_answer_is_none_and_another_can_be_given() -> None:
    controller, host = asked(QUESTION)
    controller.choose("go")
    host.unanswered.clear()
    controller.update(QUESTION, host.unanswered)
    assert not controller.answered
    controller.choose("stay")
    assert list(host.unanswered.values()) == [Reply("stay")]


def test_a_sealed_answer_is_shown_and_nothing_more_is_offered_but_asides() -> None:
    controller, host = asked(QUESTION)
    controller.choose("stay")
    host.seal()
    for prompt in (QUESTION, replace(QUESTION), replace(QUESTION, title=text("title.new"))):
        controller.update(prompt, host.unanswered)
        assert controller.is_given
        assert (controller.answered, controller.answered_name) == ("stay", text("stay"))
        assert controller.driver is not None
        assert controller.driver.prompt == replace(prompt, choices=())
        controller.choose("go")
        assert not controller.busy
        assert not host.unanswered
    controller.update(replace(QUESTION, asides=(Choice("rest", text("rest")),)), host.unanswered)
    controller.choose("rest")
    assert list(host.unanswered.values()) == [Reply("rest")]
    host.unanswered.clear()
    controller.update(replace(QUESTION, asides=(Choice("rest", text("rest")),)), host.unanswered)
    assert controller.is_given
    assert controller.answered == "stay"
    assert not _choices(controller)
    controller.update(NEXT, host.unanswered)
    assert not controller.is_given
    assert _choices(controller) == NEXT.choices


def test_an_answer_that_was_given_from_elsewhere_is_shown_as_given_without_its_name() -> None:
    controller, host = asked(QUESTION)
    controller.choose("stay")
    host.has_another()
    controller.update(QUESTION, host.unanswered)
    assert controller.is_given
    assert not controller.answered
    assert controller.answered_name is None
    controller.choose("go")
    assert not host.unanswered


def test_after_a_reconnect_the_answer_on_its_way_is_said_again_before_anything_else_is_offered(
    table: Table, hand: Hand
) -> None:
    view = table.app.front
    assert isinstance(view, TableScreen)
    hand.click_on("End the card")
    pending = table.intent()
    table.wire.waiting += [Down("closed", 0), Up()]
    table.settle()
    assert view.controller.busy
    table.say(Welcome("u1", "Bertram", "secret", "here", "0.1.0"))
    assert isinstance(table.last(Intent), Intent)
    assert table.intent().id == pending.id
    assert len([said for said in table.said if isinstance(said, Intent)]) == 2
    hand.press(keys.KEY_5)
    assert view.controller.busy
    assert len([said for said in table.said if isinstance(said, Intent)]) == 2
    table.say(Ack(pending.id, question=4))
    assert view.controller.is_given
    assert _answered(view) == "end"
    hand.press(keys.KEY_5)
    assert not view.controller.busy
    assert len([said for said in table.said if isinstance(said, Intent)]) == 2


def test_an_answer_acknowledged_after_the_next_question_came_is_not_an_answer_to_that() -> None:
    controller, host = asked(QUESTION)
    controller.choose("go")
    controller.update(NEXT, host.unanswered)
    host.seal()
    controller.update(NEXT, host.unanswered)
    assert not controller.answered
    assert not controller.busy


def test_a_second_click_says_nothing_until_the_first_is_answered() -> None:
    controller, host = asked(QUESTION)
    controller.choose("go")
    controller.choose("go")
    controller.choose("stay")
    assert not controller.pick((NodeId("group/1"),))
    assert list(host.unanswered.values()) == [Reply("go")]
    host.unanswered.clear()
    controller.update(QUESTION, host.unanswered)  # done, and the choices are what they were
    controller.choose("go")
    assert list(host.unanswered.values()) == [Reply("go")]


def test_a_new_controller_waits_for_an_intent_on_its_way() -> None:
    controller, host = asked(QUESTION)
    controller.choose("go")
    again = PromptController(host)
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
    table.navigator.to_lobby()
    table.settle()
    table.navigator.to_table()
    table.settle()
    assert isinstance(table.app.front, TableScreen)
    assert table.app.front.controller.busy
    assert table.intent() is said
    table.say(Ack(said.id))
    assert not table.app.front.controller.busy


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
    return view.controller.answered


def _choices(controller: PromptController) -> tuple[Choice, ...]:
    return controller.driver.prompt.choices if controller.driver is not None else ()
