"""The telling of a step: its cues and acts, by audience, with dice and act numbers filled in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

import msgspec

from engine.core.match.causes import TableEvent
from engine.core.match.folded_match import FoldedMatch, Step
from engine.core.match.rule_code import named_by
from engine.core.rules.audience import Seat
from engine.core.rules.events import ActionDeclared, ActionResolved, DiceRolled, QuestionClosed, Undone, Voided
from engine.core.rules.record import RollMade
from engine.core.rules.sides import audience_of
from engine.core.rules.system import System
from engine.core.view.acts import OpenActions
from protocol.scene.cue_templates import TemplatedCues
from protocol.scene.nodes import Act, Cue, Dice, RollId
from protocol.text import Text

S = TypeVar("S")

_OF_CORE: Final = frozenset((Undone, Voided, QuestionClosed, ActionDeclared, ActionResolved))
"""The entries that the core itself tells of."""
_OF_ACTS: Final = frozenset((ActionDeclared, ActionResolved))
"""Those that are told as acts, without a cue."""
AnyCue = Cue | TemplatedCues


@dataclass
class Told:
    """What a viewer is told of a step: cues, the act that each is part of (0 at the end left out), and the acts that
    began or ended."""

    cues: list[AnyCue] = field(default_factory=list)
    of: list[int] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)

    def add(self, cue: AnyCue, act: int) -> None:
        """Tell of a cue that is part of this act, 0 for none."""
        if act:
            self.of += [0] * (len(self.cues) - len(self.of))
            self.of.append(act)
        self.cues.append(cue)


NOTHING: Final = Told()


class StepTeller(Generic[S]):
    """Teller of the steps of one match from now on, one after another."""

    def __init__(self, match: FoldedMatch[S]) -> None:
        self._system: System[S] = match.system
        self._templates = {template.id for template in match.system.cue_templates}
        self._actions = OpenActions(match)

    def told(self, step: Step[S]) -> dict[Seat | None, Told]:
        """Take the next step; return what it tells everyone (None), and each seat, where it tells them anything. Raises
        LookupError where a cue shows dice that name no roll which was made, or uses a template that the system does not
        list."""
        found: defaultdict[Seat | None, Told] = defaultdict(Told)
        tell, actions = self._system.cues, self._actions
        actions.told.clear()
        if type(step.cause) is TableEvent and (code := named_by(step.cause)) is not None:
            found[None].add(Cue("note", Text(f"log.{step.cause.kind}", {"version": code.version})), 0)
        for trace in step.trail:
            event = trace.event
            if type(event) in _OF_CORE:
                actions.take(trace)
                for note in () if type(event) in _OF_ACTS else _core_cues(event):
                    found[None].add(note, 0)
                continue
            cues = tell(event, trace.before, trace.after)
            if not cues:  # most entries: an empty tuple
                continue
            audience = audience_of(step.record.sides, event.audience())
            viewers = (None,) if audience.public else tuple(map(Seat, audience.seats or ()))
            for cue in cues:
                shown = self._with_dice(cue, step)
                for viewer in viewers:
                    found[viewer].add(shown, actions.innermost(viewer))
        for act in actions.told:
            for viewer in (None,) if act.action.to.public else tuple(map(Seat, act.action.to.seats or ())):
                found[viewer].acts.append(act.act(viewer))
        actions.finish(step)
        return dict(found)

    def _with_dice(self, cue: AnyCue, step: Step[S]) -> AnyCue:
        """Fill in the dice that a cue names."""
        if not isinstance(cue, TemplatedCues):
            if cue.dice is None:
                return cue
            return msgspec.structs.replace(cue, dice=filled(cue.dice, _roll_of(step, cue.dice.roll)))
        if cue.template.id not in self._templates:
            raise LookupError(f"{self._system.name} does not list the cue template {cue.template.name!r}")
        roll = cue.template.roll(cue)
        if roll is None:
            return cue
        made = _roll_of(step, roll)
        return cue.template.filled(cue, made.seat, made.sides, made.faces)


def filled(dice: Dice, made: RollMade | DiceRolled) -> Dice:
    """Copy `dice` with seat, sides and faces of the roll that they name."""
    return msgspec.structs.replace(dice, seat=made.seat, sides=made.sides, faces=made.faces)


def _roll_of(step: Step[Any], id: RollId) -> RollMade | DiceRolled:
    """Return the roll of this number that was made in this step, or not long before. Raises LookupError."""
    try:
        return step.record.roll(id)
    except LookupError:
        # the step has more rolls than a record remembers
        for trace in step.trail:
            if isinstance(trace.event, DiceRolled) and trace.event.id == id:
                return trace.event
        raise


def _core_cues(event: object) -> Iterable[Cue]:
    """Return the cues of an event of the core: all of them are public."""
    if isinstance(event, Undone):
        return (Cue("note", Text("log.undone", {"seat": Text(f"seat.{event.seat}")}), seat=event.seat),)
    if isinstance(event, Voided):
        return (Cue("note", Text("log.voided", {"error": event.error})),)
    if isinstance(event, QuestionClosed):
        late = [given.seat for given in event.answers if given.by_default]
        return [Cue("note", Text("log.expired", {"seat": Text(f"seat.{seat}")}), seat=seat) for seat in late]
    return ()
