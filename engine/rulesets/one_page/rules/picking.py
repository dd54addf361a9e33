"""Fields of verbs that pick units of this game."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.core.rules.errors import IllegalIntent
from engine.kit.verbs import Among, Blank, Draft
from engine.rulesets.one_page.rules import activations, traits
from engine.rulesets.one_page.state import names
from engine.rulesets.one_page.state.state import TABLE, Battle, Unit
from protocol.scene.fields import Pieces
from protocol.text import Text

Choosing = Draft[Battle]
"""A choice of this game that is being filled in."""


def pick(
    key: str,
    candidates: Callable[[Choosing], Iterable[Unit]],
    check: Callable[[Choosing, Unit], object] | None = None,
    odds: Callable[[Choosing, Unit], Text] | None = None,
) -> Blank[Battle]:
    """Make a field of one of these units; those that `check` refuses are barred with the reason."""
    return Among(
        shape=Pieces(key, Text(""), lazy=True),
        candidates=candidates,
        check=check,
        node=lambda unit: names.group_node(unit.id),
        name=lambda state, unit: names.unit(state, unit.id),
        odds=odds,
        preset=True,
    )


def unit_of(draft: Choosing) -> Unit:
    """Return the unit that was picked first. Raises IllegalIntent."""
    unit = draft.state.units.get(draft.group("unit"))
    if unit is None:
        raise IllegalIntent("act/not-yours")
    return unit


def ready(draft: Choosing) -> list[Unit]:
    """Return the units that may take an action now: any that waits, or the active one before its action."""
    state, active = draft.state, draft.state.active
    if state.placing or (active is not None and active.action):
        return []
    units = activations.waiting(state, draft.seat) if active is None else [state.units[active.unit]]
    return [unit for unit in units if not unit.pinned]


def walkers(draft: Choosing) -> list[Unit]:
    """Return the units that may move on foot now."""
    return [u for u in ready(draft) if u.where == TABLE and not u.tracked and not traits.is_vehicle(draft.state, u)]
