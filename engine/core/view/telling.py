"""The telling of a step: its cues and acts, by audience, with dice and act numbers filled in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final, Generic, TypeVar

import msgspec

from engine.core.match.causes import Deferred, TableEvent
from engine.core.match.folded_match import FoldedMatch, Step
from engine.core.match.rule_code import named_by
from engine.core.rules.audience import Audience, Seat
from engine.core.rules.events import ActionDeclared, ActionResolved, DiceRolled, QuestionClosed, Undone, Voided
from engine.core.rules.record import RollMade
from engine.core.rules.sides import audience_of
from engine.core.rules.system import System
from engine.core.view.acts import OpenActions
from protocol.scene.cue_templates import TemplatedCues
from protocol.scene.nodes import Act, Cue, Dice, RollId
from protocol.text import Text

S = TypeVar("S")

_OF_CORE: Final = frozenset((Undone, Voided, QuestionClosed))
"""The entries that the core itself tells of."""
_OF_ACTS: Final = frozenset((ActionDeclared, ActionResolved))
"""Those that are told as acts, without a cue."""
_EVERYONE: Final[tuple[Seat | None, ...]] = (None,)
AnyCue = Cue | TemplatedCues


class Told:
    """What a viewer is told of a step: cues, the act that each is part of (0 at the end left out), and the acts that
    began or ended."""

    __slots__ = ("acts", "cues", "of")

    def __init__(self) -> None:
        self.cues: list[AnyCue] = []
        self.of: list[int] = []
        self.acts: list[Act] = []

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
        self._tell = match.system.cues
        self._templates = {template.id for template in match.system.cue_templates}
        self._actions = OpenActions(match)

    def told(self, step: Step[S]) -> Mapping[Seat | None, Told]:
        """Take the next step; return what it tells everyone (None), and each seat, where it tells them anything. Raises
        LookupError where a cue shows dice that name no roll which was made, or uses a template that the system does not
        list."""
        found: defaultdict[Seat | None, Told] = defaultdict(Told)
        tell, actions = self._tell, self._actions
        actions.told = []
        if type(step.cause) is Deferred:
            # its answers are told with the step that they lead to
            return found
        if type(step.cause) is TableEvent and (code := named_by(step.cause)) is not None:
            found[None].add(Cue("note", Text(f"log.{step.cause.kind}", {"version": code.version})), 0)
        for trace in step.trail:
            event = trace.event
            kind = type(event)
            if kind in _OF_ACTS:
                actions.take(trace)
            elif kind in _OF_CORE:
                actions.take(trace)
                for note in _core_cues(event):
                    found[None].add(note, 0)
            elif cues := tell(event, trace.before, trace.after):  # of most entries an empty tuple
                audience = event.audience()
                viewers = _EVERYONE if audience.seats is None else _seats(audience_of(step.record.sides, audience))
                for cue in cues:
                    shown = self._with_dice(cue, step)
                    for viewer in viewers:
                        found[viewer].add(shown, actions.innermost(viewer))
        for told in actions.told:
            to = told.action.to
            for viewer in _EVERYONE if to.seats is None else _seats(to):
                found[viewer].acts.append(told.act(viewer))
        return found

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


def _seats(audience: Audience) -> tuple[Seat | None, ...]:
    return tuple(map(Seat, audience.seats or ()))


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
