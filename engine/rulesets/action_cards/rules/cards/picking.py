"""Fields of verbs that pick groups of this game."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.core.rules.audience import Seat
from engine.kit.verbs import Among, Blank, Draft
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Pieces
from protocol.text import Text

Choosing = Draft[Skirmish]
"""A choice of this game that is being filled in."""


def pick(
    key: str,
    candidates: Callable[[Choosing], Iterable[GroupId]],
    check: Callable[[Choosing, GroupId], object],
    odds: Callable[[Choosing, GroupId], Text] | None = None,
) -> Blank[Skirmish]:
    """Make a field of one of these groups; those that `check` refuses are barred with the reason."""
    return Among(
        shape=Pieces(key, Text(""), lazy=True),
        candidates=candidates,
        check=check,
        node=names.group_node,
        name=names.group,
        odds=odds,
    )


def acting(
    candidates: Callable[[Choosing], Iterable[GroupId]], check: Callable[[Skirmish, Seat, GroupId], object]
) -> Blank[Skirmish]:
    """Make the first field of most verbs: the group that acts."""
    return pick("group", candidates, lambda draft, id: check(draft.state, draft.seat, id))


def own(draft: Choosing) -> list[GroupId]:
    """Return the seat's own groups on the table."""
    return [group.id for group in draft.state.groups.values() if group.owner == draft.seat]


def rivals(draft: Choosing) -> list[GroupId]:
    """Return the groups of all others."""
    return [group.id for group in draft.state.groups.values() if group.owner != draft.seat]


def figures(key: str, candidates: Callable[[Choosing], Iterable[FigureId]]) -> Blank[Skirmish]:
    """Make a field of one of these figures, the first by default."""
    return Among(
        shape=Pieces(key, Text(""), lazy=True),
        candidates=candidates,
        node=names.piece_node,
        name=names.figure,
        preset=True,
    )


def actions_left(state: Skirmish, seat: Seat) -> int:
    """Return the actions left on the card: a verb that takes one is offered while there are any."""
    return state.left


def on_foot(draft: Choosing) -> list[GroupId]:
    """Return the seat's own groups but its vehicles."""
    return [id for id in own(draft) if table.board(draft.state).vehicle(id) is None]
