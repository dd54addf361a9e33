"""Cues of events: the log's line of each, declared by its class, or told by a function of the system's view.

    class UnitBoarded(BattleEvent, frozen=True, tag="op.unit_boarded"):
        unit: GroupId
        vessel: GroupId
        cue = says("move", "op.log.boarded", "OP-SR-22", "unit", "vessel", about="vessel")

The line has an argument for each field named, as the system's words name it. What needs more is a function:

    @cues.of(RoundStarted)
    def _round(event: RoundStarted, before: Battle, after: Battle) -> Iterator[Cue]: ...

It may give whole cues, or fill a template (`@cues.template`) for those that every match repeats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, ParamSpec, TypeVar

from engine.core.rules.events import CoreEvent, DiceRolled, Event
from engine.core.rules.node_ids import group_node
from protocol.ids import GroupId, NodeId
from protocol.scene.cue_templates import CueTemplate, TemplatedCues
from protocol.scene.nodes import Cue, Dice
from protocol.text import Text

S = TypeVar("S")
P = ParamSpec("P")
Teller = Callable[[Any, S, S], Iterable[Cue | TemplatedCues]]
F = TypeVar("F", bound=Callable[..., Iterable[Cue | TemplatedCues]])
NOBODY: Final = -1


class CueLine(NamedTuple):
    """The cue that an event class declares; see `says`."""

    kind: str
    key: str | tuple[str, str, str]
    rule: str | Callable[[Any, Any], str]
    arguments: Mapping[str, str | Callable[[Any], Any]]
    about: tuple[str, ...]
    seat: str
    path: tuple[str, ...]


def says(
    kind: str,
    key: str | tuple[str, str, str],
    rule: str | Callable[[Any, Any], str],
    *fields: str,
    about: str = "",
    seat: str = "",
    path: str = "",
    **arguments: str | Callable[[Any], Any],
) -> CueLine:
    """Declare the cue of an event class.

    `key`: of the line's text, with values of the event in braces ("log.moved.{it.how}"); or a field and the keys where
    it is true and where it is false. `rule`: an id, or a function of the event and the state before it. `fields`:
    arguments of the line that bear the name of their field; `arguments`: others, each a field ("danger.event" within
    another), a key with braces of a text, or a function of the event. `about`: the fields of what the cue is about.
    `path`: the field of a way, or those of its points. `seat`: the field of the seat, or of the group whose owner it
    is.
    """
    named = {**{field: field for field in fields}, **arguments}
    return CueLine(kind, key, rule, named, tuple(about.split()), seat, tuple(path.split()))


def happens(key: str | tuple[str, str, str], rule: str, **arguments: str | Callable[[Any], Any]) -> CueLine:
    """Declare the cue of what happens to one unit, the event's `unit`."""
    named = {"unit": "unit", **arguments}
    return CueLine("note", key, rule, named, ("unit",), "unit", ())


class Tellers(Generic[S]):
    """Functions that tell of events, by the type of the event, and the cue templates that they use."""

    def __init__(self) -> None:
        self.by_type: dict[type, Teller[S]] = {}
        self.templates: tuple[CueTemplate[Any], ...] = ()

    def of(self, *kinds: type) -> Callable[[F], F]:
        """Register the function that tells of events of these types."""

        def register(tell: F) -> F:
            self.by_type.update(dict.fromkeys(kinds, tell))
            return tell

        return register

    def template(self, make: Callable[P, Iterable[Cue]]) -> CueTemplate[P]:
        """Make a cue template of a function (protocol/scene/cue_templates.py), and list it."""
        made = CueTemplate(make)
        self.templates = (*self.templates, made)
        return made


class Cues(Tellers[S]):
    """The cues of a system. `words`: how the value of an event's field is named, by the name of the field; others stand
    for themselves. `owner`: the seat of a group. `nodes`: the nodes of fields that name no group. `parts`: tellers of
    other modules."""

    def __init__(
        self,
        words: Mapping[str, Callable[[S, Any], Text]],
        owner: Callable[[S, GroupId], int],
        nodes: Mapping[str, Callable[[Any], NodeId]] | None = None,
        parts: Iterable[Tellers[S]] = (),
    ) -> None:
        super().__init__()
        self._words = words
        self._owner = owner
        self._nodes = nodes or {}
        self._silent: set[type] = set()
        """Types of events without cues, most of all."""
        for part in parts:
            self.by_type.update(part.by_type)
            self.templates = (*self.templates, *part.templates)

    def tell(self, event: Event[S] | CoreEvent, before: S, after: S) -> Iterable[Cue | TemplatedCues]:
        """Return the cues of an event, for those who may know of it."""
        kind = type(event)
        if kind in self._silent:
            return ()
        tell = self.by_type.get(kind)
        if tell is not None:
            return tell(event, before, after)
        line: CueLine | None = getattr(event, "cue", None)
        if line is not None:
            return (self.cue(line, event, before, after),)
        self._silent.add(kind)
        return ()

    def cue(self, line: CueLine, event: object, before: S, after: S) -> Cue:
        """Return a declared cue."""
        about = tuple([self._nodes.get(field, group_node)(attrgetter(field)(event)) for field in line.about])
        path = tuple([attrgetter(field)(event) for field in line.path])
        return Cue(
            line.kind,
            Text(
                _key(line.key, event),
                {name: self._argument(told, event, after) for name, told in line.arguments.items()},
            ),
            line.rule if isinstance(line.rule, str) else line.rule(event, before),
            self._seat(line, event, after),
            about,
            (path[0] or ()) if len(path) == 1 else path,
        )

    def _argument(self, told: str | Callable[[Any], Any], event: object, state: S) -> Any:
        if not isinstance(told, str):
            return told(event)
        if "{" in told:
            return Text(told.format(it=event))
        value, word = attrgetter(told)(event), self._words.get(told.rpartition(".")[2])
        return word(state, value) if word is not None else value

    def _seat(self, line: CueLine, event: object, state: S) -> int:
        if not line.seat:
            return NOBODY
        value = attrgetter(line.seat)(event)
        return value if isinstance(value, int) else self._owner(state, value)


def roll(event: DiceRolled, words: str, army: Text, rule: str, outcome: tuple[Text, ...]) -> Cue:
    """Return the cue of a roll of an army, with what it came to. `words`: the start of the keys WORDSlog.die, of a die
    that is read at a glance, and .dice."""
    what, faces = Text(event.purpose), event.faces
    key, count = ("die", {"face": faces[0]}) if len(faces) == 1 else ("dice", {"dice": len(faces)})
    line = Text(f"{words}log.{key}", {"what": what, "army": army, **count})
    total = 0 if event.low else sum(faces)
    dice = Dice.of(event.id, what, (), outcome, total, (event.low, event.high))
    return Cue("dice", line, rule, event.seat, dice=dice)


def _key(key: str | tuple[str, str, str], event: object) -> str:
    if isinstance(key, tuple):
        field, true, false = key
        return true if getattr(event, field) else false
    return key.format(it=event)
