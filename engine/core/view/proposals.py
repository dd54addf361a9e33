"""Proposals: a choice filled in completely, with some fields as a player gave them and all others by default."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from engine.core.rules.advice import Counted, Forecasts, Proposes, Samples
from engine.core.rules.errors import IllegalIntent, Refusal
from engine.core.rules.memo import are_same
from engine.core.rules.replies import check_value, choice_named, field_refused
from engine.core.rules.steps import Steps, finished
from engine.core.rules.system import Part, PartOrSection, Section
from engine.core.view.situations import Situation
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.advice import Forecast
from protocol.scene.fields import AnyField, Barred
from protocol.scene.nodes import Choice, Piece, Point, Reply

S = TypeVar("S")

MOST_TRIES: Final = 12
"""Fillings of a choice that are looked at for one proposal."""
MOST_VALUES: Final = 4
"""Values of one field that are tried."""


class FilledChoice(msgspec.Struct, frozen=True):
    """A choice filled in so that the rules take it: `fields` for the intent, `open` those that may be changed, `ghosts`
    the places of pieces that it moves; `counted`: what a forecast by many plays would count, where none is exact;
    `after`: the situation that it leads to."""

    fields: Mapping[str, object]
    open: tuple[AnyField, ...] = ()
    ghosts: Mapping[NodeId, Point] = {}
    forecast: Forecast | None = None
    counted: Counted | None = None
    after: Situation[Any] | None = None


def proposal_for(situation: Situation[Any], choice: str, given: Mapping[str, object]) -> FilledChoice:
    """Return a filling of `choice` that keeps the fields given. Raises IllegalIntent where the rules take none."""
    return finished(proposal_steps(situation, choice, given))


def proposal_steps(situation: Situation[Any], choice: str, given: Mapping[str, object]) -> Steps[FilledChoice]:
    """Work out a filling of `choice` (`proposal_for`): at each step one field or a part of one, one try, its forecast,
    or where it leads."""
    offered = choice_named(situation.choices(), choice)
    for key in given:
        if all(field.key != key for field in offered.fields):
            raise field_refused("unknown-field", key)
    system, seat = situation.system, situation.seat
    wishes = _Wishes(given, preferred_fields(situation, offered, given))
    yield
    filling = yield from _filled(situation, offered, wishes)
    yield  # the try that the rules took, and where it leads, each carry out the act
    open_fields = []
    for field in filling.open:
        open_fields.append((yield from _with_fitting_options(situation, offered, wishes, field)))
    after = situation.after(Reply(choice, filling.kept))
    yield
    forecast = counted = None
    if isinstance(system, Forecasts):
        forecast = system.forecast(situation.probe(), seat, offered, filling.kept)
    if forecast is None and situation.ask is None and isinstance(system, Samples):
        counted = system.counted(situation.probe(), seat, offered, filling.kept)
    yield
    return FilledChoice(filling.kept, tuple(open_fields), ghosts_of(situation, after), forecast, counted, after)


def preferred_fields(situation: Situation[Any], choice: Choice, given: Mapping[str, object]) -> Mapping[str, object]:
    """Return the fields that the system fills in better than by their defaults. Raises IllegalIntent."""
    system = situation.system
    if situation.ask is not None or not isinstance(system, Proposes):
        return {}
    return system.propose(situation.probe(), situation.seat, choice, given)


class _Wishes(NamedTuple):
    """Fields that are to stay as a player gave them, and those that the system prefers."""

    given: Mapping[str, object]
    preferred: Mapping[str, object]


class _Filling(msgspec.Struct, frozen=True):
    """A choice filled in so far: `kept` goes into the intent, `shown` has the defaults of automatic fields too."""

    kept: dict[str, object]
    shown: dict[str, object]
    open: tuple[AnyField, ...] = ()

    def with_field(self, field: AnyField, value: object, *, is_open: bool, is_left: bool) -> _Filling:
        """Return the filling with one more field. `is_left`: the server fills it in when the choice is made."""
        kept = self.kept if is_left else self.kept | {field.key: value}
        return _Filling(kept, self.shown | {field.key: value}, (*self.open, field) if is_open else self.open)


def _filled(situation: Situation[Any], choice: Choice, wishes: _Wishes) -> Steps[_Filling]:
    """Find the first of a few fillings that the rules take; raise their first refusal where they take none."""
    first: Refusal | None = None
    tries = 0
    for found in _fillings(situation, choice, wishes, _Filling({}, {})):
        if found is not None:
            refused = found if isinstance(found, Refusal) else _refusal(situation, Reply(choice.id, found.kept))
            if isinstance(found, _Filling) and refused is None:
                return found
            first = first or refused
            tries += 1
        yield
        if tries == MOST_TRIES:
            break
    if first is None:
        raise field_refused("missing-field", choice.fields[-1].key if choice.fields else "-")
    raise IllegalIntent.repeated(first)


def _with_fitting_options(
    situation: Situation[Any], choice: Choice, wishes: _Wishes, field: AnyField
) -> Steps[AnyField]:
    """Bar those options of a field that do not fit what has been given for a later one, as the target of a power."""
    if not isinstance(field, scene.PickOption) or field.auto or len(field.options) < 2 or not wishes.given:
        return field
    refused: dict[str, Refusal] = {}
    for option in field.options:
        try:
            yield from _filled(situation, choice, _Wishes({**wishes.given, field.key: option.id}, wishes.preferred))
        except IllegalIntent as illegal:
            refused[option.id] = illegal.refusal
        yield
    fitting = tuple(option for option in field.options if option.id not in refused)
    barred = tuple(Barred(id, refusal.code, refusal.text, refusal.by) for id, refusal in refused.items())
    return replace(field, options=fitting, barred=(*field.barred, *barred)) if fitting else field


def _refusal(situation: Situation[Any], reply: Reply) -> Refusal | None:
    """Return why the rules would not take a reply, None where they would."""
    try:
        situation.check(reply)
    except IllegalIntent as refused:
        return refused.refusal
    return None


def _fillings(
    situation: Situation[Any], choice: Choice, wishes: _Wishes, now: _Filling
) -> Iterator[_Filling | Refusal | None]:
    """Yield fillings of a choice, the most usual first, and refusals where there is no going on; None where only a step
    towards the next has been taken."""
    number = len(now.shown)
    if number == len(choice.fields):
        yield now
        return
    known = choice.fields[number]
    try:
        if known.key in wishes.given:
            check_value(known, wishes.given[known.key])
            tried = [wishes.given[known.key]]
        else:
            if known.lazy and not (known.auto and _is_last(choice, number)):
                known = yield from situation.detail_steps(choice.id, now.shown)
                yield None
            tried = list(islice(values_of(known), 1 if known.auto else MOST_VALUES)) or ([None] if known.auto else [])
            if known.key in wishes.preferred:
                tried = [wishes.preferred[known.key]]
    except IllegalIntent as refused:
        yield refused.refusal
        return
    for value in tried:
        is_open = known.key not in wishes.given
        is_left = is_open and known.auto and known.key not in wishes.preferred
        onward = now.with_field(known, value, is_open=is_open, is_left=is_left)
        yield from _fillings(situation, choice, wishes, onward)


def _is_last(choice: Choice, number: int) -> bool:
    """Tell whether no field after this one needs to be worked out."""
    return not any(field.lazy and not field.auto for field in choice.fields[number + 1 :])


def values_of(field: AnyField) -> Iterator[object]:
    """Yield values of a field that has its options, its default first, in wire form."""
    match field:
        case scene.Pieces():
            if field.default or not field.least:
                yield list(field.default)
            ids = [option.id for option in field.options]
            if field.least > 1:
                yield ids[: field.least]
            else:
                yield from ([id] for id in ids if (id,) != field.default)
        case scene.PickOption():
            yield from dict.fromkeys((*((field.default,) if field.default else ()), *(o.id for o in field.options)))
        case scene.PickPoint() | scene.Template():
            yield from (list(at) for at in dict.fromkeys((field.default, field.start)) if at is not None)
        case scene.PickCell():
            cells = (*((field.default,) if field.default is not None else ()), *field.options)
            yield from (list(cell) for cell in dict.fromkeys(cells))
        case scene.Facing():
            yield from dict.fromkeys((field.default, *field.angles))
        case scene.PathPoint():
            yield from dict.fromkeys((field.default, *range(field.least, len(field.path))))
        case scene.Number():
            yield from dict.fromkeys((min(max(field.default, field.least), field.most), field.least))
        case scene.Placement():
            yield {piece: list(at) for piece, at in field.default.items()}
        case scene.Assign():
            yield dict(field.default)
        case scene.Order():
            yield list(field.default) or [item.id for item in field.items]
        case scene.Way():
            yield list(field.default)
        case scene.Words():
            yield field.default or "?"


def ghosts_of(situation: Situation[Any], after: Situation[Any]) -> dict[NodeId, Point]:
    """Return where pieces stand in the situation after an act that do not stand there now, by node."""
    if after.state is situation.state:
        return {}
    system, seat = situation.system, situation.seat
    scenes = [(*system.public(one.state), *system.private(one.state, seat)) for one in (situation, after)]
    stood = {part.id: part for part in _changed(*scenes)}
    found: dict[NodeId, Point] = {}
    for part in _changed(*reversed(scenes)):
        if part.id.startswith("piece/"):
            node, old = part.make(), stood.get(part.id)
            was = old.make() if old is not None else None
            if isinstance(node, Piece) and not (isinstance(was, Piece) and was.at == node.at):
                found[part.id] = node.at
    return found


def _changed(shown: Iterable[PartOrSection], other: Iterable[PartOrSection]) -> Iterator[Part]:
    """Yield the parts of one scene whose key is not as in the other, looking into no section that is the same."""
    there = {one.id: one for one in other}
    for one in shown:
        same = there.get(one.id)
        if same is not None and are_same(same.key, one.key):
            continue
        if isinstance(one, Part):
            yield one
        else:
            yield from _changed(one.parts(), same.parts() if isinstance(same, Section) else ())
