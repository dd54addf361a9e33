"""Acts as viewers are told of them, and the open ones as they stand on the stack, with the names of their nodes."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

from engine.core.match.folded_match import FoldedMatch
from engine.core.rules.events import ActionDeclared, ActionResolved, CoreEvent, MatchStarted, Voided
from engine.core.rules.game import Trace
from engine.core.rules.node_ids import stack_node
from engine.core.rules.record import PendingAction
from engine.core.rules.system import System
from protocol.ids import NodeId
from protocol.scene.nodes import VOIDED, Act, Dice, StackItem
from protocol.text import Text

S = TypeVar("S")

Names = dict[str, Text]
"""The names of an action's nodes as they were when it was declared, by their part in it."""
NamesByKey = dict[Hashable, Names]
"""The names of actions, by their keys."""


@dataclass(eq=False, slots=True)
class ToldAct:
    """An action that a step declared or ended, with the end of it: None while it is open."""

    action: PendingAction
    names: Names
    end: ActionResolved | Voided | None = None

    def act(self, seat: int | None) -> Act:
        """Return the act as a seat (None: everyone) is told of it, with all names."""
        action, end = self.action, self.end
        how, counts = (end.how, end.counts) if isinstance(end, ActionResolved) else (VOIDED if end else "", {})
        number = action.n or action.number_for(seat)
        return Act(number, action.kind, action.seat, action.about, how, counts, self.names, action.expect)


class OpenActions:
    """The open actions of a match, followed entry by entry through its steps."""

    def __init__(self, match: FoldedMatch[Any]) -> None:
        self._system: System[Any] = match.system
        names = open_names(match)
        self._open = [ToldAct(action, names[action.key]) for action in match.record.declared]
        self.told: list[ToldAct] = []
        """Those that the present step has declared or ended."""

    def take(self, trace: Trace[Any]) -> None:
        """Take the next entry of the step."""
        event = trace.event
        if type(event) is ActionDeclared:
            action = trace.record.declared[-1]
            told = ToldAct(action, names_of(self._system, trace.after, action))
            self._open.append(told)
            self.told.append(told)
        elif type(event) is ActionResolved:
            self._end([told for told in self._open if told.action.to == event.to][event.place], event)
        elif type(event) is Voided:
            for told in (*self._open,):
                self._end(told, event)

    def _end(self, told: ToldAct, end: ActionResolved | Voided) -> None:
        told.end = end
        self._open.remove(told)
        if told not in self.told:
            self.told.append(told)

    def innermost(self, seat: int | None) -> int:
        """Return the number of the newest open action that a seat (None: everyone) knows of, 0 where there is none."""
        for told in reversed(self._open):
            number = told.action.n or told.action.number_for(seat)
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
    return Text(f"act.{action.kind}", {**names})


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
