"""Controller of gestures: what a click on the table does by the surveys and proposals of the present prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from client.input.gestures.aims import (
    Meaning,
    Pointed,
    answers,
    asks_for_words,
    facing,
    field_of,
    subjects,
    takes_corners,
    with_subject,
)
from client.input.gestures.clicks import WAITS, Note, Waiting, must_be_confirmed
from client.input.gestures.holding import Holding
from client.input.gestures.parties import party_of
from client.input.gestures.picking import Picking, picking_of
from client.input.gestures.proposals import Advisor
from client.input.gestures.refused import beyond_reach, note_of_click, note_of_proposal
from client.input.gestures.scout import Scout
from client.input.gestures.variants import variants
from client.input.prompt_controller import PromptController
from client.storage.profile import Confirm
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.nodes import NO_NODE, NO_PROMPT, Choice, Point, Prompt, Reply
from protocol.text import Text
from protocol.wire.from_server import Proposed, Reject, Surveyed

RESTS: Final = 0.12
"""Seconds that the pointer must rest before the table is asked about what lies under it."""
ASKS_AGAIN: Final = 3.0
"""Seconds after which a survey that was refused is asked for again."""


class GestureController(Holding):
    """Controller of the clicks at one prompt at a time. `menu` is what the bar at the pointer offers; `confirm` says
    which acts are accepted by a click of their own: those of several groups always are."""

    def __init__(
        self,
        prompts: PromptController,
        advisor: Advisor,
        take_answers: Callable[[], list[Surveyed | Proposed | Reject]],
        clock: Callable[[], float],
    ) -> None:
        super().__init__(prompts, advisor, clock)
        self.take_answers = take_answers
        self.confirm: Callable[[], Confirm] = lambda: "never"
        self.scout = Scout(advisor, clock)
        self.picking: Picking | None = None
        self.waiting: Waiting | None = None
        self.menu: tuple[Point | NodeId, list[Meaning]] | None = None
        self.pointed: Pointed | None = None
        self.pointed_at = 0.0
        self.asks_again_at = 0.0
        self.prompt_id = NO_PROMPT

    def update(self) -> None:
        """Take in the prompt and the answers, either of which may have changed, and go on from there."""
        prompt = self.prompt
        id = prompt.id if prompt is not None else NO_PROMPT
        if id != self.prompt_id:
            self._turn_to(prompt)
        for message in self.take_answers():
            self._take(message)
        if self.subject:
            if self.look_at(self.subject, glance=False):
                self.let_go()
        elif not self.is_glance:
            self.look_away()
        self._go_on()

    def _take(self, message: Surveyed | Proposed | Reject) -> None:
        """Take in an answer."""
        if isinstance(message, Reject):
            self.tell(Note(message.text, message.at or message.by, message.by))
        elif self.survey.take(message):
            self.asks_again_at = self.clock() + ASKS_AGAIN
            self.scout.hear()
        elif not self.scout.take(message) and self.proposals.take(message):
            self.take_proposal()

    def _turn_to(self, prompt: Prompt | None) -> None:
        """Begin with another prompt, or none: clicks that waited are dropped."""
        self.prompt_id = prompt.id if prompt is not None else NO_PROMPT
        self.waiting = self.menu = self.note = None
        self.look_away()
        self.fields.clear()
        self.picking = picking_of(prompt) if prompt is not None else None
        self.let_go()

    def tick(self, pointed: Pointed | None) -> bool:
        """Let time pass with the pointer at a place (None: elsewhere); return True if what is drawn has changed."""
        now = self.clock()
        moved = pointed != self.pointed
        if moved:
            self.pointed, self.pointed_at = pointed, now
        if self.waiting is not None and now >= self.waiting.until:
            self.waiting = None
        is_over = self.note is not None and now >= self.note_until
        if is_over:
            self.note = None
        if self.survey.code and now >= self.asks_again_at:
            self.look_away()
            self.update()
        before = self.proposals.number
        if self.prompt is not None and pointed is not None and (pointed.held or now - self.pointed_at >= RESTS):
            self._rest(pointed, now)
        elif moved and pointed is None and self.is_glance:
            self.look_away()
        self.proposals.tick(now)
        return moved or is_over or before != self.proposals.number

    def _rest(self, pointed: Pointed, now: float) -> None:
        """Ask about what the pointer rests on."""
        if self.waiting is not None or self.held:
            return
        prompt = self.prompt
        assert prompt is not None
        if not self.subject:
            thing = next((thing for thing in pointed.things if thing in subjects(prompt)), NO_NODE)
            if thing:
                self.look_at(thing, glance=True)
            elif self.is_glance:
                self.look_away()
            return
        aim = next(iter(self.aims(pointed)), None)
        self.aim = aim
        if aim is not None:
            self.proposals.want(aim.choice.id, aim.fields, now)

    def click(self, at: Pointed, *, keep: bool = False, corner: bool = False, towards: Point | None = None) -> bool:
        """Take a click on the table; return False where it means nothing here. `keep`: show what it proposes, to be
        changed before it is accepted; `corner`: it is a corner of a way whose end is clicked later, on a target it
        means an act of several groups; `towards`: the place that what goes there is to look at, where it has a
        facing."""
        self.menu = self.note = None
        prompt = self.prompt
        if prompt is None:
            return False
        if self.held and self.is_accepted_by(at):
            return self.accept()
        if self.held and self.exchange(at, again=corner):
            return True
        if self._answer(prompt, at) or self._pick(at):
            return True
        together = corner and any(party_of(aim.choice, self.fields) is not None for aim in self.aims(at))
        if corner and not together and self._add_corner(prompt, at):
            return True
        other = next((thing for thing in at.things if thing in subjects(prompt)), NO_NODE)
        if other and not at.held and not self.armed and other != self.subject:
            self.focus(other)
            return True
        self.held = False
        self.waiting = Waiting(at, self.clock() + WAITS, prompt.id, kept=keep, together=together, towards=towards)
        self._go_on()
        return self.waiting is not None or self.note is not None or self.prompt is None or self.held

    def _add_corner(self, prompt: Prompt, at: Pointed) -> bool:
        """Add a corner to the way that is drawn; return False where no choice of the group in focus takes one."""
        if not any(takes_corners(choice) for choice, _ in self.known(prompt, glance=False)):
            return False
        self.corners.append(at.point)
        return True

    def focus(self, subject: NodeId) -> None:
        """Take up another thing: its survey is shown next."""
        if self.prompts.driver is not None:
            self.prompts.driver.focus = subject
        self.let_go()
        self.update()

    def _answer(self, prompt: Prompt, at: Pointed) -> bool:
        """Give the answer that is about the thing under the pointer; of several, offer them there."""
        found = next((found for thing in at.things if (found := answers(prompt, thing))), [])
        if len(found) > 1:
            self.menu = at.point, [Meaning(choice) for choice in found]
        elif found:
            self.begin(Meaning(found[0]))
        return bool(found)

    def _pick(self, at: Pointed) -> bool:
        """Exchange the figure under the pointer."""
        picking = self.picking
        if picking is None:
            return False
        proposed = set(picking.draft.picked()) if picking.is_single else set()
        # a click on the only one that is picked leaves it so
        thing = next((thing for thing in at.things if thing in proposed or picking.draft.pick(thing)), NO_NODE)
        if thing and picking.settles_at_once and picking.is_complete:
            self.prompts.send(picking.reply(), picking.choice)
        return bool(thing)

    def arm(self, choice: Choice) -> None:
        """Take a choice from the bar: one without an object is carried out, for another the next click is its
        object."""
        self.let_go()
        self.menu = self.note = None
        gesture = choice.gesture
        if gesture is None or not gesture.object:
            self.begin(Meaning(choice, with_subject(choice, self.subject)))
            return
        self.armed = choice.id
        if isinstance(field_of(choice, gesture.object), scene.Facing | scene.Template):
            self.proposals.want(choice.id, with_subject(choice, self.subject), self.clock())

    def begin(self, aim: Meaning, *, keep: bool = False) -> None:
        """Have an aim filled in, and carry it out as soon as it is; one that needs words is filled in by its form."""
        prompt = self.prompt
        self.menu = None
        if prompt is None:
            return
        self.waiting = Waiting(None, self.clock() + WAITS, prompt.id, aim, keep)
        self._go_on()

    def _go_on(self) -> None:
        """Carry out the click that waits, as far as its answers have come."""
        waiting, prompt = self.waiting, self.prompt
        if waiting is None or prompt is None or waiting.prompt != prompt.id:
            return
        aim = waiting.aim
        if aim is None and waiting.at is not None:
            meanings = self.meanings(waiting.at)
            aims = [meant for meant in meanings if isinstance(meant, Meaning)]
            if waiting.together:
                aims.sort(key=lambda aim: party_of(aim.choice, self.fields) is None)
            aim = aims[0] if aims else None
            if aim is None:
                if not self.subject or self.survey.is_done or self.survey.subject != self.subject:
                    self._refuse(waiting.at, meanings)
                return
        assert aim is not None
        if asks_for_words(aim.choice):
            self.waiting = None
            self.prompts.choose(aim.choice.id)
            return
        self.aim = aim
        proposal = self.proposals.answer_to(aim.choice.id, aim.fields)
        if proposal is None:
            self.proposals.want(aim.choice.id, aim.fields, self.clock())
        elif proposal.code:
            self.waiting = None
            start = waiting.start or (waiting.at.from_at if waiting.at is not None else None)
            self.tell(note_of_proposal(self, aim, proposal, start))
        elif waiting.towards is not None and (faced := facing(aim, proposal.open, waiting.towards)) is not None:
            self.waiting = replace(waiting, aim=faced, towards=None)
            self._go_on()
        elif not waiting.accepted and (several := variants(aim, proposal)):
            self.waiting, self.menu = None, (aim.point or aim.thing, several)
        elif not waiting.accepted and (waiting.kept or self._must_wait(aim.choice, proposal)):
            self.waiting = None
            self.hold(aim, proposal)
        else:
            self._carry_out(aim, proposal)

    def _must_wait(self, choice: Choice, proposal: Proposed) -> bool:
        """Tell whether what is proposed waits for a click of its own."""
        return self.is_of_several(proposal) or must_be_confirmed(self.confirm(), choice, proposal)

    def _refuse(self, at: Pointed, meanings: list[Meaning | Text]) -> None:
        """Say why a click means nothing there; of ground out of reach the table tells."""
        why, prompt = self.why_not(at, meanings), self.prompt
        self.waiting = None
        aim = beyond_reach(self, at) if why is not None and not self.corners else None
        if aim is not None and prompt is not None:
            self.waiting = Waiting(None, self.clock() + WAITS, prompt.id, aim, start=at.from_at)
            self._go_on()
        elif why is not None:
            self.tell(note_of_click(self, at, why))

    def _carry_out(self, aim: Meaning, proposal: Proposed) -> None:
        self.prompts.send(Reply(aim.choice.id, dict(proposal.fields)), aim.choice)
        self.waiting = None
        self.let_go()

    def accept(self) -> bool:
        """Carry out what is proposed, or answer with what is picked; return False where nothing is."""
        if self.prompt is None:
            return False
        if self.held and self.aim is not None:
            self.waiting = Waiting(None, self.clock() + WAITS, self.prompt.id, self.aim, accepted=True)
            self._go_on()
            return True
        if self.picking is not None and self.picking.is_complete:
            self.prompts.send(self.picking.reply(), self.picking.choice)
            return True
        return False

    def offer(self, at: Pointed) -> bool:
        """Offer at the pointer all that a click there could mean; return False where it is not more than one thing."""
        self.note = None
        aims = self.aims(at)
        self.menu = (at.point, aims) if len(aims) > 1 else None
        return self.menu is not None

    def take_back(self) -> bool:
        """Take one thing back: the bar at the pointer, the click that waits, what is proposed, the choice from the bar,
        the focus; return False where there is none."""
        driver = self.prompts.driver
        if self.menu is not None or self.note is not None:
            self.menu = self.note = None
        elif self.waiting is not None:
            self.waiting = None
        elif self.corners:
            self.corners.pop()
        elif self.held or self.armed:
            self.let_go()
        elif driver is not None and self.prompt is not None and driver.focus:
            driver.focus = NO_NODE
            self.let_go()
        else:
            return False
        self.update()
        return True
