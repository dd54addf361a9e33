"""Verbs: what a player can choose to do, one object each. Prompt, details, intent and procedure follow from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast, get_type_hints

from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.replies import choice_named, next_field, unknown_choice
from engine.core.rules.reply_fields import Fields
from engine.core.rules.system import Intent, Procedure
from engine.core.view.prompts import sorted_out
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.advice import Forecast, Gesture
from protocol.scene.fields import AnyField, Option
from protocol.scene.nodes import NO_PROMPT, Choice, Prompt, Reply
from protocol.text import Text

S = TypeVar("S")
T = TypeVar("T")
F = TypeVar("F", bound=scene.Field)
I = TypeVar("I", bound=Intent)  # noqa: E741 - the type of an intent

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
        return cast("AnyField", field)

    def read(self, draft: Draft[S]) -> object:
        """Return the value as an intent holds it. Raises IllegalIntent where its form is wrong."""
        return _READ[type(self.shape)](draft, self.shape)


@dataclass(frozen=True)
class Filled(Blank[S]):
    """A field that a function fills."""

    how: Callable[[Draft[S], Any], AnyField | None] = lambda draft, field: field

    def fill(self, draft: Draft[S], field: Any) -> AnyField | None:
        """Return what the function makes of the field."""
        return self.how(draft, field)


@dataclass(frozen=True, kw_only=True)
class Among(Blank[S], Generic[S, T]):
    """A field that picks one of several things. `candidates`: all that a player might expect to choose; `check` refuses
    some, with the reason; `odds`: a hint of what a choice means. `preset`: the first option is the default."""

    candidates: Callable[[Draft[S]], Iterable[T]]
    check: Callable[[Draft[S], T], object] | None = None
    node: Callable[[T], NodeId]
    name: Callable[[S, T], Text]
    odds: Callable[[Draft[S], T], Text] | None = None
    preset: bool = False

    def fill(self, draft: Draft[S], field: Any) -> AnyField | None:
        """Sort the candidates into options and barred ones."""
        check, odds, state = self.check, self.odds, draft.state
        options, barred = sorted_out(
            self.candidates(draft),
            self.node,
            (lambda thing: None) if check is None else (lambda thing: check(draft, thing)),
            lambda node, thing: Option(node, self.name(state, thing), None if odds is None else odds(draft, thing)),
        )
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
        odds: Callable[[Draft[S], T], Text] | None = None,
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


def point(key: str, how: Callable[[Draft[S], scene.PickPoint], AnyField], *, auto: bool = False) -> Blank[S]:
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


def template(key: str, how: Callable[[Draft[S], scene.Template], AnyField]) -> Blank[S]:
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


def pieces(
    key: str, how: Callable[[Draft[S], scene.Pieces], AnyField], *, least: int = 1, auto: bool = False
) -> Blank[S]:
    """Make a field of several nodes, or of one that is not picked by a check of each."""
    return Filled(scene.Pieces(key, _UNNAMED, lazy=True, least=least, auto=auto), how=how)


def assign(key: str, how: Callable[[Draft[S], scene.Assign], AnyField | None]) -> Blank[S]:
    """Make a field that assigns every item to a slot."""
    return Filled(scene.Assign(key, _UNNAMED, lazy=True), how=how)


def _read_point(draft: Draft[Any], field: scene.PickPoint) -> object:
    return draft.points(field.key) if field.auto else draft.point(field.key)


_READ: Final[Mapping[type[AnyField], Callable[[Draft[Any], Any], object]]] = {
    scene.Pieces: lambda draft, field: draft.node(field.key),
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


class Label(NamedTuple):
    """The id of a verb on the wire, its shortcut, and its English title and hint ("": no hint)."""

    id: str
    key: str = ""
    title: str = ""
    hint: str = ""


class Verb(Generic[S, I]):
    """Something that a player can choose to do.

    It is offered where `when` holds and each field that the prompt fills has options, if it must be filled in. `run`
    carries its intent out and checks it in its first lines; the type of the intent is that of its third parameter.
    `make` makes the intent of the fields; without it, the intent's own fields are those of the verb, by key.

    `each`: the verb stands for several things of the content. Its id ends with "/", and so begin those of its choices,
    which `each` gives with their own words and without fields.

    `gesture`: the clicks that make it; where none of them picks its subject, that is what it is `about`. `forecast`:
    what it comes to with the fields so far.
    """

    def __init__(
        self,
        words: Label,
        run: Callable[[Game[S], Seat, I], Procedure],
        *fields: Blank[S],
        when: Callable[[S, Seat], object] = lambda state, seat: True,
        make: Callable[[Draft[S]], I] | None = None,
        each: Callable[[S, Seat], Iterable[Choice]] | None = None,
        gesture: Gesture | None = None,
        about: Callable[[S, Seat], tuple[NodeId, ...]] = lambda state, seat: (),
        forecast: Callable[[Draft[S]], Forecast | None] | None = None,
    ) -> None:
        self.id = words.id
        self.words = words
        self.run = run
        self.fields = fields
        self.when = when
        self.make = make
        self.each = each
        self.gesture = gesture
        self.about = about
        self.forecast = forecast
        self.intent: type[I] = [*get_type_hints(run).values()][2]
        keys = {blank.shape.key for blank in fields}
        unknown = keys - set(self.intent.__struct_fields__)
        if make is None and unknown:
            raise TypeError(f"{self.id}: {self.intent.__name__} lacks {unknown}")
        unclicked = ({gesture.subject, gesture.object} if gesture is not None else set()) - keys - {""}
        if unclicked:
            raise TypeError(f"{self.id} has no field {unclicked} for its gesture")

    def named(self, words: Label, rank: int = 0) -> Verb[S, I]:
        """Return another verb that differs from this one in its words and the rank of its gesture alone."""
        other = copy(self)
        other.id, other.words = words.id, words
        other.gesture = replace(self.gesture, rank=rank) if self.gesture is not None else None
        return other

    def intent_of(self, draft: Draft[S]) -> I:
        """Return the intent of a filled-in choice; fields that were left out keep its defaults where they may be.
        Raises IllegalIntent where the form of a field is wrong."""
        if self.make is not None:
            return self.make(draft)
        given = [blank for blank in self.fields if not blank.shape.auto or draft.has(blank.shape.key)]
        make = cast("Callable[..., I]", self.intent)
        return make(**{blank.shape.key: blank.read(draft) for blank in given})


class Verbs(Generic[S]):
    """All verbs of a system, in the order in which they are offered.

    `prefix`: of the text keys: PREFIXchoice.ID, PREFIXchoice.ID.hint and PREFIXfield.KEY. `others`: intents that no
    prompt offers, with their procedures. `keep`: the system's memo of a seat's choices.
    """

    def __init__(
        self,
        verbs: Sequence[Verb[S, Any]],
        prefix: str = "",
        others: Mapping[type[Intent], Callable[[Game[S], Seat, Any], Procedure]] | None = None,
        keep: Callable[[S, Seat, Callable[[], tuple[Choice, ...]]], tuple[Choice, ...]] | None = None,
    ) -> None:
        self._verbs = {verb.id: verb for verb in verbs}
        self._runs = {verb.intent: verb.run for verb in verbs} | dict(others or {})
        clash = [verb.id for verb in verbs if self._runs[verb.intent] != verb.run]
        if clash or len(self._verbs) < len(verbs):
            raise TypeError(f"two verbs of one id, or one intent with two procedures: {clash}")
        self._choices = {verb.id: _choice(verb, prefix) for verb in verbs}
        self.intents: tuple[type[Intent], ...] = tuple(self._runs)
        self.english: Mapping[str, str] = dict(_words(verbs, prefix))
        self._keep = keep or (lambda state, seat, make: make())

    def __contains__(self, choice: str) -> bool:
        """Tell whether a choice is one of these verbs."""
        return self._verb(choice) is not None

    def _verb(self, choice: str) -> Verb[S, Any] | None:
        return self._verbs.get(choice) or self._verbs.get(choice[: choice.find("/") + 1])

    def prompt(self, state: S, seat: Seat, title: Text, default: str) -> Prompt:
        """Return the prompt of a seat. `default`: the choice that time running out plays."""
        return Prompt(NO_PROMPT, title, self.choices(state, seat), default=default)

    def choices(self, state: S, seat: Seat) -> tuple[Choice, ...]:
        """Return every verb that could be tried now, as a choice."""
        return self._keep(state, seat, lambda: tuple(self.offered(state, seat)))

    def offered(self, state: S, seat: Seat) -> Iterator[Choice]:
        """Yield the choices anew."""
        for id, verb in self._verbs.items():
            if verb.when(state, seat):
                form = self._choices[id]
                for choice in (form,) if verb.each is None else verb.each(state, seat):
                    fields = _filled(verb, form, Draft(state, seat, choice.id))
                    if fields is not None:
                        about = verb.about(state, seat) or choice.about
                        yield replace(choice, fields=fields, about=about, gesture=verb.gesture)

    def detail(
        self, state: S, seat: Seat, choice: str, values: Mapping[str, object], *, bare: bool = False
    ) -> AnyField:
        """Return the first field of a choice that `values` lacks, with options and reasons. Raises IllegalIntent."""
        field = next_field(choice_named(self.choices(state, seat), choice), values)
        return self.fill(Draft(state, seat, choice, values, bare=bare), field) if field.lazy else field

    def detail_for(self, game: Game[S], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
        """Return `detail` for the game that a system's own `detail` is handed. Raises IllegalIntent."""
        return self.detail(game.state, seat, choice, fields, bare=game.bare)

    def forecast(self, game: Game[S], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Forecast | None:
        """Return what a choice comes to with these fields, None where that is not known. Raises IllegalIntent."""
        verb = self._verb(choice.id)
        if verb is None or verb.forecast is None:
            return None
        return verb.forecast(Draft(game.state, seat, choice.id, fields))

    def fill(self, draft: Draft[S], field: AnyField) -> AnyField:
        """Fill a lazy field of a choice. Raises IllegalIntent."""
        verb = self._verb(draft.choice)
        assert verb is not None
        blank = next(blank for blank in verb.fields if blank.shape.key == field.key)
        given = replace(field, lazy=False)
        filled = blank.fill(draft, given)
        return given if filled is None else filled

    def parse(self, state: S, seat: Seat, reply: Reply) -> Intent:
        """Return the intent of a reply: its form is checked, not the rules. Raises IllegalIntent."""
        verb = self._verb(reply.choice)
        if verb is None:
            raise unknown_choice(reply.choice)
        draft = Draft(state, seat, reply.choice, _completed(verb, state, seat, reply))
        intent: Intent = verb.intent_of(draft)
        draft.check_all_read()
        return intent

    def procedure(self, game: Game[S], seat: Seat, intent: Intent) -> Procedure:
        """Return the procedure of an intent. Raises IllegalIntent for one that no verb has."""
        run = self._runs.get(type(intent))
        if run is None:
            raise IllegalIntent("reply/unknown-choice")
        started: Procedure = run(game, seat, intent)
        return started


def _completed(verb: Verb[S, Any], state: S, seat: Seat, reply: Reply) -> Mapping[str, object]:
    """Return the fields of a reply; items that an assignment leaves out take their defaults."""
    values = dict(reply.fields)
    for blank in verb.fields:
        given = values.get(blank.shape.key)
        if isinstance(blank.shape, scene.Assign) and isinstance(given, Mapping):
            field = blank.fill(Draft(state, seat, reply.choice, reply.fields), replace(blank.shape, lazy=False))
            values[blank.shape.key] = {**field.default, **given} if isinstance(field, scene.Assign) else given
    return values


def _words(verbs: Sequence[Verb[S, Any]], prefix: str) -> Iterator[tuple[str, str]]:
    for verb in verbs:
        if verb.words.title:
            yield f"{prefix}choice.{verb.id}", verb.words.title
        if verb.words.hint:
            yield f"{prefix}choice.{verb.id}.hint", verb.words.hint


def _choice(verb: Verb[S, Any], prefix: str) -> Choice:
    """Return the choice of a verb with its fields not yet filled in."""
    fields = [
        replace(
            blank.shape,
            name=Text(f"{prefix}field.{blank.word or blank.shape.key}"),
            lazy=blank.shape.lazy and number > 0,
        )
        for number, blank in enumerate(verb.fields)
    ]
    key = f"{prefix}choice.{verb.id}"
    return Choice(verb.id, Text(key), tuple(fields), Text(f"{key}.hint") if verb.words.hint else None, verb.words.key)


def _filled(verb: Verb[S, Any], choice: Choice, draft: Draft[S]) -> tuple[AnyField, ...] | None:
    """Return the fields as the prompt offers them; None where one that must be filled in, the first or a pick of
    pieces, has nothing to choose from."""
    fields: list[AnyField] = []
    for blank, field in zip(verb.fields, choice.fields, strict=True):
        if not blank.when(draft):
            continue
        filled = field if field.lazy else blank.fill(draft, field)
        must = not fields or (isinstance(filled, scene.Pieces) and not filled.lazy and filled.least and not filled.auto)
        if must and (filled is None or not getattr(filled, "options", True)):
            return None
        if filled is not None:
            fields.append(filled)
    return tuple(fields)
