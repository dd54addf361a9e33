"""Values of the fields that a choice has so far, read for the next one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from engine.core.errors import IllegalIntent
from engine.rulesets.action_cards import names
from engine.rulesets.action_cards.model import Point
from protocol.text import text

Fields = Mapping[str, object]


def one(fields: Fields, key: str) -> str:
    """The id of the one piece or group that a field names. Raises IllegalIntent."""
    picked = fields.get(key)
    if not isinstance(picked, (list, tuple)) or len(picked) != 1:
        raise IllegalIntent("reply/bad-field", text("refuse.reply/bad-field", field=key))
    return names.bare(str(picked[0]))


def point(fields: Fields, key: str) -> Point:
    """The place that a field holds; its form has been checked."""
    x, y = cast("tuple[int, int]", fields[key])
    return x, y
