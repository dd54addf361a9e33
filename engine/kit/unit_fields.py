"""Fields of verbs that pick units, and what was picked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.node_ids import group_node
from engine.core.rules.system import Intent
from engine.kit.blanks import Draft, Picker
from engine.kit.units import AnyUnit, UnitTable
from protocol.ids import GroupId
from protocol.text import Text

S = TypeVar("S", bound=UnitTable[Any, Any])
U = TypeVar("U", bound=AnyUnit)
I = TypeVar("I", bound=Intent)  # noqa: E741 - the type of an intent


class UnitFields(Generic[S, U]):
    """Fields of the units of a state. `name`: names a unit.

    `pick`: makes a field of one unit out of several, the first by default.
    """

    def __init__(self, name: Callable[[S, GroupId], Text]) -> None:
        self.pick: Final = Picker[S, U](
            lambda unit: group_node(unit.id), lambda state, unit: name(state, unit.id), preset=True
        )

    def unit_of(self, draft: Draft[S], key: str = "unit") -> U:
        """Return the unit picked in a field. Raises IllegalIntent."""
        unit: U | None = draft.state.units.get(draft.group(key))
        if unit is None:
            raise IllegalIntent("act/not-yours")
        return unit

    def enemies(self, draft: Draft[S]) -> list[U]:
        """Return the enemies on the table."""
        return draft.state.enemies(draft.seat)

    def whole(
        self, check: Callable[[S, Seat, I], object], intent: Callable[[GroupId, GroupId], I]
    ) -> Callable[[Draft[S], U], object]:
        """Make the check of a candidate that checks the whole intent, made of the picked `unit` and the candidate."""
        return lambda draft, thing: check(draft.state, draft.seat, intent(self.unit_of(draft).id, thing.id))
