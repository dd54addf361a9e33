"""The end of an activation at its player's word, and what is left to do before it (OP-ACT-01)."""

from __future__ import annotations

from typing import Final

from engine.kit import units
from engine.kit.rules import Gesture, Label, Verb, implements
from engine.rulesets.one_page.rules import activations, firing, psychic, shooting
from engine.rulesets.one_page.state.state import ABOARD, Battle


@implements("OP-ACT-01")
def is_left(state: Battle) -> bool:
    """Tell whether the acting unit has anything left to do: an action, a power, blows or a shot."""
    active = state.active
    assert active is not None
    unit = state.units[active.unit]
    if active.action in ("", "assault") or psychic.can_try(state, unit.owner, unit):
        return True
    return active.action in shooting.SHOOTS_AFTER and unit.where != ABOARD and bool(firing.targets(state, unit))


FINISH: Final = Verb(
    Label(
        "finish", "e", "Done", "End this unit's activation.", "This unit can still do something. End its activation?"
    ),
    activations.finish,
    when=lambda state, seat: state.active is not None and state.active.action != "assault",
    gesture=Gesture(rank=9, ends=True),
    about=units.about,
    asks=lambda state, seat: is_left(state),
)
