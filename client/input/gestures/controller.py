"""Controller of gestures: what a click on the table does by the surveys and proposals of the present prompt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from client.input.gestures.aims import (
    Meaning,
    Pointed,
    aim_of,
    answers,
    field_of,
    of_the_prompt,
    subjects,
    with_subject,
)
from client.input.gestures.picking import Picking, picking_of
from client.input.gestures.proposals import Advisor, Proposals
from client.input.gestures.survey import GroupSurvey
from client.input.prompt_controller import PromptController
from client.input.prompt_driver import CHOOSING
from client.text.phrases import phrase
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.advice import Target
from protocol.scene.fields import AnyField
from protocol.scene.nodes import NO_NODE, NO_PROMPT, Choice, Point, Prompt, Reply
from protocol.text import Text
from protocol.wire.from_server import Proposed, Surveyed

RESTS: Final = 0.12
"""Seconds that the pointer must rest before the table is asked about what lies under it."""
WAITS: Final = 1.0
"""Seconds that a click waits for its answer."""

Confirm = Literal["always", "dice", "never"]


@dataclass(frozen=True)
class Waiting:
    """Click that waits for its answer. `kept`: what it proposes is not carried out yet, but shown to be changed."""

    at: Pointed | None
    until: float
    prompt: str
    aim: Meaning | None = None
    kept: bool = False


@dataclass(frozen=True)
class Note:
    """Reason why a click did nothing, at the place of the click."""

    words: Text | str
    at: Point | NodeId


class GestureController:
    """Controller of the clicks at one prompt at a time.

    `survey` is what is shown of the group in focus, or of the one that the pointer rests on (`is_glance`); `armed` the
    choice taken from the bar, whose object comes next; `held` is True while a proposal waits to be accepted; `menu`
    the aims that the bar at the pointer offers. `confirm` says which acts are accepted by a click of their own.
    """

    def __init__(
        self,
        prompts: PromptController,
        advisor: Advisor,
        take_answers: Callable[[], list[Surveyed | Proposed]],
        clock: Callable[[], float],
    ) -> None:
        self.prompts = prompts
        self.advisor = advisor
        self.take_answers = take_answers
        self.clock = clock
        self.confirm: Callable[[], Confirm] = lambda: "never"
        self.proposals = Proposals(advisor)
        self.survey = GroupSurvey()
        self.is_glance = False
        self.picking: Picking | None = None
        self.armed = ""
        self.aim: Meaning | None = None
        self.held = False
        self.waiting: Waiting | None = None
        self.menu: tuple[Point, list[Meaning]] | None = None
        self.note: Note | None = None
        self.pointed: Pointed | None = None
        self.pointed_at = 0.0
        self.prompt_id = NO_PROMPT
        self.fields: dict[tuple[str, str], AnyField] = {}

    @property
    def prompt(self) -> Prompt | None:
        """The prompt that gestures answer now; None while a form is being filled in, or an answer is on its way."""
        driver = self.prompts.driver
        if driver is None or driver.stage != CHOOSING or self.prompts.sent is not None:
            return None
        return driver.prompt

    @property
    def subject(self) -> NodeId:
        """The thing whose possibilities the next click takes up: the one in focus, else the only one there is."""
        prompt, driver = self.prompt, self.prompts.driver
        if prompt is None or driver is None:
            return NO_NODE
        known = subjects(prompt)
        if driver.focus in known:
            return driver.focus
        return next(iter(known)) if len(known) == 1 else NO_NODE

    def update(self) -> None:
        """Take in the prompt and the answers, either of which may have changed, and go on from there."""
        prompt = self.prompt
        id = prompt.id if prompt is not None else NO_PROMPT
        if id != self.prompt_id:
            self._turn_to(prompt)
        for message in self.take_answers():
            if not self.survey.take(message) and self.proposals.take(message):
                self._take_proposal()
        self._look_at_subject()
        self._go_on()

    def _turn_to(self, prompt: Prompt | None) -> None:
        """Begin with another prompt, or none: clicks that waited are dropped."""
        self.prompt_id = prompt.id if prompt is not None else NO_PROMPT
        self.waiting = self.menu = self.note = None
        self.survey, self.is_glance = GroupSurvey(), False
        self.fields.clear()
        self.picking = picking_of(prompt) if prompt is not None else None
        self.let_go()

    def let_go(self) -> None:
        """Drop what is proposed, and the choice from the bar."""
        self.armed, self.aim, self.held = "", None, False
        self.proposals.clear()

    def _look_at_subject(self) -> None:
        """Ask what the thing in focus could do, unless that is known or asked."""
        subject = self.subject
        if subject:
            self._survey(subject, glance=False)
        elif not self.is_glance:
            self.survey = GroupSurvey()

    def _survey(self, subject: NodeId, *, glance: bool) -> None:
        prompt, link = self.prompt, self.advisor.links_made
        if prompt is None:
            return
        is_known = (self.survey.subject, self.survey.prompt, self.survey.link) == (subject, prompt.id, link)
        if not is_known:
            self.let_go()
            number = self.advisor.ask_survey(subject)
            self.survey = GroupSurvey(subject, prompt.id, number, link, is_done=False)
        self.is_glance = glance

    def tick(self, pointed: Pointed | None) -> bool:
        """Let time pass with the pointer at a place (None: elsewhere); return True if what is drawn has changed."""
        now = self.clock()
        moved = pointed != self.pointed
        if moved:
            self.pointed, self.pointed_at = pointed, now
        if self.waiting is not None and now >= self.waiting.until:
            self.waiting = None
        before = self.proposals.number
        if self.prompt is not None and pointed is not None and (pointed.held or now - self.pointed_at >= RESTS):
            self._rest(pointed, now)
        elif moved and pointed is None and self.is_glance:
            self.survey, self.is_glance = GroupSurvey(), False
        self.proposals.tick(now)
        return moved or before != self.proposals.number

    def _rest(self, pointed: Pointed, now: float) -> None:
        """Ask about what the pointer rests on."""
        if self.waiting is not None or self.held:
            return
        prompt = self.prompt
        assert prompt is not None
        if not self.subject:
            thing = next((thing for thing in pointed.things if thing in subjects(prompt)), NO_NODE)
            if thing:
                self._survey(thing, glance=True)
            elif self.is_glance:
                self.survey, self.is_glance = GroupSurvey(), False
            return
        aim = next(iter(self.aims(pointed)), None)
        self.aim = aim
        if aim is not None:
            self.proposals.want(aim.choice.id, aim.fields, now)

    def aims(self, at: Pointed) -> list[Meaning]:
        """Return what a click there could mean, the lowest rank first, so far as it is known."""
        return [aim for aim in self._meanings(at) if isinstance(aim, Meaning)]

    def _meanings(self, at: Pointed) -> list[Meaning | Text]:
        prompt = self.prompt
        if prompt is None:
            return []
        subject = self.subject
        on_others = any(thing.startswith("group/") and thing != subject for thing in at.things)
        found: list[Meaning | Text] = []
        for choice, survey in self.known(prompt, glance=False):
            gesture = choice.gesture
            if gesture is None or (gesture.on in ("point", "cell") and on_others and not at.held and not self.armed):
                continue
            known = self.fields.get((choice.id, gesture.object))
            meant = aim_of(choice, survey, subject, at, known)
            if meant is not None:
                found.append(meant)
        return found

    def known(self, prompt: Prompt, *, glance: bool = True) -> list[tuple[Choice, Surveyed]]:
        """Return the choices whose objects are known, the lowest rank first. `glance`: those of a thing that the
        pointer only rests on, too."""
        survey = GroupSurvey(found={one.choice: one for one in of_the_prompt(prompt)})
        if glance or not self.is_glance:
            survey.found |= self.survey.found
        return list(survey.by_rank(prompt, self.armed))

    def targets(self, prompt: Prompt) -> dict[NodeId, tuple[Choice, Target]]:
        """Return what the next click could meet, and what it cannot."""
        survey = GroupSurvey(found={choice.id: found for choice, found in self.known(prompt)})
        return survey.targets(prompt)

    def click(self, at: Pointed, *, keep: bool = False) -> bool:
        """Take a click on the table; return False where it means nothing here. `keep`: show what it proposes, to be
        changed before it is accepted."""
        self.menu = self.note = None
        prompt = self.prompt
        if prompt is None:
            return False
        if self.held and self._is_accepted_by(at):
            return self.accept()
        if self._answer(prompt, at) or self._pick(at):
            return True
        other = next((thing for thing in at.things if thing in subjects(prompt)), NO_NODE)
        if other and not at.held and not self.armed and other != self.subject:
            self.focus(other)
            return True
        self.held = False
        self.waiting = Waiting(at, self.clock() + WAITS, prompt.id, kept=keep)
        self._go_on()
        return self.waiting is not None or self.note is not None or self.prompt is None or self.held

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
        thing = next((thing for thing in at.things if picking.draft.pick(thing)), NO_NODE)
        if thing and picking.settles_at_once and picking.is_complete:
            self.prompts.send(picking.reply(), picking.choice.name)
        return bool(thing)

    def _is_accepted_by(self, at: Pointed) -> bool:
        """Tell whether a click means the proposal that waits: on its object or its ghosts."""
        aim = self.aim
        if aim is None or at.held:
            return False
        if aim.thing:
            return aim.thing in at.things
        return aim.point is None or any(self._is_near(ghost, at.point) for ghost in self._ends())

    def _ends(self) -> list[Point]:
        ghosts = list(self.proposals.shown.ghosts.values()) if self.proposals.shown is not None else []
        return [*ghosts, *([self.aim.point] if self.aim is not None and self.aim.point is not None else [])]

    @staticmethod
    def _is_near(a: Point, b: Point) -> bool:
        return abs(a[0] - b[0]) + abs(a[1] - b[1]) <= 80

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
        if isinstance(field_of(choice, gesture.object), scene.Facing):
            self.proposals.want(choice.id, with_subject(choice, self.subject), self.clock())

    def begin(self, aim: Meaning, *, keep: bool = False) -> None:
        """Have an aim filled in, and carry it out as soon as it is."""
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
            meanings = self._meanings(waiting.at)
            aim = next((meant for meant in meanings if isinstance(meant, Meaning)), None)
            if aim is None:
                if not self.subject or self.survey.is_done or self.survey.subject != self.subject:
                    self._refuse(waiting.at, meanings)
                return
        assert aim is not None
        self.aim = aim
        proposal = self.proposals.answer_to(aim.choice.id, aim.fields)
        if proposal is None:
            self.proposals.want(aim.choice.id, aim.fields, self.clock())
        elif proposal.code:
            self.waiting = None
            where = proposal.at or aim.thing or aim.point or self.subject
            self.note = Note(proposal.text or Text(proposal.code), where)
        elif waiting.kept or self._must_be_confirmed(aim.choice, proposal):
            self.waiting, self.held = None, True
        else:
            self._carry_out(aim, proposal)

    def _refuse(self, at: Pointed, meanings: list[Meaning | Text]) -> None:
        """Say why a click can mean nothing there; one that is about nothing at all takes the focus away."""
        self.waiting = None
        why = next((meant for meant in meanings if isinstance(meant, Text)), None)
        if why is not None:
            self.note = Note(why, at.point)
        elif any(c.gesture is not None and c.gesture.on == "point" for c, _ in self._known_choices()):
            self.note = Note(phrase("gesture.too_far"), at.point)

    def _known_choices(self) -> list[tuple[Choice, Surveyed]]:
        return self.known(self.prompt) if self.prompt is not None else []

    def _must_be_confirmed(self, choice: Choice, proposal: Proposed) -> bool:
        match self.confirm():
            case "always":
                return True
            case "dice":
                rolls = proposal.forecast is not None or proposal.more
                return rolls or (choice.gesture is not None and choice.gesture.ends)
            case _:
                return False

    def _carry_out(self, aim: Meaning, proposal: Proposed) -> None:
        self.prompts.send(Reply(aim.choice.id, dict(proposal.fields)), aim.choice.name)
        self.waiting = None
        self.let_go()

    def _take_proposal(self) -> None:
        """Note the fields that a proposal tells the options of."""
        shown, asked = self.proposals.shown, self.proposals.shown_for
        if shown is None or asked is None:
            return
        for field in shown.open:
            if not field.lazy:
                self.fields[asked.choice, field.key] = field

    def accept(self) -> bool:
        """Carry out what is proposed, or answer with what is picked; return False where nothing is."""
        if self.prompt is None:
            return False
        if self.held and self.aim is not None and self.proposals.shown is not None and not self.proposals.shown.code:
            self._carry_out(self.aim, self.proposals.shown)
            return True
        if self.picking is not None and self.picking.is_complete:
            self.prompts.send(self.picking.reply(), self.picking.choice.name)
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
        elif self.held or self.armed:
            self.let_go()
        elif driver is not None and self.prompt is not None and driver.focus:
            driver.focus = NO_NODE
            self.let_go()
        else:
            return False
        self.update()
        return True
