"""Controller of a player's prompt: drives the PromptDriver, asks for details, sends the reply. No window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

from msgspec.structs import replace

from client.input.board_drafts import PlacementDraft, PointDraft
from client.input.drafts import Draft
from client.input.prompt_driver import ASKING, UNDO, PromptDriver
from protocol.ids import NodeId, PromptId
from protocol.scene.nodes import NO_NODE, Choice, Point, Prompt, Reply
from protocol.text import Text
from protocol.wire.from_server import Detail


class Sender(Protocol):
    """The part of a session that the controller needs."""

    detail: Detail | None
    links_made: int
    sealed: bytes
    already_answered: bytes

    def intend(self, reply: Reply) -> bytes: ...

    def ask_detail(self, choice: str, fields: Mapping[str, object]) -> int: ...


class PromptController:
    """Controller of one player's prompt at a time. `busy` while an answer is on its way.

    `is_given`: the prompt is still open, and its answer is given and stands (a vote, a sealed question): its choices
    can no longer be made. `before_choice` is called before a choice is begun. `ask_first` puts the question before a
    choice that gives something up, and calls the act where the answer is yes. `answered` is the id of the choice that
    was made, `answered_name` its name; both are empty where another program, or an earlier run of this one, gave the
    answer. `filled` is called with a reply that is complete, again and again until it is sent: at first it sends it.
    """

    def __init__(self, sender: Sender) -> None:
        self.sender = sender
        self.ask_first: Callable[[Choice, Callable[[], None]], object] = lambda choice, act: act()
        self.before_choice: Callable[[], object] = lambda: None
        self.filled: Callable[[Reply, Choice], object] = self.send_filled
        self.driver: PromptDriver | None = None
        self.detail_id: int | None = None
        self.detail_link = 0
        self.sent: bytes | None = None
        self.sent_choice: tuple[str, Text | None] = "", None
        self.sent_prompt = ""
        self.is_given = False
        self.answered = ""
        self.answered_name: Text | None = None

    @property
    def busy(self) -> bool:
        return self.sent is not None or self.detail_id is not None

    @property
    def draft(self) -> Draft | None:
        """The draft of the field being filled."""
        return self.driver.draft if self.driver is not None else None

    def update(self, prompt: Prompt | None, unanswered: Mapping[bytes, object]) -> None:
        """Take in the scene's prompt and the unanswered intents, either of which may have changed, and go on from
        there."""
        if self.sent is not None and self.sent not in unanswered:
            if self.driver is not None:
                self._take_outcome(self.driver, self.sent)
            self.sent = None
        if self.sent is None:
            # an intent of another window on this table is on its way: no second act before it is answered
            self.sent = next(iter(unanswered), None)
        if prompt is None or self.driver is None or self.driver.prompt.id != prompt.id:
            self._turn_to(prompt)
        elif self.is_given:
            self.driver.prompt = replace(prompt, choices=())
        elif self.driver.prompt is not prompt:
            self.driver.prompt = prompt  # the same choices in a new frame: the draft stays
        self._take_detail()
        self._go_on()

    def _turn_to(self, prompt: Prompt | None) -> None:
        """Begin with another prompt than the last one."""
        self.detail_id, self.is_given, self.answered, self.answered_name = None, False, "", None
        if prompt is None or self.driver is None:
            self.driver = None if prompt is None else PromptDriver(prompt)
        else:
            self.driver = self.driver.carried_over(prompt)

    def _take_outcome(self, driver: PromptDriver, sent: bytes) -> None:
        """Take in that the server has answered the intent sent last."""
        prompt = driver.prompt
        if prompt.id == self.sent_prompt and sent in (self.sender.sealed, self.sender.already_answered):
            self.is_given = True
            if sent == self.sender.sealed:
                self.answered, self.answered_name = self.sent_choice
            prompt = replace(prompt, choices=())
        self.driver = driver.carried_over(prompt)

    def choose(self, choice: str) -> None:
        if self.driver is not None and self.sent is None:
            self.before_choice()
            self.detail_id = None
            self.driver.choose(choice)
            self._go_on()

    def pick(self, ids: tuple[NodeId, ...]) -> bool:
        """Pick a thing clicked on the table or in a list, known by several ids (figure, its group).

        The first id that can be picked is. Returns False if none can; the driver's note says why where the server told.
        """
        if self.driver is None or self.sent is not None:
            return False
        notes: list[Text | str] = []
        for node_id in ids:
            if self.driver.pick(node_id):
                self._go_on()
                return True
            notes.append(self.driver.note)
        self.driver.note = next((note for note in notes if note), "")
        return False

    def point(self, point: Point) -> bool:
        """Take in a click at a place on the table; return True if the field being filled takes places."""
        draft = self.driver.draft if self.driver is not None else None
        if self.driver is None or draft is None or not draft.aim(point):
            return False
        if isinstance(draft, PointDraft) or draft.complete_by_pick():
            self.driver.confirm()
        self._go_on()
        return True

    def hold(self, point: Point, slack: int) -> bool:
        """Take hold of the ghost of a placement under a point; return False if there is none."""
        draft = self.driver.draft if self.driver is not None else None
        if not isinstance(draft, PlacementDraft):
            return False
        reach = draft.field.radius + slack
        near = {
            name: (at[0] - point[0]) ** 2 + (at[1] - point[1]) ** 2
            for name, at in draft.places.items()
            if name in draft.field.pieces
        }
        name = min(near, key=lambda name: near[name], default=NO_NODE)
        draft.held = name if name and near[name] <= reach * reach else NO_NODE
        return bool(draft.held)

    def drag(self, point: Point) -> None:
        """Move the ghost that is held."""
        draft = self.driver.draft if self.driver is not None else None
        if isinstance(draft, PlacementDraft) and draft.held:
            draft.put(draft.held, point)

    def drop(self) -> None:
        draft = self.driver.draft if self.driver is not None else None
        if isinstance(draft, PlacementDraft):
            draft.held = NO_NODE

    def confirm(self) -> bool:
        """Confirm the field (Enter); return False if it cannot be."""
        if self.driver is None or self.sent is not None:
            return False
        done = self.driver.confirm()
        self._go_on()
        return done

    def back(self) -> bool:
        """Go one step back (Esc); return False at the beginning."""
        if self.driver is None or self.sent is not None:
            return False
        self.detail_id = None
        return self.driver.back()

    def send(self, reply: Reply, choice: Choice) -> bool:
        """Send a complete reply to the prompt, once a question before its choice has been answered; return False while
        another is on its way."""
        if self.driver is None or self.sent is not None:
            return False
        self.detail_id = None
        prompt = self.driver.prompt.id
        if choice.confirm is None:
            self._send(reply, choice, prompt)
        else:
            self.ask_first(choice, partial(self._send, reply, choice, prompt))
        return True

    def send_filled(self, reply: Reply, choice: Choice) -> None:
        """Send a reply that was filled in field by field; where a question comes before it, the last field stays open
        to be answered otherwise."""
        if choice.confirm is not None and self.driver is not None:
            self.driver.back()
        self.send(reply, choice)

    def _send(self, reply: Reply, choice: Choice, prompt: PromptId) -> None:
        """Send a reply, unless the prompt has changed meanwhile."""
        if self.driver is not None and self.sent is None and self.driver.prompt.id == prompt:
            self.sent = self.sender.intend(reply)
            self.sent_choice, self.sent_prompt = (reply.choice, choice.name), prompt

    def undo(self) -> bool:
        """Ask to undo the last act (Ctrl+Z); return False where the server does not allow it."""
        prompt = self.driver.prompt if self.driver is not None else None
        if prompt is None or not prompt.undo.can or self.sent is not None:
            return False
        self.sent = self.sender.intend(Reply(UNDO))
        return True

    def _go_on(self) -> None:
        driver = self.driver
        if driver is None:
            return
        if driver.stage == ASKING and driver.request is not None and self.detail_id is None:
            self.detail_link = self.sender.links_made
            self.detail_id = self.sender.ask_detail(driver.request.choice, driver.request.fields)
        elif driver.reply is not None and driver.choice is not None and self.sent is None:
            self.filled(driver.reply, driver.choice)

    def _take_detail(self) -> None:
        if self.detail_id is None or self.driver is None:
            return
        if self.detail_link != self.sender.links_made:
            self.detail_id = None  # asked on a link that broke: `_go_on` asks again
            return
        detail = self.sender.detail
        if detail is None or detail.id != self.detail_id:
            return
        self.detail_id = None
        why = detail.text if detail.text is not None else Text(detail.code) if detail.code else None
        self.driver.detail(detail.field, why)
