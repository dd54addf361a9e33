"""Checks of a filled-in choice against what was offered, the same for answers and for acts on one's turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from engine.core.rules.errors import IllegalIntent
from protocol.scene import fields as scene
from protocol.scene.fields import AnyField
from protocol.scene.nodes import Choice, Reply
from protocol.text import Text


def check_reply(choices: Sequence[Choice], reply: Reply) -> Choice:
    """Return the choice that `reply` fills in.

    Raises IllegalIntent ("reply/...") where the choice does not exist, a field is missing, unknown or of the wrong
    form, or an option was not offered. Options of lazy fields are left to the rules. A field marked `auto` may be
    missing.
    """
    choice = choice_named(choices, reply.choice)
    known = {field.key for field in choice.fields}
    for key in reply.fields:
        if key not in known:
            raise field_refused("unknown-field", key)
    for field in choice.fields:
        if field.key in reply.fields:
            check_value(field, reply.fields[field.key])
        elif not field.auto:
            raise field_refused("missing-field", field.key)
    return choice


def choice_named(choices: Sequence[Choice], id: str) -> Choice:
    """Return the choice of this id. Raises IllegalIntent ("reply/unknown-choice") where it was not offered."""
    found = next((choice for choice in choices if choice.id == id), None)
    if found is None:
        raise unknown_choice(id)
    return found


def next_field(choice: Choice, filled: Mapping[str, object]) -> AnyField:
    """Return the first open field of `choice` as it was offered, so that a lazy one still lacks its options. A field
    that is `auto` without being lazy is known from the prompt and passed over.

    Raises IllegalIntent ("reply/...") where a field before it is of the wrong form, or all are filled in.
    """
    for field in choice.fields:
        if field.key in filled:
            check_value(field, filled[field.key])
        elif field.lazy or not field.auto:
            return field
    raise field_refused("unknown-field", "-")


def unknown_choice(choice: str) -> IllegalIntent:
    """Make the refusal of a choice that is not offered."""
    return IllegalIntent("reply/unknown-choice", Text("refuse.reply/unknown-choice", {"choice": choice}))


def field_refused(code: str, key: str) -> IllegalIntent:
    """Make the refusal of a field. `code`: unknown-field, missing-field or bad-field."""
    return IllegalIntent(f"reply/{code}", Text(f"refuse.reply/{code}", {"field": key}))


def check_value(field: AnyField, value: object) -> None:
    """Check that `value` is of the form that `field` asks for. Raises IllegalIntent."""
    fits: bool
    match field:
        case scene.Pieces():
            fits = _picks(field, value)
        case scene.PickOption():
            fits = isinstance(value, str) and (field.lazy or value in {o.id for o in field.options})
        case scene.PickPoint() | scene.Template():
            fits = is_point(value)
        case scene.PickCell():
            fits = is_point(value) and (field.lazy or tuple(cast("list[int]", value)) in field.options)
        case scene.PathPoint():
            fits = is_whole(value) and (field.lazy or field.least <= cast("int", value) < len(field.path))
        case scene.Facing():
            fits = is_whole(value) and (field.lazy or value in field.angles)
        case scene.Placement():
            fits = isinstance(value, Mapping) and all(isinstance(k, str) and is_point(v) for k, v in value.items())
        case scene.Number():
            fits = is_whole(value) and field.least <= cast("int", value) <= field.most
        case scene.Assign():
            fits = _assigns(field, value)
        case scene.Order():
            fits = _strings(value) and sorted(cast("list[str]", value)) == sorted(o.id for o in field.items)
        case scene.Words():
            fits = isinstance(value, str) and len(value) <= field.most
    if not fits:
        raise field_refused("bad-field", field.key)


def is_point(value: object) -> bool:
    """Tell whether `value` is a pair of whole numbers."""
    return isinstance(value, (list, tuple)) and len(value) == 2 and all(map(is_whole, value))


def is_whole(value: object) -> bool:
    """Tell whether `value` is a whole number (a bool is none)."""
    return isinstance(value, int) and not isinstance(value, bool)


def _strings(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def _picks(field: scene.Pieces, value: object) -> bool:
    if not _strings(value):
        return False
    ids = cast("list[str]", value)
    if len(set(ids)) != len(ids) or (not field.lazy and not field.least <= len(ids) <= field.most):
        return False
    return field.lazy or set(ids) <= {o.id for o in field.options}


def _assigns(field: scene.Assign, value: object) -> bool:
    if not isinstance(value, Mapping) or set(value) != {o.id for o in field.items}:
        return False
    slots = {o.id for o in field.slots}
    if not all(isinstance(slot, str) and slot in slots for slot in value.values()):
        return False
    used = list(value.values())
    return all(used.count(slot) <= room for slot, room in field.room.items())
