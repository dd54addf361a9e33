"""Fields of verbs that pick groups of this game."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.kit.verbs import Among, Blank, Draft
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import GroupId
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


def on_foot(draft: Choosing) -> list[GroupId]:
    """Return the seat's own groups but its vehicles."""
    groups = draft.state.groups.values()
    return [g.id for g in groups if g.owner == draft.seat and table.vehicle_of(draft.state, g.id) is None]
