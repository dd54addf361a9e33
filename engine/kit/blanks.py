"""Fields of verbs: what they offer, with the reasons against the rest, and how their values are read."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.reply_fields import Fields
from engine.core.rules.steps import Steps, finished
from engine.core.view.prompts import sorting_steps
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.fields import AnyField, Option
from protocol.text import Text

S = TypeVar("S")
T = TypeVar("T")

_UNNAMED: Final = Text("")


class Draft(Fields, Generic[S]):
    """A choice that is being filled in: the state, the seat, the choice's id, and a typed reading of its fields so far.

    `bare`: as of a Game (what is only drawn may be left out).
    """

    def __init__(
        self, state: S, seat: Seat, choice: str = "", values: Mapping[str, object] | None = None, *, bare: bool = False
    ) -> None:
        super().__init__(values or {})
        self.state = state
        self.seat = seat
        self.choice = choice
        self.bare = bare


@dataclass(frozen=True)
class Blank(Generic[S]):
    """A field of a verb. `shape`: the field as the protocol has it, without its name. `word`: the end of its name's
    text key, where that is not its own key. `when`: whether a choice has it at all.

    A lazy field is filled when a client asks for its detail; others, and the first of a verb, in the prompt.
    """

    shape: AnyField
    word: str = ""
    when: Callable[[Draft[S]], object] = lambda draft: True

    def fill(self, draft: Draft[S], field: Any) -> AnyField | None:
        """Return the field with its options, given the fields before it; None where there is nothing to ask: then a
        verb whose first field it is is not offered, and others do without it. Raises IllegalIntent."""
        return finished(self.fill_steps(draft, field))

    def fill_steps(self, draft: Draft[S], field: Any) -> Steps[AnyField | None]:
        """Work out what `fill` returns, at each step a part of it."""
        yield from ()
        return cast("AnyField", field)

    def read(self, draft: Draft[S]) -> object:
        """Return the value as an intent holds it. Raises IllegalIntent where its form is wrong."""
        return _READ[type(self.shape)](draft, self.shape)


@dataclass(frozen=True)
class Filled(Blank[S]):
    """A field that a function fills, at once or in steps."""

    how: Callable[[Draft[S], Any], AnyField | Steps[AnyField] | None] = lambda draft, field: field

    def fill_steps(self, draft: Draft[S], field: Any) -> Steps[AnyField | None]:
        """Work out what the function makes of the field."""
        found = self.how(draft, field)
        return (yield from found) if isinstance(found, Generator) else found


class Hint(NamedTuple):
    """Meaning of an option: in words for people, in `numbers` for programs."""

    words: Text | None
    numbers: dict[str, int]


def hint(key: str, numbers: dict[str, int], **others: Text) -> Hint:
    """Return a hint whose words tell these numbers, among others."""
    return Hint(Text(key, {**numbers, **others}), numbers)


@dataclass(frozen=True, kw_only=True)
class Among(Blank[S], Generic[S, T]):
    """A field that picks one of several things. `candidates`: all that a player might expect to choose; `check` refuses
    some, with the reason; `odds`: a hint of what a choice means. `preset`: the first option is the default."""

    candidates: Callable[[Draft[S]], Iterable[T]]
    check: Callable[[Draft[S], T], object] | None = None
    node: Callable[[T], NodeId]
    name: Callable[[S, T], Text]
    odds: Callable[[Draft[S], T], Hint] | None = None
    preset: bool = False

    def fill_steps(self, draft: Draft[S], field: Any) -> Steps[AnyField | None]:
        """Sort the candidates into options and barred ones: at each step one of them."""
        things = [*self.candidates(draft)]
        if not things:
            return cast("AnyField", field)
        name, odds, state = self.name, self.odds, draft.state

        def option(node: NodeId, thing: T) -> Option:
            told = odds(draft, thing) if odds is not None else Hint(None, {})
            return Option(node, name(state, thing), told.words, told.numbers)

        check = (lambda thing: None) if self.check is None else partial(self.check, draft)
        options, barred = yield from sorting_steps(things, self.node, check, option)
        default = (options[0].id,) if self.preset and options else ()
        return cast("AnyField", replace(field, options=options, barred=barred, default=default))


@dataclass(frozen=True)
class Picker(Generic[S, T]):
    """Maker of the fields that pick one thing of a kind; as of Among."""

    node: Callable[[T], NodeId]
    name: Callable[[S, T], Text]
    preset: bool = False

    def __call__(
        self,
        key: str,
        candidates: Callable[[Draft[S]], Iterable[T]],
        check: Callable[[Draft[S], T], object] | None = None,
        odds: Callable[[Draft[S], T], Hint] | None = None,
        *,
        only: Callable[[Draft[S], T], object] | None = None,
        shape: scene.Pieces | None = None,
        when: Callable[[Draft[S]], object] = lambda draft: True,
    ) -> Among[S, T]:
        """Make a field. `only`: a condition for its candidates; `shape`: where it is not lazy, or may be left out."""
        return Among(
            shape=shape or scene.Pieces(key, _UNNAMED, lazy=True),
            when=when,
            candidates=candidates if only is None else lambda draft: [t for t in candidates(draft) if only(draft, t)],
            check=check,
            node=self.node,
            name=self.name,
            odds=odds,
            preset=self.preset,
        )


def point(
    key: str, how: Callable[[Draft[S], scene.PickPoint], AnyField | Steps[AnyField]], *, auto: bool = False
) -> Blank[S]:
    """Make a field of one place on the table."""
    return Filled(scene.PickPoint(key, _UNNAMED, lazy=True, auto=auto), how=how)


def places(key: str, how: Callable[[Draft[S], scene.Placement], AnyField]) -> Blank[S]:
    """Make a field of the places of several pieces; left out, all stand as the rules place them."""
    return Filled(scene.Placement(key, _UNNAMED, lazy=True, auto=True), how=how)


def facing(key: str, how: Callable[[Draft[S], scene.Facing], AnyField]) -> Blank[S]:
    """Make a field of a heading."""
    return Filled(scene.Facing(key, _UNNAMED, lazy=True), how=how)


def along(key: str, how: Callable[[Draft[S], scene.PathPoint], AnyField]) -> Blank[S]:
    """Make a field of one corner of a path."""
    return Filled(scene.PathPoint(key, _UNNAMED, lazy=True), how=how)


def way(key: str, how: Callable[[Draft[S], scene.Way], AnyField], *, most: int) -> Blank[S]:
    """Make a field of a way over corners, its end the last of at most `most`."""
    return Filled(scene.Way(key, _UNNAMED, lazy=True, most=most), how=how)


def template(key: str, how: Callable[[Draft[S], scene.Template], AnyField | Steps[AnyField]]) -> Blank[S]:
    """Make a field of the place of a template."""
    return Filled(scene.Template(key, _UNNAMED, lazy=True), how=how)


def number(key: str, most: int, how: Callable[[Draft[S], scene.Number], AnyField]) -> Blank[S]:
    """Make a field of a whole number from 1 to at most `most`."""
    return Filled(scene.Number(key, _UNNAMED, lazy=True, least=1, most=most, default=1), how=how)


def option(
    key: str, how: Callable[[Draft[S], scene.PickOption], AnyField | None], *, lazy: bool = True, auto: bool = False
) -> Blank[S]:
    """Make a field of one option out of several."""
    return Filled(scene.PickOption(key, _UNNAMED, lazy=lazy, auto=auto), how=how)


def pieces(key: str, how: Callable[[Draft[S], scene.Pieces], AnyField], *, least: int = 1) -> Blank[S]:
    """Make a field of several nodes, or of one that is not picked by a check of each."""
    return Filled(scene.Pieces(key, _UNNAMED, lazy=True, least=least), how=how)


def assign(key: str, how: Callable[[Draft[S], scene.Assign], AnyField | None]) -> Blank[S]:
    """Make a field that assigns every item to a slot."""
    return Filled(scene.Assign(key, _UNNAMED, lazy=True), how=how)


def _read_point(draft: Draft[Any], field: scene.PickPoint) -> object:
    return draft.points(field.key) if field.auto else draft.point(field.key)


_READ: Final[Mapping[type[AnyField], Callable[[Draft[Any], Any], object]]] = {
    scene.Pieces: lambda draft, field: draft.node(field.key),
    scene.Way: lambda draft, field: draft.way(field.key),
    scene.PickOption: lambda draft, field: draft.word(field.key),
    scene.PickPoint: _read_point,
    scene.Template: lambda draft, field: draft.point(field.key),
    scene.Placement: lambda draft, field: draft.places(field.key),
    scene.PathPoint: lambda draft, field: draft.number(field.key),
    scene.Facing: lambda draft, field: draft.number(field.key),
    scene.Number: lambda draft, field: draft.number(field.key),
    scene.Words: lambda draft, field: draft.word(field.key),
}
"""Readings of a field's value, by its kind; a verb with a field of another kind makes its intent itself."""
