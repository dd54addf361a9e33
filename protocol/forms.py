"""Forms of cues: what of a cue is always the same is sent once, with the catalogue; then only its arguments travel.

A form is a function that makes cues of its arguments. It is called once, with blanks in their place, and what comes out
is the template that the client fills:

    @form
    def fired(group: str, target: str, faces: tuple[int, ...]) -> Iterator[Cue]:
        line = text("log.fired", group=name_of(within("group/", group)), target=name_of(within("group/", target)))
        yield Cue("dice", line, dice=Dice(text("dice.shooting"), 0, 6, faces))

    fired("2.1", "1.4", (6, 2))  # a Told: 15 bytes on the wire

A blank has no value, so that a form can neither count nor choose by it: what depends on a value is done with the
functions below, or is another form. In wire form a template is plain, with maps of one entry in place of the blanks:

    {"$": 2}              the argument in this place
    {"$in": [p, x]}       the word p with x, a word or a number, behind it
    {"$name": [x]}        the name of the node x, a Text
    {"$pick": [x, a, b]}  a or b (or more), by the number x
    {"$each": [x, a]}     within a list: a for every item of the list x; its arguments are that item, or what is in it
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from operator import itemgetter
from typing import Any, Final, Generic, NamedTuple, NoReturn, ParamSpec, TypeVar, cast

import msgspec

from protocol.scene import Cue, Dice
from protocol.text import Text
from protocol.wire import canonical

P = ParamSpec("P")
T = TypeVar("T")

Template = list[Any]
"""The cues of a form in wire form, with blanks."""
MARK: Final = "$"
ROLL: Final = ("round", "n", "hidden")
"""The last arguments of a form with dice: which roll they were, as the core fills it in (`Form.numbered`)."""
ID_BYTES: Final = 4


class CueForm(msgspec.Struct, frozen=True, array_like=True):
    """A form by its id: `cues` are its template."""

    id: int
    cues: Template


class Told(NamedTuple):
    """Cues as a form and what goes into it."""

    form: Form[Any]
    arguments: tuple[Any, ...]

    @property
    def wire(self) -> tuple[Any, ...]:
        """As it travels."""
        return (self.form.id, *self.arguments)


class Thrown(NamedTuple):
    """The dice that a form shows."""

    sides: int
    faces: tuple[int, ...]
    seat: int


class Form(Generic[P]):
    """Cues with blanks. `id` follows from the template alone, so that no two forms are ever confused, whatever
    catalogues a client has. Raises TypeError for a function that wants to know the value of a blank, ValueError for
    one that shows more than one roll."""

    def __init__(self, make: Callable[P, Iterable[Cue]]) -> None:
        self.name = make.__name__
        self._names = tuple(inspect.signature(make).parameters)
        scope = object()
        blanks = [_Argument(scope, place) for place in range(len(self._names))]
        cues = list(cast("Callable[..., Iterable[Cue]]", make)(*blanks))
        dice = _only_dice(cues)
        self._thrown = _places(dice, len(blanks)) if dice is not None else None
        if dice is not None:
            numbers = {name: _Argument(scope, len(blanks) + more) for more, name in enumerate(ROLL)}
            cues = [_with_dice(cue, numbers) for cue in cues]
        data = canonical([_plain(cue, scope) for cue in cues])
        self.template: Template = msgspec.msgpack.decode(data)
        self.id = int.from_bytes(blake2b(data, digest_size=ID_BYTES).digest(), "big")

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> Told:
        """What happened, in short."""
        if not named:
            return Told(self, arguments)
        rest = [named[name] for name in self._names[len(arguments) :]]
        return Told(self, (*arguments, *rest))

    def thrown(self, told: Told) -> Thrown | None:
        """The dice that are shown; None where there are none."""
        if self._thrown is None:
            return None
        pick, constants = self._thrown
        sides, faces, seat = pick(told.arguments + constants)
        return Thrown(sides, faces, seat)

    def numbered(self, told: Told, round: int = -1, n: int = -1, hidden: bool = False) -> Told:
        """With which roll its dice were: to be called once for every Told of a form with dice."""
        return Told(self, (*told.arguments, round, n, hidden))


def form(make: Callable[P, Iterable[Cue]]) -> Form[P]:
    """The form that this function makes of blanks."""
    return Form(make)


def within(prefix: str, word: str | int) -> str:
    """The prefix with the word behind it: `within("group/", group)`."""
    return cast("str", _Operation("in", prefix, word))


def name_of(node: str) -> Text:
    """The name of a node, that the client has: the one it had before the step, or has after it."""
    return cast("Text", _Operation("name", node))


def pick(place: int, *values: T) -> T:
    """One of the values, by its place."""
    return cast("T", _Operation("pick", place, *values))


def each(items: Sequence[Any], make: Callable[..., T]) -> tuple[T, ...]:
    """What is made of every item, to be spread out in a tuple: `(*each(groups, node_of), target)`. An item that is a
    tuple is given as several arguments. What is made can use nothing but its own item."""
    scope = object()
    blanks = [_Argument(scope, place) for place in range(len(inspect.signature(make).parameters))]
    return (cast("T", _Operation("each", items, _Ready(_plain(make(*blanks), scope)))),)


def _nothing_known(*_: object) -> NoReturn:
    raise TypeError("an argument of a form has no value: use within, name_of, pick or each, or make another form")


class _Blank:
    """Stands for something that is known only when the form is filled."""

    __bool__ = __len__ = __iter__ = __str__ = __format__ = __eq__ = __getitem__ = _nothing_known
    __hash__ = None  # type: ignore[assignment]  # object promises a method

    def wire(self, scope: object) -> object:
        """In wire form, for the arguments of one function."""
        raise NotImplementedError


class _Argument(_Blank):
    def __init__(self, scope: object, place: int) -> None:
        self.scope = scope
        self.place = place

    def wire(self, scope: object) -> object:
        if scope is not self.scope:
            raise TypeError("what is made of each item can use nothing but that item")
        return {MARK: self.place}


class _Operation(_Blank):
    def __init__(self, name: str, *of: object) -> None:
        self.name = name
        self.of = of

    def wire(self, scope: object) -> object:
        return {MARK + self.name: [_plain(one, scope) for one in self.of]}


class _Ready(_Blank):
    """Wire form already, with blanks of another scope."""

    def __init__(self, plain: object) -> None:
        self.plain = plain

    def wire(self, scope: object) -> object:
        return self.plain


def _plain(value: object, scope: object) -> Any:
    return msgspec.to_builtins(value, enc_hook=lambda blank: blank.wire(scope))


def _only_dice(cues: Sequence[Cue]) -> Dice | None:
    found = [cue.dice for cue in cues if cue.dice is not None]
    if len(found) > 1:
        raise ValueError("a form shows one roll at most")
    return found[0] if found else None


def _places(dice: Dice, count: int) -> tuple[Callable[[tuple[Any, ...]], Iterable[Any]], tuple[Any, ...]]:
    """What picks the values of `Thrown` out of `count` arguments with the constants behind them; the constants."""
    shown: tuple[object, ...] = (dice.sides, dice.faces, dice.seat)
    if any(isinstance(one, _Operation | _Ready) for one in shown):
        raise TypeError("sides, faces and seat of a form's dice are arguments as they come, or constants")
    places = [one.place if isinstance(one, _Argument) else count + at for at, one in enumerate(shown)]
    return itemgetter(*places), shown


def _with_dice(cue: Cue, numbers: dict[str, Any]) -> Cue:
    if cue.dice is None:
        return cue
    return msgspec.structs.replace(cue, dice=msgspec.structs.replace(cue.dice, **numbers))
