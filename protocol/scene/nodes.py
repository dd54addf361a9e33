"""Nodes of the scene, by id: the things that thin clients draw.

A scene is a map from node id to node. A node id reads `kind/name` ("piece/17", "seat/2") or is the bare kind where
only one exists ("table", "row", "waits", "result", "prompt"). On the wire a node is a map with the tag `k`; fields
at their default are absent, so that no nulls and no floats travel. Lengths are hundredths of the table's unit,
angles whole degrees anticlockwise from the x axis, the origin is the table's lower left corner, y grows upwards.

The public part is the same for all viewers; the private part of a seat holds what only that seat may know (its
prompt, its secret objectives, its hand).
"""

from __future__ import annotations

from typing import Final

import msgspec

from protocol.ids import NodeId, PromptId
from protocol.scene.advice import Gesture
from protocol.scene.fields import AnyField
from protocol.scene.grid import Grid
from protocol.text import Text

Point = tuple[int, int]
NO_NODE: Final = NodeId("")
TABLE_NODE, ROW_NODE, WAITS_NODE, RESULT_NODE, PROMPT_NODE = map(NodeId, ("table", "row", "waits", "result", "prompt"))
"""Ids of the nodes of which there is but one."""
TURN: Final = "turn"
"""Window of a prompt for one's own turn; others ask about acts of somebody else."""
VOIDED: Final = "voided"
"""End of an act (`Act.how`) whose procedure has met a fault and is given up."""
NO_PROMPT: Final = PromptId("")
"""Id of no prompt, and of one that has not been given to a viewer yet."""


class Node(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="k"):
    """Base of all scene nodes."""


class Table(Node, frozen=True, tag="table"):
    """The playing surface; `unit` is "in" or "cm", `ground` names a texture of the client's theme.

    `grid`: the cells that lie over it, where the game has them."""

    size: Point
    unit: str = "in"
    ground: str = "grass"
    grid: Grid | None = None


class Feature(Node, frozen=True, tag="feature"):
    """Terrain: a closed outline, or an open polyline where `line` is set (wall, fence). `kind` picks the drawing."""

    outline: tuple[Point, ...]
    kind: str
    name: Text
    line: bool = False
    height: int = 0
    cover: str = ""
    blocks: bool = False
    states: tuple[str, ...] = ()


class Piece(Node, frozen=True, tag="piece"):
    """Base on the table. `radius` of a disc in hundredths; `glyph` names a symbol of the client's theme.

    `box`: the base is a rectangle, so long along `facing` and so wide; `radius` is then half its width.
    """

    at: Point
    radius: int
    owner: int = -1
    group: NodeId = NO_NODE
    name: Text | None = None
    glyph: str = ""
    facing: int = 0
    counters: dict[str, int] = {}
    status: tuple[str, ...] = ()
    box: Point | None = None


class Group(Node, frozen=True, tag="group"):
    """Pieces that act together. `sheet` is the node id of its unit card; `status` are plain words ("locked"); `numbers`
    are its present ones, by name."""

    owner: int
    name: Text
    pieces: tuple[NodeId, ...]
    sheet: NodeId = NO_NODE
    status: tuple[str, ...] = ()
    numbers: dict[str, int] = {}


class Zone(Node, frozen=True, tag="zone"):
    """A marked area: a polygon by `points`, or a disc by `at` and `radius`. `style` picks colour and hatching."""

    style: str
    points: tuple[Point, ...] = ()
    at: Point | None = None
    radius: int = 0
    owner: int = -1
    name: Text | None = None


class Card(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card face up. `owner` is the seat it belongs to, -1 for nobody's; `state` is waiting, current, done, passed;
    `hint` says what it does, where its name does not."""

    id: str
    name: Text
    owner: int = -1
    kind: str = ""
    pips: int = 0
    state: str = "waiting"
    hint: Text | None = None


class Row(Node, frozen=True, tag="row"):
    """Cards laid open in the order of play; `left` counts what may still be done with the current card."""

    cards: tuple[Card, ...]
    turn: int = 0
    left: int = 0


class Pile(Node, frozen=True, tag="pile"):
    """A face-down or discard pile with its number of cards."""

    name: Text
    count: int


class RollId(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Number of a roll in its match: `n` counts from 0 within the round, hidden rolls apart from open ones."""

    round: int
    n: int
    hidden: bool = False


class Dice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A roll with what it was for. `parts` say where the dice came from ("2 rifles 1D6"), `reasons` what it meant.

    `round`, `n` and `hidden` are the number of the roll, as in RollId; `round` is -1 in scenes that are older than
    these numbers. `low`, `high`: the least and the greatest face that count, 0 where the dice are added or read. A rule
    system makes dice with `of`: their faces have one home, the record of the roll.
    """

    purpose: Text
    seat: int
    sides: int
    faces: tuple[int, ...]
    parts: tuple[Text, ...] = ()
    reasons: tuple[Text, ...] = ()
    total: int = 0
    round: int = -1
    n: int = -1
    hidden: bool = False
    low: int = 0
    high: int = 0

    @classmethod
    def of(
        cls,
        roll: RollId,
        purpose: Text,
        parts: tuple[Text, ...] = (),
        reasons: tuple[Text, ...] = (),
        total: int = 0,
        counted: tuple[int, int] = (0, 0),
    ) -> Dice:
        """Make dice that name a roll; the core fills in seat, sides and faces from its record (core/projection.py)."""
        return cls(purpose, -1, 0, (), parts, reasons, total, roll.round, roll.n, roll.hidden, *counted)

    @property
    def roll(self) -> RollId:
        """Number of the roll that is shown."""
        return RollId(self.round, self.n, self.hidden)


class StackItem(Node, frozen=True, tag="stack"):
    """Item being resolved: a pending shot, a combat, a vote. Lower `order` is resolved first."""

    title: Text
    order: int = 0
    lines: tuple[Text, ...] = ()
    dice: tuple[Dice, ...] = ()
    about: tuple[NodeId, ...] = ()


class Sheet(Node, frozen=True, tag="sheet"):
    """A unit's or faction's card: a title and lines. `numbers`: those that the lines tell of, by name, for programs; of
    a part of it the part's name stands before a slash ("rifle/range"). `figures`: those that a group of it has at
    first, 0 where that is not told."""

    title: Text
    lines: tuple[Text, ...] = ()
    owner: int = -1
    numbers: dict[str, int] = {}
    figures: int = 0


class SeatNode(Node, frozen=True, tag="seat"):
    """A seat as the rules know it; `colour` is an index into the client's palette, `name` the faction. `side`: the
    number of the side that it sees and wins with, -1 where it stands alone. `left`: its groups that have not acted in
    this round, -1 where that is not counted; `next`: it acts after the seat that is on. `scored`: what the score is
    made of, one line each; of a match without a score there is none."""

    name: Text
    colour: int
    score: int = 0
    alive: bool = True
    status: tuple[str, ...] = ()
    side: int = -1
    left: int = -1
    next: bool = False
    scored: tuple[Text, ...] = ()


class Objective(Node, frozen=True, tag="objective"):
    """A victory condition. `state` is open, met or failed; `progress` of `goal` where it can be counted; `kind` is a
    word for what it asks for, and `points` are what it brings."""

    owner: int
    name: Text
    text: Text
    state: str = "open"
    progress: int = 0
    goal: int = 0
    secret: bool = False
    about: tuple[NodeId, ...] = ()
    kind: str = ""
    points: int = 0


class Counter(Node, frozen=True, tag="counter"):
    """A named number of the table: turn, reshuffles left."""

    name: Text
    value: int
    most: int = 0


class Waits(Node, frozen=True, tag="waits"):
    """Seats that the table waits for, and the reason. Of a sealed question all seats asked are named until it
    closes."""

    seats: tuple[int, ...]
    what: Text
    window: str = TURN


class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    """Victory condition on the result screen."""

    name: Text
    text: Text
    met: bool
    secret: bool = False


class SeatResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """Outcome of a seat: won or not, its score, each condition."""

    seat: int
    won: bool
    score: int = 0
    conditions: tuple[Condition, ...] = ()


class SideResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """Outcome of a side: won or not, its score."""

    side: int
    won: bool
    score: int = 0


class Series(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number of each seat as it was at the end of each round: a row for each seat, by seat, all of one length.
    `first`: the number of the first round; `per`: what the numbers are to be divided by, such as 100 of hundredths."""

    name: Text
    rows: tuple[tuple[int, ...], ...]
    first: int = 0
    per: int = 1


class Result(Node, frozen=True, tag="result"):
    """The end of the match, why it ended, and every seat's outcome (secrets are open by now). `sides`: the outcome of
    each side, empty where each seat stands alone. `series`: how the match went, round by round."""

    why: Text
    seats: tuple[SeatResult, ...]
    sides: tuple[SideResult, ...] = ()
    series: tuple[Series, ...] = ()


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """Thing a viewer may do now. `key` suggests a hot key; `hint` says in a line what it means; `gesture`: the clicks
    that make it; `confirm`: what to ask first, as it gives something up that is left."""

    id: str
    name: Text
    fields: tuple[AnyField, ...] = ()
    hint: Text | None = None
    key: str = ""
    about: tuple[NodeId, ...] = ()
    gesture: Gesture | None = None
    confirm: Text | None = None


class UndoState(msgspec.Struct, frozen=True, omit_defaults=True):
    """Right of the viewer to take back their last act; if there is none, `why`."""

    can: bool = False
    why: Text | None = None


class Prompt(Node, frozen=True, tag="prompt"):
    """Choices that this viewer has now. `id` names it in intents; `default` is the choice that time running out plays.

    `asides` may be chosen at any time, whoever is to act: they change nothing but the viewer's own settings.
    """

    id: PromptId
    title: Text
    choices: tuple[Choice, ...]
    window: str = TURN
    default: str = ""
    undo: UndoState = UndoState()
    rule: str = ""
    asides: tuple[Choice, ...] = ()


AnyNode = (
    Table
    | Feature
    | Piece
    | Group
    | Zone
    | Row
    | Pile
    | StackItem
    | Sheet
    | SeatNode
    | Objective
    | Counter
    | Waits
    | Result
    | Prompt
)


class Act(msgspec.Struct, frozen=True, omit_defaults=True):
    """A declared action of the rules, such as a shot with all that came of it.

    `n`: public acts of a match count up from 1, those that only the viewer knows of down from -1; `verb`: the system's
    word for it; `about`: its nodes by their part in it; `names`: of those parts whose name the scene does not have;
    `how` it ended, "" while it is open, with what there was to count; `expect`: the mean of the losses that were
    forecast of it, in hundredths, -1 where nothing was."""

    n: int
    verb: str
    seat: int = -1
    about: dict[str, NodeId] = {}
    how: str = ""
    counts: dict[str, int] = {}
    names: dict[str, Text] = {}
    expect: int = -1

    @property
    def group(self) -> NodeId:
        """The node that acts, NO_NODE where none does."""
        return self.about.get("group", NO_NODE)

    @property
    def title(self) -> Text:
        """Title: what is done, once all names are filled in."""
        return Text(f"act.{self.verb}", {**self.names})

    @property
    def sum(self) -> Text | None:
        """Sum: what came of it, once all names are filled in; None while it is open."""
        if self.how == VOIDED:
            return Text("act.voided", {"title": self.title})
        return Text(f"act.{self.verb}.{self.how}", {**self.names, **self.counts}) if self.how else None


class Cue(msgspec.Struct, frozen=True, omit_defaults=True):
    """A passing fact for animation, sound and log. `kind`: dice, move, shot, casualty, card, combat, note, end.

    `path` is the way of a move; a shot goes from the first node that it is `about` to the last. `act`: the number of
    the act that it is part of, 0 where it is part of none."""

    kind: str
    text: Text
    rule: str = ""
    seat: int = -1
    about: tuple[NodeId, ...] = ()
    path: tuple[Point, ...] = ()
    dice: Dice | None = None
    act: int = 0


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """A filled-in choice: what an intent on the wire, an answer to a question and a bot's decision all carry."""

    choice: str
    fields: dict[str, object] = {}
