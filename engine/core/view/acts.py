"""Acts as viewers are told of them, and the open ones as they stand on the stack, with the names of their nodes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from engine.core.match.folded_match import FoldedMatch, Step
from engine.core.rules.events import ActionDeclared, ActionResolved, CoreEvent, MatchStarted, Voided
from engine.core.rules.game import Trace
from engine.core.rules.node_ids import stack_node
from engine.core.rules.record import PendingAction, Record
from engine.core.rules.system import System
from protocol.ids import NodeId
from protocol.scene.nodes import VOIDED, Act, Dice, StackItem
from protocol.text import Text

S = TypeVar("S")

Names = Mapping[str, Text]
"""The names of an action's nodes as they were when it was declared, by their part in it."""
NamesByKey = dict[Hashable, Names]
"""The names of actions, by their keys."""


@dataclass
class ToldAct:
    """An action that a step declared or ended, with the end of it: None while it is open."""

    action: PendingAction
    names: Names
    end: ActionResolved | Voided | None = None

    def act(self, seat: int | None) -> Act:
        """Return the act as a seat (None: everyone) is told of it, with all names."""
        action, end, names = self.action, self.end, dict(self.names)
        number, counts = action.number_for(seat), {}
        how = VOIDED if end is not None else ""
        if isinstance(end, ActionResolved):
            how, counts = end.how, end.counts
        return Act(number, action.kind, action.seat, action.about, how, counts, names)


class OpenActions:
    """The open actions of a match, followed entry by entry through its steps."""

    def __init__(self, match: FoldedMatch[Any]) -> None:
        self._system: System[Any] = match.system
        self._record: Record = match.record
        self._names = open_names(match)
        self.told: list[ToldAct] = []
        """Those that the present step has declared or ended."""

    def take(self, trace: Trace[Any]) -> None:
        """Take the next entry of the step."""
        event = trace.event
        if isinstance(event, ActionDeclared):
            self._record = trace.record
            action = trace.record.declared[-1]
            names = self._names[action.key] = names_of(self._system, trace.after, action)
            self.told.append(ToldAct(action, names))
        elif isinstance(event, ActionResolved):
            ended = event.action(self._record)
            self._record = trace.record
            self._end(ended, event)
        elif isinstance(event, Voided):
            for action in self._record.declared:
                self._end(action, event)

    def _end(self, action: PendingAction, end: ActionResolved | Voided) -> None:
        key = action.key
        known = next((told for told in self.told if told.action.key == key), None)
        if known is None:
            known = ToldAct(action, self._names[key])
            self.told.append(known)
        known.end = end

    def finish(self, step: Step[Any]) -> None:
        """End the step."""
        self._record = step.record
        if not step.record.declared:
            self._names.clear()

    def innermost(self, seat: int | None) -> int:
        """Return the number of the newest open action that a seat (None: everyone) knows of, 0 where there is none."""
        for action in reversed(self._record.declared):
            number = action.number_for(seat)
            if number:
                return number
        return 0


def names_of(system: System[S], state: S, action: PendingAction) -> Names:
    """Return the names of an action's nodes."""
    return {part: system.name_of(state, id) for part, id in action.about.items()}


def open_names(match: FoldedMatch[S]) -> NamesByKey:
    """Return the names of all actions that were declared since the match last rested, if any is still open."""
    found: NamesByKey = {}
    pending = match.pending
    if pending is None or not match.record.declared:
        return found
    state, record = pending.base.state, pending.base.record
    for entry in (entry for stored in pending.steps for entry in stored.entries):
        if isinstance(entry, MatchStarted):
            state = match.system.start(entry.resolved, entry.seats)
        if not isinstance(entry, CoreEvent):
            state = entry.apply(state)
            continue
        record = entry.apply(record)
        if isinstance(entry, ActionDeclared):
            action = record.declared[-1]
            found[action.key] = names_of(match.system, state, action)
    return found


def title_of(action: PendingAction, names: Names) -> Text:
    """Return the title of an action."""
    return Text(f"act.{action.kind}", dict(names))


def stack_of(match: FoldedMatch[S], seat: int | None, names: NamesByKey) -> dict[NodeId, StackItem]:
    """Return the open actions that everyone knows of, or (with `seat`) those that are hidden from others: the newest is
    resolved first. `names`: those of `open_names`."""
    shown = [one for one in match.record.declared if one.to.public == (seat is None) and one.number_for(seat)]
    found: dict[NodeId, StackItem] = {}
    for place, action in enumerate(shown):
        dice = tuple([Dice.of(roll, Text(purpose)) for roll, purpose in action.rolls])
        about = tuple(dict.fromkeys(action.about.values()))
        id = stack_node(f"act.{place}" if seat is None else f"own.{place}")
        item = StackItem(title_of(action, names[action.key]), -place, dice=dice, about=about)
        found[id] = match.system.on_stack(match.state, action, item)
    return found
