"""Variants of an act: the options of which one must be picked before it is done, as powers are."""

from __future__ import annotations

from dataclasses import replace

from client.input.gestures.aims import Meaning
from protocol.scene.fields import PickOption
from protocol.wire.from_server import Proposed


def variants(meaning: Meaning, proposal: Proposed) -> list[Meaning]:
    """Return an act on an object once for each option of a field that nobody has filled in; none where there is nothing
    to choose."""
    if not meaning.choice.gesture or not meaning.choice.gesture.object:
        return []
    asked = (field for field in proposal.open if isinstance(field, PickOption) and not field.auto)
    field = next((field for field in asked if len(field.options) > 1), None)
    if field is None:
        return []
    return [
        replace(meaning, fields={**meaning.fields, field.key: option.id}, name=option.name) for option in field.options
    ]
