"""What a rule system is: everything that server and client ever learn of it, through one entry point."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.events import CoreEvent, Event
from protocol.scene.forms import Form, Told
from protocol.scene.nodes import AnyField, AnyNode, Cue, Option, Prompt, Reply, Result

if TYPE_CHECKING:
    from engine.core.bots.bot import Bot
    from engine.core.rules.game import Game
    from protocol.text import Text

S = TypeVar("S")
C = TypeVar("C")

Procedure = Coroutine[Any, Any, None]
"""How an intent is resolved: a coroutine that rolls, emits, awaits procedures and stops only to ask."""


class Intent(msgspec.Struct, frozen=True, tag_field="i", omit_defaults=True):
    """Base of what a player may ask for. Each type has a stable `tag`."""


class Turn(NamedTuple):
    """A seat that may act at a quiescent match: what is played for it when time runs out, and which clock runs."""

    expiry: Intent
    clock: str = "decision"


class Rules(Protocol[S]):
    """The procedures of a system."""

    def procedure(self, game: Game[S], seat: Seat, intent: Intent) -> Procedure:
        """The procedure of this intent. Its first lines hold its checks, and only they may raise IllegalIntent."""

    def flow(self, game: Game[S]) -> Procedure | None:
        """What happens now unasked (next card, end of turn); None where the table waits for a player, or is over."""

    def turn(self, state: S) -> Mapping[Seat, Turn]:
        """Who may act now. Empty when the match is over."""

    def leave(self, state: S, seat: Seat) -> Intent | None:
        """The intent that takes all that is this seat's off the table; None where nothing is there, or the rules know
        no way. No prompt offers it: it is carried out when a player concedes so."""


class Part(msgspec.Struct, frozen=True):
    """One scene node to present: made again only when an object in `key` is no longer the same one (`is`)."""

    id: str
    key: tuple[object, ...]
    make: Callable[[], AnyNode]


class Section(msgspec.Struct, frozen=True):
    """Parts that are looked at one by one only when an object in `key` is no longer the same one (`is`).

    So what a step does not touch costs nothing, however much of it there is. A section may hold others. No two hold
    the same node at once, but it may go over from one to another.
    """

    id: str
    key: tuple[object, ...]
    parts: Callable[[], Iterable[Shown]]


Shown = Part | Section


def all_parts(shown: Iterable[Shown]) -> Iterator[Part]:
    """Every part, those inside sections too."""
    for one in shown:
        if isinstance(one, Section):
            yield from all_parts(one.parts())
        else:
            yield one


class FactionInfo(NamedTuple):
    """A faction that a seat may play."""

    id: str
    name: Text
    lines: tuple[Text, ...] = ()


class ScenarioInfo(NamedTuple):
    """A scenario: how many seats, which factions they may play (by seat), how long it lasts in minutes.

    `form_of`: the id of the scenario that it is, for another number of players; "" where it is its own. `usual`: the
    faction of each seat where nobody chooses ("": none in particular). `points`: every seat brings an army list
    (core/army_lists.py) of so many points at most, which says its faction; two may bring the same. 0: no lists.
    """

    id: str
    name: Text
    about: Text
    seats: int
    factions: tuple[FactionInfo, ...]
    minutes: int
    form_of: str = ""
    usual: tuple[str, ...] = ()
    points: int = 0


class Setup(NamedTuple):
    """What the people at a table chose: a scenario, and a faction for each seat ("" leaves it to the system); where
    lists are brought, the code of each seat's ("" or none at all: a ready list of its faction)."""

    scenario: str
    factions: tuple[str, ...]
    lists: tuple[str, ...] = ()


class Moment(NamedTuple):
    """A named moment (`game.moment`) at which a seat may set a stop or leave a standing order: one of `orders`, ids of
    choices that its questions offer without fields. A seat without an order takes the question's default."""

    name: str
    title: Text
    orders: tuple[Option, ...] = ()


class System(Protocol[S]):
    """A rule system, whole."""

    @property
    def name(self) -> str:
        """Its name in logs and on the wire: the folder's name."""

    @property
    def title(self) -> Text:
        """Its name for people."""

    @property
    def RULES(self) -> int:  # noqa: N802 - a constant of each system
        """Rises when a procedure's questions or dice change."""

    @property
    def state(self) -> type[S]:
        """The type of its state, a msgspec Struct."""

    @property
    def events(self) -> Sequence[type[Event[S]]]:
        """Every type of event."""

    @property
    def intents(self) -> Sequence[type[Intent]]:
        """Every type of intent."""

    @property
    def rules(self) -> Rules[S]:
        """Its procedures."""

    @property
    def bots(self) -> Mapping[str, Callable[[int], Bot]]:
        """Kinds of bots, each made from a seed."""

    @property
    def moments(self) -> Sequence[Moment]:
        """Every moment that its procedures name; they are offered as asides."""

    @property
    def forms(self) -> Sequence[Form[Any]]:
        """Every form of cue (protocol/scene/forms.py) that `cues` gives."""

    def content(self, texts: Mapping[str, str]) -> object:
        """Parse and check TOML {file name: text}. Raises ContentRefused naming file, line, key and reason."""

    def scenarios(self, content: object) -> Sequence[ScenarioInfo]:
        """What can be played with this content."""

    def setup(self, content: object, setup: Setup) -> bytes:
        """The resolved content of one match, by value (msgpack). Raises SetupRefused."""

    def start(self, resolved: bytes, seats: int) -> S:
        """The state before anything has happened."""

    def catalogue(self, language: str) -> Mapping[str, str]:
        """All texts in this language (English where it lacks one)."""

    def parse(self, state: S, seat: Seat, reply: Reply) -> Intent:
        """The typed intent of a filled-in choice. Raises IllegalIntent where its form is wrong."""

    def public(self, state: S) -> Iterable[Shown]:
        """The scene that everyone sees."""

    def private(self, state: S, seat: Seat) -> Iterable[Shown]:
        """What only this seat may know (its prompt is made by `prompt`)."""

    def prompt(self, game: Game[S], seat: Seat) -> Prompt | None:
        """What this seat may do now, at a quiescent match. Its id and undo are filled in by the core.

        The title says nothing that changes with acts which leave the choices as they are, such as how many are left:
        that is for the public scene. Where the same object is given again, nobody looks into it.
        """

    def detail(self, game: Game[S], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
        """The first field of `choice` not in `fields`, with options and reasons. Raises IllegalIntent."""

    def cues(self, event: Event[S] | CoreEvent, before: S, after: S) -> Iterable[Cue | Told]:
        """What those who may know of the event see and hear of it, whole or by form."""

    def result(self, state: S) -> Result | None:
        """The outcome, once the match is over."""


def own_content(content: object, kind: type[C]) -> C:
    """What a system's `content` gave: server and client hold it without knowing what it is. Raises TypeError for
    anything else."""
    if not isinstance(content, kind):
        raise TypeError(f"not content of this system: {type(content).__name__}")
    return content
