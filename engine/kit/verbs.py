"""Verbs: what a player can choose to do, one object each. Prompt, details, intent and procedure follow from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, Generic, NamedTuple, TypeVar, cast, get_type_hints

from msgspec.structs import replace

from engine.core.rules.advice import Counted
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.replies import choice_named, next_field, unknown_choice
from engine.core.rules.steps import Steps, finished
from engine.core.rules.system import Intent, Procedure
from engine.kit.blanks import Blank, Draft
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.advice import Forecast, Gesture
from protocol.scene.fields import AnyField
from protocol.scene.nodes import NO_PROMPT, Choice, Prompt, Reply
from protocol.text import Text

S = TypeVar("S")
I = TypeVar("I", bound=Intent)  # noqa: E741 - the type of an intent


class Label(NamedTuple):
    """The id of a verb on the wire, its shortcut, and its English title, hint ("": no hint) and the question that it
    asks first, where it does."""

    id: str
    key: str = ""
    title: str = ""
    hint: str = ""
    question: str = ""


class Verb(Generic[S, I]):
    """Something that a player can choose to do.

    It is offered where `when` holds and each field that the prompt fills has options, if it must be filled in. `run`
    carries its intent out and checks it in its first lines; the type of the intent is that of its third parameter.
    `make` makes the intent of the fields; without it, the intent's own fields are those of the verb, by key.

    `each`: the verb stands for several things of the content. Its id ends with "/", and so begin those of its choices,
    which `each` gives with their own words and without fields.

    `gesture`: the clicks that make it; where none of them picks its subject, that is what it is `about`. `forecast`:
    what it comes to with the fields so far. `counted`: the losses that are counted over many plays where there is no
    such forecast. `asks`: whether its player is asked first if they mean it, as it gives something up. `proposes`: what
    stands best in fields that are not filled in yet, where that is not their default.
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
        counted: Callable[[Draft[S]], Counted | None] | None = None,
        asks: Callable[[S, Seat], bool] = lambda state, seat: False,
        proposes: Callable[[Draft[S]], Mapping[str, object]] = lambda draft: {},
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
        self.counted = counted
        self.asks = asks
        self.proposes = proposes
        self.assigned = [blank for blank in fields if isinstance(blank.shape, scene.Assign)]
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

    def is_open(self, state: S, seat: Seat) -> bool:
        """Tell if the verb may be begun now: it is offered, and its first field has something to choose from."""
        if not self.when(state, seat):
            return False
        first = next(iter(self.fields), None)
        return first is None or _has_any(first.fill(Draft(state, seat, self.id), first.shape))

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

    `prefix`: of the text keys: PREFIXchoice.ID, the same with .hint and .confirm, and PREFIXfield.KEY. `others`:
    intents that no prompt offers, with their procedures. `keep`: the system's memo of a seat's choices.
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
                        yield replace(
                            choice,
                            fields=fields,
                            about=about,
                            gesture=choice.gesture or verb.gesture,
                            confirm=Text(f"{form.name.k}.confirm") if verb.asks(state, seat) else None,
                        )

    def detail(
        self, state: S, seat: Seat, choice: str, values: Mapping[str, object], *, bare: bool = False
    ) -> AnyField:
        """Return the first field of a choice that `values` lacks, with options and reasons. Raises IllegalIntent."""
        return finished(self._detail_steps(Draft(state, seat, choice, values, bare=bare), values))

    def detail_for(self, game: Game[S], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
        """Return `detail` for the game that a system's own `detail` is handed. Raises IllegalIntent."""
        return finished(self.detail_steps(game, seat, choice, fields))

    def detail_steps(self, game: Game[S], seat: Seat, choice: str, fields: Mapping[str, object]) -> Steps[AnyField]:
        """Work out what `detail_for` returns, at each step a part of it. Raises IllegalIntent."""
        return self._detail_steps(Draft(game.state, seat, choice, fields, bare=game.bare), fields)

    def _detail_steps(self, draft: Draft[S], values: Mapping[str, object]) -> Steps[AnyField]:
        field = next_field(choice_named(self.choices(draft.state, draft.seat), draft.choice), values)
        return (yield from self.fill_steps(draft, field)) if field.lazy else field

    def forecast(self, game: Game[S], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Forecast | None:
        """Return what a choice comes to with these fields, None where that is not known. Raises IllegalIntent."""
        verb = self._verb(choice.id)
        if verb is None or verb.forecast is None:
            return None
        return verb.forecast(Draft(game.state, seat, choice.id, fields))

    def counted(self, game: Game[S], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Counted | None:
        """Return the losses that a sampled forecast counts, None where nothing is sampled."""
        verb = self._verb(choice.id)
        if verb is None or verb.counted is None:
            return None
        return verb.counted(Draft(game.state, seat, choice.id, fields))

    def propose(self, game: Game[S], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Mapping[str, object]:
        """Return what stands best in fields of a choice that are not given. Raises IllegalIntent."""
        verb = self._verb(choice.id)
        return verb.proposes(Draft(game.state, seat, choice.id, fields)) if verb is not None else {}

    def fill_steps(self, draft: Draft[S], field: AnyField) -> Steps[AnyField]:
        """Fill a lazy field of a choice, at each step a part of it. Raises IllegalIntent."""
        verb = self._verb(draft.choice)
        assert verb is not None
        blank = next(blank for blank in verb.fields if blank.shape.key == field.key)
        given = replace(field, lazy=False)
        filled = yield from blank.fill_steps(draft, given)
        return given if filled is None else filled

    def parse(self, state: S, seat: Seat, reply: Reply) -> Intent:
        """Return the intent of a reply: its form is checked, not the rules. Raises IllegalIntent."""
        verb = self._verb(reply.choice)
        if verb is None:
            raise unknown_choice(reply.choice)
        values = _completed(verb, state, seat, reply) if verb.assigned else reply.fields
        draft = Draft(state, seat, reply.choice, values)
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
    for blank in verb.assigned:
        given = values.get(blank.shape.key)
        if isinstance(given, Mapping):
            field = blank.fill(Draft(state, seat, reply.choice, reply.fields), replace(blank.shape, lazy=False))
            values[blank.shape.key] = {**field.default, **given} if isinstance(field, scene.Assign) else given
    return values


def _words(verbs: Sequence[Verb[S, Any]], prefix: str) -> Iterator[tuple[str, str]]:
    for verb in verbs:
        if verb.words.title:
            yield f"{prefix}choice.{verb.id}", verb.words.title
        if verb.words.hint:
            yield f"{prefix}choice.{verb.id}.hint", verb.words.hint
        if verb.words.question:
            yield f"{prefix}choice.{verb.id}.confirm", verb.words.question


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
        if must and not _has_any(filled):
            return None
        if filled is not None:
            fields.append(filled)
    return tuple(fields)


def _has_any(filled: AnyField | None) -> bool:
    """Tell if a field has something to choose from, or needs no options."""
    return filled is not None and bool(getattr(filled, "options", True))
