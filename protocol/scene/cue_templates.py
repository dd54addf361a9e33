"""Cue templates: what is always the same in a cue is sent once, with the catalogue; then only its arguments travel.

A template is made of a function that makes cues of its arguments. It is called once, with blanks in their place, and
what comes out is what the client fills:

    @cue_template
    def fired(group: str, target: str, roll: RollId) -> Iterator[Cue]:
        line = text("log.fired", group=name_of(within("group/", group)), target=name_of(within("group/", target)))
        yield Cue("dice", line, dice=Dice.of(roll, text("dice.shooting")))

    fired("2.1", "1.4", roll.id)  # TemplatedCues: 22 bytes on the wire with two dice

A blank has no value, so that a template can neither count nor choose by it: what depends on a value is done with the
functions below, or is another template. One that shows dice gets the number of their roll as its last argument, and
passes it to `Dice.of`; on the wire the six values of ROLL stand in its place. In wire form a template is a plain value,
with maps of one entry in place of the blanks:

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
from typing import Any, Final, Generic, NoReturn, ParamSpec, TypeVar, cast

import msgspec

from protocol.canonical import canonical
from protocol.ids import NodeId
from protocol.scene.nodes import Cue, Dice, RollId
from protocol.text import Text

P = ParamSpec("P")
T = TypeVar("T")

TemplateBody = list[Any]
"""The cues of a template in wire form, with blanks."""
MARK: Final = "$"
ROLL: Final = ("seat", "sides", "faces", "round", "n", "hidden")
"""The fields of a template's dice that travel in place of the roll's number, as the core fills them in
(`CueTemplate.filled`)."""
ID_BYTES: Final = 4
_ROLLS: Final = "a template shows dice by Dice.of its last argument, the number of a roll, which stands nowhere else"


class CatalogueTemplate(msgspec.Struct, frozen=True, array_like=True):
    """Cue template in a catalogue, by its id: `cues` are its wire form."""

    id: int
    cues: TemplateBody


class TemplatedCues(msgspec.Struct, frozen=True):
    """Cues as a template and the arguments that fill it."""

    template: CueTemplate[Any]
    arguments: tuple[Any, ...]

    @property
    def wire(self) -> tuple[Any, ...]:
        """Wire form: the template's id, then the arguments."""
        return (self.template.id, *self.arguments)


class CueTemplate(Generic[P]):
    """Message form of cues, with blanks for what differs. `id` follows from the template alone, so that no two
    are ever confused, whatever catalogues a client has. Raises TypeError for a function that wants to know the value of
    a blank, or whose dice do not name the roll that is its last argument; ValueError for one that shows more than one
    roll."""

    def __init__(self, make: Callable[P, Iterable[Cue]]) -> None:
        self.name = make.__name__
        self._names = tuple(inspect.signature(make).parameters)
        scope = object()
        blanks = [_Argument(scope, place) for place in range(len(self._names))]
        cues = list(cast("Callable[..., Iterable[Cue]]", make)(*blanks))
        dice = _only_dice(cues)
        self._shows_dice = dice is not None
        if dice is not None:
            last = _roll_of(dice, blanks)
            values = {name: _Argument(scope, last + more) for more, name in enumerate(ROLL)}
            cues = [_with_dice(cue, values) for cue in cues]
        data = canonical([_plain(cue, scope) for cue in cues])
        self.template: TemplateBody = msgspec.msgpack.decode(data)
        self.id = int.from_bytes(blake2b(data, digest_size=ID_BYTES).digest(), "big")

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> TemplatedCues:
        """Return the cues of this template with these arguments in its blanks."""
        if not named:
            return TemplatedCues(self, arguments)
        rest = [named[name] for name in self._names[len(arguments) :]]
        return TemplatedCues(self, (*arguments, *rest))

    def roll(self, told: TemplatedCues) -> RollId | None:
        """Return the number of the roll whose dice are shown; None where there are none."""
        roll: RollId | None = told.arguments[-1] if self._shows_dice else None
        return roll

    def filled(self, told: TemplatedCues, seat: int, sides: int, faces: tuple[int, ...]) -> TemplatedCues:
        """Return the cues with what was rolled, as ROLL lists it, in the place of the roll's number: to be called once
        for every TemplatedCues with dice."""
        roll: RollId = told.arguments[-1]
        return TemplatedCues(self, (*told.arguments[:-1], seat, sides, faces, roll.round, roll.n, roll.hidden))


def cue_template(make: Callable[P, Iterable[Cue]]) -> CueTemplate[P]:
    """Make a cue template of a function, which is called once with blanks. Raises TypeError, ValueError
    (`CueTemplate`)."""
    return CueTemplate(make)


def within(prefix: str, word: str | int) -> str:
    """Return the prefix with the word behind it: `within("group/", group)`."""
    return cast("str", _Operation("in", prefix, word))


def name_of(node: NodeId) -> Text:
    """Return the name of a node, which the client fills in: the one before the step, or else the one after it."""
    return cast("Text", _Operation("name", node))


def pick(place: int, *values: T) -> T:
    """Return the value at a place."""
    return cast("T", _Operation("pick", place, *values))


def each(items: Sequence[Any], make: Callable[..., T]) -> tuple[T, ...]:
    """Return what `make` makes of every item, to be spread out in a tuple: `(*each(groups, node_of), target)`. An item
    that is a tuple is given as several arguments. What is made can use nothing but its own item."""
    scope = object()
    blanks = [_Argument(scope, place) for place in range(len(inspect.signature(make).parameters))]
    return (cast("T", _Operation("each", items, _Ready(_plain(make(*blanks), scope)))),)


def _nothing_known(*_: object) -> NoReturn:
    raise TypeError(
        "an argument of a template has no value: use within, name_of, pick or each, or make another template"
    )


class _Blank:
    """Placeholder for a value that is known only when the template is filled."""

    __bool__ = __len__ = __iter__ = __str__ = __format__ = __eq__ = __getitem__ = _nothing_known
    __hash__ = None  # type: ignore[assignment]  # object promises a method

    def wire(self, scope: object) -> object:
        """Return the wire form, for the arguments of one function."""
        raise NotImplementedError


class _Argument(_Blank):
    """Blank for an argument. `is_roll`: it is the number of a roll, which stands in no word. The parts of that number
    know their argument."""

    def __init__(self, scope: object, place: int) -> None:
        self.scope = scope
        self.place = place
        self.is_roll = False
        self.round = self.n = self.hidden = _Number(self)

    def wire(self, scope: object) -> object:
        if scope is not self.scope:
            raise TypeError("what is made of each item can use nothing but that item")
        if self.is_roll:
            raise TypeError(_ROLLS)
        return {MARK: self.place}


class _Number(_Blank):
    """Part of a roll's number."""

    def __init__(self, of: _Argument) -> None:
        self.of = of

    def wire(self, scope: object) -> object:
        raise TypeError(_ROLLS)


class _Operation(_Blank):
    def __init__(self, name: str, *of: object) -> None:
        self.name = name
        self.of = of

    def wire(self, scope: object) -> object:
        return {MARK + self.name: [_plain(one, scope) for one in self.of]}


class _Ready(_Blank):
    """Blank in wire form already, with blanks of another scope."""

    def __init__(self, plain: object) -> None:
        self.plain = plain

    def wire(self, scope: object) -> object:
        return self.plain


def _plain(value: object, scope: object) -> Any:
    return msgspec.to_builtins(value, enc_hook=lambda blank: blank.wire(scope))


def _only_dice(cues: Sequence[Cue]) -> Dice | None:
    found = [cue.dice for cue in cues if cue.dice is not None]
    if len(found) > 1:
        raise ValueError("a template shows one roll at most")
    return found[0] if found else None


def _roll_of(dice: Dice, blanks: Sequence[_Argument]) -> int:
    """Return the place of the roll that the dice name. Raises TypeError where it is not the last argument."""
    number: object = dice.round
    if not isinstance(number, _Number) or number.of is not blanks[-1]:
        raise TypeError(_ROLLS)
    number.of.is_roll = True
    return number.of.place


def _with_dice(cue: Cue, values: dict[str, Any]) -> Cue:
    if cue.dice is None:
        return cue
    return msgspec.structs.replace(cue, dice=msgspec.structs.replace(cue.dice, **values))
