"""Checks of a filled-in choice against what was offered, the same for answers and for acts on one's turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from engine.core.rules.errors import IllegalIntent
from protocol.scene import fields as scene
from protocol.scene.fields import AnyField
from protocol.scene.nodes import Choice, Reply


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


def completed(choice: Choice, reply: Reply) -> Reply:
    """Return a reply that fits `choice` with every item of its assignments: those left out take their defaults."""
    given = reply.fields
    full = {
        field.key: {**field.default, **cast("Mapping[str, str]", given[field.key])}
        for field in choice.fields
        if isinstance(field, scene.Assign) and field.default and field.key in given
    }
    return Reply(reply.choice, {**given, **full}) if full else reply


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
    return IllegalIntent("reply/unknown-choice", choice=choice)


def field_refused(code: str, key: str) -> IllegalIntent:
    """Make the refusal of a field. `code`: unknown-field, missing-field or bad-field."""
    return IllegalIntent(f"reply/{code}", field=key)


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
        case scene.Way():
            fits = _is_way(field, value)
        case scene.Facing():
            fits = is_whole(value) and (field.lazy or value in field.angles)
        case scene.Placement():
            fits = isinstance(value, Mapping) and all(isinstance(k, str) and is_point(v) for k, v in value.items())
        case scene.Number():
            fits = is_whole(value) and (field.lazy or field.least <= cast("int", value) <= field.most)
        case scene.Assign():
            fits = _assigns(field, value)
        case scene.Order():
            fits = _strings(value) and (field.lazy or _is_order(field, cast("list[str]", value)))
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


def _is_order(field: scene.Order, value: Sequence[str]) -> bool:
    return sorted(value) == sorted(o.id for o in field.items)


def _is_way(field: scene.Way, value: object) -> bool:
    if not isinstance(value, (list, tuple)) or len(value) % 2 or not all(map(is_whole, value)):
        return False
    corners = len(value) // 2
    return corners <= scene.MOST_CORNERS if field.lazy else field.least <= corners <= field.most


def _assigns(field: scene.Assign, value: object) -> bool:
    """Tell whether `value` is an assignment of the field's items. Raises IllegalIntent for a barred slot, with the
    reason."""
    if not isinstance(value, Mapping) or not all(isinstance(part, str) for pair in value.items() for part in pair):
        return False
    if field.lazy:
        return True
    chosen = {**field.default, **value}
    used = Counter(chosen.values())
    if set(chosen) != {o.id for o in field.items} or not set(used) <= {o.id for o in field.slots}:
        return False
    for item, slot in chosen.items():
        for bar in field.bars.get(item, ()):
            if bar.id == slot:
                raise IllegalIntent(bar.code, bar.why)
    return all(used[slot] <= room for slot, room in field.room.items())
