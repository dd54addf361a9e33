"""Way to a choice: what a learner clicks next, from the step of a lesson and what gestures have found. No window."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from client.input.board_drafts import PointDraft
from client.input.gestures.aims import subjects_of
from client.input.gestures.controller import GestureController
from client.input.lesson_features import outline_of, stands_in
from client.input.prompt_driver import FILLING, PromptDriver
from client.model.table.shapes import contains
from client.model.table.tabletop import Tabletop
from protocol.ids import NodeId, PromptId
from protocol.scene.advice import Target
from protocol.scene.nodes import NO_NODE, NO_PROMPT, Choice, Point, Prompt
from protocol.text import Text
from protocol.wire.from_server import Surveyed
from protocol.wire.lessons import OWN, TARGET, LessonStep

RASTER: Final = 75
"""Hundredths between the places that are weighed on the ground."""
FREE: Final = 60
"""Hundredths between such a place and the bases around it."""
AFTER_REFUSAL: Final = 5
"""Places nearer to the object that are left out for each refusal."""
SHOT: Final = "shot"
"""Mark of choices that are made only where they are likely enough to kill."""
LEAST_CHANCE: Final = 100
"""Thousandths: a shot with less chance of a loss is not pointed at."""
MOST_RETURNS: Final = 6
"""Times that one sign may come again at a prompt: then its clicks lead nowhere."""


@dataclass(frozen=True)
class Sign:
    """Target of a lesson: a `node`, a `point` of the table, the button of a `choice`, one that `accepts` what is
    proposed, or one that goes `back`. `variant`: the button has this name, and not the name of its choice; `is_second`:
    the subject is picked, and this is the object; `is_guess`: what the node can do is not known yet."""

    node: NodeId = NO_NODE
    point: Point | None = None
    choice: Choice | None = None
    variant: Text | None = None
    accepts: bool = False
    back: bool = False
    is_second: bool = False
    is_guess: bool = False

    @property
    def spot(self) -> tuple[object, ...]:
        """The place of the sign, the same for all signs that ask for the same click."""
        button = self.choice.id if self.choice is not None else ""
        return self.node, self.point, button, self.variant is not None, self.accepts, self.back


NOWHERE: Final = Sign()
"""Sign to nothing: the choice of a step cannot be made at the present prompt."""
Shown = tuple[str, NodeId, tuple[object, ...]]
"""Id of a step and of the thing in focus, with the spot of the sign for them."""


@dataclass(frozen=True)
class Places:
    """Choice of places on the ground. `is_open`: nothing else would be clicked there; `refusals` of those before."""

    is_open: Callable[[Point], bool]
    refusals: int = 0

    def nearest(
        self, regions: Sequence[Sequence[Point]], goal: Point | None, top: Tabletop, within: Sequence[Point] = ()
    ) -> Point | None:
        """Return the open place within reach that is nearest to a goal; after refusals one farther off. `within`: the
        outline that it must lie in, empty for anywhere."""
        aim = goal or (top.table.size[0] // 2, top.table.size[1] // 2)
        fitting = (place for place in _raster(regions) if not within or contains(within, place))
        places = sorted(fitting, key=lambda place: (math.dist(place, aim), place))
        found = (place for place in places if not top.piece_at(place, FREE) and self.is_open(place))
        return next(islice(found, self.refusals * AFTER_REFUSAL, None), None)


@dataclass
class LessonWay:
    """Finder of the way to a step's choice at one prompt. `idle`: subjects that cannot make it, by step; `grounds`:
    the places that were found, by what they were looked for; `shown`: the present sign with the step and subject that
    it is for, and `returns`: the number of times that each has been shown."""

    gestures: GestureController
    prompt: PromptId = NO_PROMPT
    idle: set[tuple[str, NodeId]] = field(default_factory=set)
    grounds: dict[tuple[object, ...], Point | None] = field(default_factory=dict)
    shown: Shown = ("", NO_NODE, ())
    returns: Counter[Shown] = field(default_factory=Counter)

    def sign(self, step: LessonStep, top: Tabletop, places: Places) -> Sign | None:
        """Return what is to be clicked next; None while an answer is awaited, NOWHERE where the choice cannot be made
        at this prompt, or the same signs come again and again."""
        sign = self._sign(step, top, places)
        shown = (step.id, self.gestures.subject, sign.spot if sign is not None else ())
        if shown != self.shown:
            self.shown = shown
            self.returns[shown] += 1
        is_vain = bool(step.choice) and sign is not None and self.returns[shown] > MOST_RETURNS
        return NOWHERE if is_vain else sign

    def try_again(self) -> None:
        """Forget what led nowhere at the present prompt."""
        self.idle.clear()
        self.grounds.clear()
        self.returns.clear()

    def _sign(self, step: LessonStep, top: Tabletop, places: Places) -> Sign | None:
        gestures, driver = self.gestures, self.gestures.prompts.driver
        prompt = gestures.prompt
        if driver is not None and driver.stage == FILLING:
            return _in_form(driver, step, top, places)
        if prompt is None or not prompt.choices:
            # a sealed answer is given, and others are still asked
            return None
        if prompt.id != self.prompt:
            self.prompt = prompt.id
            self.try_again()
        if gestures.held:
            return Sign(accepts=True)
        if gestures.waiting is not None:
            return None
        if not step.choice:
            return self.answer(prompt)
        choice = next((choice for choice in prompt.choices if choice.id == step.choice), None)
        if choice is None:
            return NOWHERE
        offered = gestures.menu[1] if gestures.menu is not None else ()
        entry = next((aim for aim in offered if aim.choice.id == choice.id), None)
        if entry is not None:
            return Sign(choice=choice, variant=entry.name, is_second=True)
        return self._towards(choice, step, prompt, top, places)

    def answer(self, prompt: Prompt) -> Sign:
        """Return the way to the default answer of a prompt."""
        picking = self.gestures.picking
        if picking is None:
            usual = next((choice for choice in prompt.choices if choice.id == prompt.default), prompt.choices[0])
            return Sign(choice=usual)
        if picking.is_complete and not picking.settles_at_once:
            return Sign(accepts=True)
        taken = picking.draft.picked()
        return Sign(next(iter((*taken, *picking.draft.selectable())), NO_NODE))

    def _towards(self, choice: Choice, step: LessonStep, prompt: Prompt, top: Tabletop, places: Places) -> Sign | None:
        gestures, gesture = self.gestures, choice.gesture
        if gesture is None or not (gesture.subject or gesture.object):
            return Sign(choice=choice)
        subject = gestures.subject
        if gesture.subject and not self._serves(choice, step, subject):
            return self._subject(choice, step, prompt, top)
        survey = gestures.survey
        if survey.subject == subject and (not survey.is_done or (survey.code and gesture.subject)):
            return None
        found = next((found for known, found in gestures.known(prompt, glance=False) if known == choice), None)
        can = not gesture.subject or _can_serve(choice, step, subject, found, top)
        sign = self._object(choice, step, found, top, places) if found is not None and can else None
        if sign is not None:
            return sign
        self.idle.add((step.id, subject))
        return self._subject(choice, step, prompt, top) if gesture.subject else NOWHERE

    def _serves(self, choice: Choice, step: LessonStep, subject: NodeId) -> bool:
        """Tell whether the thing in focus can be what the choice is made with."""
        known = subjects_of(choice)
        wanted = step.subject if step.subject in known else OWN
        return subject in known and wanted in (OWN, subject) and (step.id, subject) not in self.idle

    def _subject(self, choice: Choice, step: LessonStep, prompt: Prompt, top: Tabletop) -> Sign | None:
        """Return the sign to what the choice is best made with, of what can make it, as far as surveys tell; None while
        one is awaited. Where they tell of none, the first that is not known is a guess, once."""
        known = [one for one in subjects_of(choice) if (step.id, one) not in self.idle]
        goal = _goal(step, top) or _nearest_rival(known, top)
        ranks = {one: (one != step.subject, _apart(top.centre_of(one), goal)) for one in known}
        unknown = NO_NODE
        for one in sorted(known, key=lambda one: ranks[one]):
            survey = self.gestures.scout.survey_of(one, prompt, self.gestures.survey)
            if survey is None:
                return None
            if survey.code:
                unknown = unknown or one
            elif _can_serve(choice, step, one, survey.found.get(choice.id), top):
                return Sign(one)
            else:
                self.idle.add((step.id, one))
        is_known = not unknown or (step.id, self.gestures.subject) in self.idle
        return NOWHERE if is_known else Sign(unknown, is_guess=True)

    def _object(self, choice: Choice, step: LessonStep, found: Surveyed, top: Tabletop, places: Places) -> Sign | None:
        gesture = choice.gesture
        assert gesture is not None
        if found.why is not None:
            return None
        is_armed = self.gestures.armed == choice.id
        if not gesture.object:
            return Sign(choice=choice, is_second=True)
        if gesture.on == "point":
            if gesture.rank and not is_armed:
                return Sign(choice=choice, is_second=True)
            regions = [region for band in found.reach for region in band.regions]
            key = (choice.id, self.gestures.subject, step.object, step.at, step.inside, places.refusals)
            if key not in self.grounds:
                within = outline_of(step.object, top) if step.inside else ()
                goal = _goal(step, top) or _nearest_rival([self.gestures.subject], top)
                self.grounds[key] = places.nearest(regions, goal, top, within)
            place = self.grounds[key]
            return Sign(point=place, is_second=True) if place is not None else None
        is_surveyed = choice.id in self.gestures.survey.found
        target = _best(found.targets, step, _least_chance(choice) if is_surveyed else 0)
        if target is None:
            return None
        prompt = self.gestures.prompt
        met = self.gestures.targets(prompt).get(target.id) if prompt is not None else None
        if met is not None and met[0] != choice and not is_armed:
            return Sign(choice=choice, is_second=True)
        return Sign(target.id, is_second=True)


def _in_form(driver: PromptDriver, step: LessonStep, top: Tabletop, places: Places) -> Sign:
    """Return the way on in a form that the learner has opened: accept it, pick a place, else leave it."""
    draft = driver.draft
    if draft is None or driver.choice is None or driver.choice.id != step.choice:
        return Sign(back=True)
    if isinstance(draft, PointDraft) and draft.missing():
        place = places.nearest(draft.field.regions, _goal(step, top), top)
        return Sign(point=place) if place is not None else Sign(back=True)
    if not draft.missing():
        return Sign(accepts=True)
    return Sign(back=True)


def _can_serve(choice: Choice, step: LessonStep, subject: NodeId, found: Surveyed | None, top: Tabletop) -> bool:
    """Tell whether a thing can make the choice with an object that is worth it, by its survey."""
    gesture = choice.gesture
    if found is None or found.why is not None or gesture is None:
        return False
    if gesture.on != "point":
        return not gesture.object or _best(found.targets, step, _least_chance(choice)) is not None
    outline = outline_of(step.object, top)
    if outline and any(stands_in(outline, one, top) for one in (_side(subject, top) if step.inside else [subject])):
        return False
    regions = [region for band in found.reach for region in band.regions]
    return any(not step.inside or contains(outline, place) for place in _raster(regions))


def _side(subject: NodeId, top: Tabletop) -> list[NodeId]:
    """Return the groups with the owner of this one."""
    owner = top.groups[subject].owner if subject in top.groups else None
    return [id for id, group in top.groups.items() if group.owner == owner]


def _least_chance(choice: Choice) -> int:
    return LEAST_CHANCE if choice.gesture is not None and choice.gesture.mark == SHOT else 0


def _best(targets: Sequence[Target], step: LessonStep, least: int) -> Target | None:
    """Return the wanted object where it can be met, else the one that would lose most; none below the `least`
    chance."""
    met = [target for target in targets if target.why is None and target.chance >= least]
    wanted = next((target for target in met if target.id == step.object and step.object != TARGET), None)
    return wanted or max(met, key=lambda target: (target.loss, target.chance), default=None)


def _goal(step: LessonStep, top: Tabletop) -> Point | None:
    """Return the place that a step leads to, None where it names none on the table."""
    return step.at or (top.centre_of(step.object) if step.object not in ("", TARGET) else None)


def _nearest_rival(own: Sequence[NodeId], top: Tabletop) -> Point | None:
    """Return the middle of the group of another owner that is nearest to any of one's own."""
    owners = {top.groups[one].owner for one in own if one in top.groups}
    rivals = [centre for id, group in top.groups.items() if group.owner not in owners and (centre := top.centre_of(id))]
    mine = [centre for one in own if (centre := top.centre_of(one)) is not None]
    pairs = ((_apart(a, b), a) for a in rivals for b in mine)
    return min(pairs, default=(0.0, None))[1]


def _apart(a: Point | None, b: Point | None) -> float:
    return math.dist(a, b) if a is not None and b is not None else math.inf


def _raster(regions: Sequence[Sequence[Point]]) -> Iterator[Point]:
    """Yield places of a raster within any of the regions, none of them twice."""
    outlines = [region for region in regions if len(region) > 2]
    corners = [corner for region in outlines for corner in region]
    if not corners:
        return
    (left, right), (low, high) = ((min(part), max(part)) for part in zip(*corners, strict=True))
    for x in range(left + RASTER // 2, right, RASTER):
        for y in range(low + RASTER // 2, high, RASTER):
            if any(contains(region, (x, y)) for region in outlines):
                yield x, y
