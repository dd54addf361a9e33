"""The contract of a rule system: everything that server and client ever learn of it, through one entry point."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.events import CoreEvent, Event
from engine.core.rules.lessons import LessonPlan
from engine.core.rules.options import RuleOption, TablePace
from engine.core.rules.record import StandingOrder
from engine.core.rules.sides import ALONE, Sides
from protocol.ids import NodeId
from protocol.scene.cue_templates import CueTemplate, TemplatedCues
from protocol.scene.fields import AnyField, Option
from protocol.scene.nodes import AnyNode, Cue, Prompt, Reply, Result, StackItem
from protocol.text import Text
from protocol.wire.choices import OptionValue
from protocol.wire.faction_pages import FactionSheet

if TYPE_CHECKING:
    from engine.core.bots.bot import Bot
    from engine.core.bots.random_bot import Chance
    from engine.core.rules.game import Game
    from engine.core.rules.record import PendingAction

S = TypeVar("S")
C = TypeVar("C")

Procedure = Coroutine[Any, Any, None]
"""A coroutine that resolves an intent: it rolls, emits, awaits procedures and stops only to ask."""


class Intent(msgspec.Struct, frozen=True, tag_field="i", omit_defaults=True):
    """Base of the requests that a player may make of the rules. Each type has a stable `tag`."""


class Turn(msgspec.Struct, frozen=True):
    """The turn of a seat at a quiescent match: what is played for it when time runs out, and which clock runs. `apart`:
    it acts in a phase that each seat ends for itself, in any order; no act of one rests on another's, so that each can
    take its own back whatever others have done since, until all have ended it."""

    expiry: Intent
    clock: str = "decision"
    apart: bool = False


class Rules(Protocol[S]):
    """The procedures of a system."""

    def procedure(self, game: Game[S], seat: Seat, intent: Intent) -> Procedure:
        """Return the procedure of this intent. Its first lines hold its checks; only they may raise IllegalIntent."""

    def flow(self, game: Game[S]) -> Procedure | None:
        """Return what follows now unasked (next card, end of turn); None where a player is to act, or at the end."""

    def turn(self, state: S) -> Mapping[Seat, Turn]:
        """Return the seats that may act now, each with its turn. Empty when the match is over."""

    def leave(self, state: S, seat: Seat) -> Intent | None:
        """Return the intent that takes all that is this seat's off the table; None where nothing is there, or the rules
        know no way. No prompt offers it: it is carried out when a player concedes so."""


class Part(msgspec.Struct, frozen=True):
    """A scene node to present: made again only when an object in `key` is no longer the same one (`is`)."""

    id: NodeId
    key: tuple[object, ...]
    make: Callable[[], AnyNode]


class Section(msgspec.Struct, frozen=True):
    """A list of parts that is looked at only when an object in `key` is no longer the same one (`is`).

    What a step does not touch costs nothing, however much of it there is. A section may hold others. No two hold the
    same node at once, but a node may pass from one to another.
    """

    id: str
    key: tuple[object, ...]
    parts: Callable[[], Iterable[PartOrSection]]


PartOrSection = Part | Section


def all_parts(shown: Iterable[PartOrSection]) -> Iterator[Part]:
    """Yield every part, those inside sections too."""
    for one in shown:
        if isinstance(one, Section):
            yield from all_parts(one.parts())
        else:
            yield one


class FactionInfo(NamedTuple):
    """A faction that a seat may play. `dealt`: a seat that chooses none may get it; else only who chooses it does, or
    where no other is left."""

    id: str
    name: Text
    lines: tuple[Text, ...] = ()
    dealt: bool = True


class ScenarioInfo(NamedTuple):
    """A scenario: its number of seats, the factions that they may play (by seat), its length in minutes.

    `form_of`: the id of the scenario that it is, for another number of players; "" where it is its own. `usual`: the
    faction of each seat where nobody chooses ("": none in particular). `points`: every seat brings an army list
    (army_lists.py) of so many points at most, which says its faction; two may bring the same. 0: no lists.
    `sides`: the side of each seat (sides.py), empty where each stands alone. `seat_points`: the points of each seat
    where they differ, `points` being the most of them.
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
    sides: Sides = ALONE
    seat_points: tuple[int, ...] = ()

    def points_of(self, seat: int) -> int:
        """Return the points that the list of a seat may have at most; 0: no lists."""
        return self.seat_points[seat] if self.seat_points else self.points

    @property
    def dealt_first(self) -> tuple[FactionInfo, ...]:
        """The factions, those last that only who chooses them plays."""
        return tuple(sorted(self.factions, key=lambda info: not info.dealt))


class Setup(NamedTuple):
    """A table's choices for a match: a scenario, and a faction for each seat ("" leaves it to the system); where lists
    are brought, the code of each seat's ("" or none at all: a ready list of its faction); and the values of options
    that are not at their default."""

    scenario: str
    factions: tuple[str, ...]
    lists: tuple[str, ...] = ()
    options: Mapping[str, OptionValue] = {}


class TablePreview(NamedTuple):
    """The table of a match that nobody has set up yet: its parts (what else is among them is not shown), and how many
    pieces of terrain the dice are yet to lay, which are not."""

    shown: Iterable[PartOrSection]
    left_out: int = 0


class RoundTally(msgspec.Struct, frozen=True):
    """Numbers of a match as it stands: that of the game's round, which counts up one by one, and by name one for each
    seat. The text of a name is `series.{name}`; the core has those of "score", "figures" and "lost"."""

    round: int = 0
    counts: dict[str, tuple[int, ...]] = {}


class OrderForm(NamedTuple):
    """A standing order that a seat may leave: its id, its name, what it does, and its fields, none of them lazy.
    `by_group`: it is for some of the groups that the seat commands (`System.commanded`), else for the whole seat."""

    id: str
    title: Text
    hint: Text | None = None
    fields: tuple[AnyField, ...] = ()
    by_group: bool = True


class Moment(NamedTuple):
    """A named moment (`game.moment`) at which a seat may set a stop or leave standing orders: one of `orders`, ids of
    choices that its questions offer without fields, or `forms`, to which the rules find the answer (`System.obey`). A
    seat to whose question no order fits takes its default; where the moment `asks`, it is asked, stop or not."""

    name: str
    title: Text
    orders: tuple[Option, ...] = ()
    forms: tuple[OrderForm, ...] = ()
    asks: bool = False


class MomentReached(NamedTuple):
    """A moment that has come: its name, and the node ids that it is about."""

    name: str
    about: tuple[NodeId, ...] = ()


class System(Protocol[S]):
    """A whole rule system."""

    @property
    def name(self) -> str:
        """The name of the system in logs and on the wire: the folder's name."""

    @property
    def title(self) -> Text:
        """The name of the system for people."""

    @property
    def RULES(self) -> int:  # noqa: N802 - a constant of each system
        """The number of the rules: it rises when a procedure's questions or dice change."""

    @property
    def state(self) -> type[S]:
        """The type of the system's state, a msgspec Struct."""

    @property
    def events(self) -> Sequence[type[Event[S]]]:
        """Every type of event."""

    @property
    def intents(self) -> Sequence[type[Intent]]:
        """Every type of intent."""

    @property
    def rules(self) -> Rules[S]:
        """The procedures of the system."""

    @property
    def bots(self) -> Mapping[str, Callable[[int], Bot]]:
        """The kinds of bots, each made from a seed."""

    @property
    def moments(self) -> Sequence[Moment]:
        """Every moment that the procedures name; they are offered as asides."""

    @property
    def has_activations(self) -> bool:
        """True where each seat may say whether its activations wait to be ended (engine/kit/activations.py)."""

    @property
    def options(self) -> Sequence[RuleOption]:
        """Every option of the rules (options.py) that a table may choose; `setup` takes their values."""

    @property
    def pace(self) -> TablePace:
        """The usual clock, bank and reaction time of its tables."""

    @property
    def cue_templates(self) -> Sequence[CueTemplate[Any]]:
        """Every cue template (protocol/scene/cue_templates.py) that `cues` uses."""

    def content(self, texts: Mapping[str, str]) -> object:
        """Parse and check TOML {file name: text}. Raises ContentRefused naming file, line, key and reason."""

    def scenarios(self, content: object) -> Sequence[ScenarioInfo]:
        """Return the scenarios that can be played with this content."""

    def faction_sheet(self, content: object, faction: str) -> FactionSheet | None:
        """Return the page of a faction of any scenario; None where there is none of this id."""

    def lessons(self, content: object) -> Sequence[LessonPlan]:
        """Return the lessons of this content (lessons.py), the first one for beginners."""

    def has_verb(self, choice: str) -> bool:
        """Tell whether its prompts may offer a choice of this id in a turn."""

    def setup(self, content: object, setup: Setup) -> bytes:
        """Return the resolved content of one match, by value (msgpack). Raises SetupRefused."""

    def start(self, resolved: bytes, seats: int) -> S:
        """Return the state before anything has happened."""

    @property
    def languages(self) -> Sequence[str]:
        """Languages beside English that some of its texts are in."""

    def catalogue(self, language: str) -> Mapping[str, str]:
        """Return all texts in this language (line by line in English where it lacks one)."""

    def sides(self, state: S) -> Sides:
        """Return the side of each seat, the same all through a match; empty where each stands alone."""

    def known(self, state: S, seat: Seat) -> S:
        """Return what this seat knows of the state: a value of the same type, built up from what it may know, hidden
        things absent or as markers. Probes, prompts, details, `parse` and bots get this value and no other."""

    def imagine(self, known: S, chance: Chance) -> S:
        """Return a whole state that could be behind what a seat knows, for bots that search: the seat would know the
        same of it."""

    def commanded(self, known: S, seat: Seat, moment: str) -> Sequence[Option]:
        """Return the groups, by node id, that a seat may give standing orders at a moment."""

    def obey(self, game: Game[S], seat: Seat, reached: MomentReached, orders: Sequence[StandingOrder]) -> Reply | None:
        """Return the answer that the standing orders of a seat give at this moment, from what the seat knows; None
        where the condition of none of them holds."""

    def parse(self, state: S, seat: Seat, reply: Reply) -> Intent:
        """Return the typed intent of a filled-in choice. Raises IllegalIntent where its form is wrong."""

    def public(self, state: S) -> Iterable[PartOrSection]:
        """Return the scene that everyone sees."""

    def preview(self, state: S) -> TablePreview:
        """Return the table as anybody may see it before the set-up, of the state before anything has happened: the
        board, the terrain that no dice lay, marked areas, the start zones of the seats."""

    def private(self, state: S, seat: Seat) -> Iterable[PartOrSection]:
        """Return the part of the scene that only this seat may know; its prompt is made by `prompt`."""

    def prompt(self, game: Game[S], seat: Seat) -> Prompt | None:
        """Return what this seat may do now, at a quiescent match. The core fills in its id and undo.

        The title says nothing that changes with acts which leave the choices as they are, such as how many are left:
        that is for the public scene. A prompt that is the same object as before is not looked into again.
        """

    def detail(self, game: Game[S], seat: Seat, choice: str, fields: Mapping[str, object]) -> AnyField:
        """Return the first field of `choice` not in `fields`, with options and reasons. Raises IllegalIntent."""

    def cues(self, event: Event[S] | CoreEvent, before: S, after: S) -> Iterable[Cue | TemplatedCues]:
        """Return the cues of an event for its audience, whole or by template."""

    def name_of(self, state: S, node: NodeId) -> Text:
        """Return the name of a node that an action was declared about (`Game.declare`), as all who know of the action
        may read it; or of a group with a standing order, which may be gone, from what its seat knows."""

    def on_stack(self, state: S, action: PendingAction, item: StackItem) -> StackItem:
        """Return the item on the stack of an open action, which has its title, nodes and rolls, with what the rules add
        to it: lines, the meaning of its dice."""

    def tally(self, state: S) -> RoundTally:
        """Return how the match stands: for the series of its result, which all read once it is over."""

    def forces(self, state: S) -> Sequence[int]:
        """Return what each seat's units that are left are worth, in the points of its list; nothing where units have no
        points."""

    def result(self, state: S) -> Result | None:
        """Return the outcome once the match is over, else None. The core adds the series."""


def own_content(content: object, kind: type[C]) -> C:
    """Return a system's content in its own type: server and client hold it without knowing what it is. Raises TypeError
    for anything else."""
    if not isinstance(content, kind):
        raise TypeError(f"not content of this system: {type(content).__name__}")
    return content
