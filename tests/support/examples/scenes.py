"""A table as a server would present it: twenty features of all kinds, six factions, cards, a prompt with fields."""

from __future__ import annotations

import math

from protocol.ids import NodeId, PromptId, Seq, TableId
from protocol.scene.delta import node_map, nodes_hash
from protocol.scene.fields import Barred, Number, Option, PickPoint, Pieces, Placement
from protocol.scene.nodes import (
    PROMPT_NODE,
    RESULT_NODE,
    ROW_NODE,
    TABLE_NODE,
    WAITS_NODE,
    AnyNode,
    Card,
    Choice,
    Condition,
    Counter,
    Cue,
    Dice,
    Feature,
    Group,
    Node,
    Objective,
    Piece,
    Pile,
    Point,
    Prompt,
    Result,
    Row,
    SeatNode,
    SeatResult,
    Series,
    Sheet,
    StackItem,
    Table,
    UndoState,
    Waits,
    Zone,
)
from protocol.text import Text, text
from protocol.wire.codec import encode
from protocol.wire.from_server import Catalogue, ClockView, SeatView, Snapshot, TableView, Watcher, Welcome
from protocol.wire.server_message import ServerMessage

PROMPT = PromptId("p1")

FACTIONS = ("Task Force", "Iron Shells", "Burrowers", "Harbour Watch", "Sun Riders", "The Hollow")
SIZES = (4, 3, 8, 5, 6, 10)

ENTRIES = {
    **{f"faction.{i}": name for i, name in enumerate(FACTIONS)},
    "group": "{faction} {n}",
    "card.single": "Single action",
    "card.double": "Double action",
    "card.triple": "Triple action",
    "card.event": "Special event",
    "waits.card": "playing a card",
    "prompt.card": "Play your card",
    "choice.move": "Move a group",
    "choice.move.hint": "One group moves in a straight line; the others follow its first figure.",
    "choice.shoot": "Shoot",
    "choice.end": "End the card",
    "choice.offer": "Offer points",
    "field.group": "Which group?",
    "field.lead": "Which figure leads?",
    "field.to": "Where to?",
    "field.place": "Place the others",
    "field.target": "At whom?",
    "field.points": "How many?",
    "why.sight": "{blocker} is in the way.",
    "why.dice": "Dice have been rolled since.",
    "pile.deck": "Deck",
    "pile.discard": "Played",
    "counter.turn": "Turn",
    "counter.left": "Reshuffles left",
    "goal.hold": "Hold the mill",
    "goal.hold.text": "Have a group in the mill when the game ends.",
    "goal.spy": "Find the courier",
    "goal.spy.text": "Remove the figure that carries the papers.",
    "dice.shoot": "shooting at {target}",
    "dice.part": "2 rifles 2D6, support weapon 2D6.",
    "dice.reason": "29 against 24: one figure falls.",
    "log.move": "{group} moves 8 inches.",
    "log.shot": "{group} shoots at {target}: one figure falls.",
    "zone.start": "Start of {faction}",
    "zone.goal": "The mill",
    "result.why": "The deck ran out for the last time.",
    "series.score": "Points",
    "series.figures": "Figures standing",
    "series.luck": "Luck",
    "sheet.line": "Move {move}, kill number 6 / 9 / 12",
    "stack.shot": "Shot at {target}",
    "stack.line": "{seat} picks who falls",
    "status.locked": "locked",
    **{f"kind.{kind}": kind.replace("_", " ").capitalize() for kind in (
        "scrub", "rubble", "trees", "rocks", "building", "wall", "wooden_fence", "wire_fence", "river", "vehicle",
    )},
}  # fmt: skip

CATALOGUE = Catalogue("action_cards", "en", "c" * 16, ENTRIES)
PIECES = (NodeId("piece/14"), NodeId("piece/15"))


def faction(seat: int) -> Text:
    return text(f"faction.{seat}")


def _feature(
    kind: str, outline: tuple[Point, ...], *, line: bool = False, cover: str = "", blocks: bool = False
) -> Feature:
    return Feature(outline, kind, text(f"kind.{kind}"), line, 0, cover, blocks)


def _patch(kind: str, x: int, y: int, w: int, h: int, cover: str, *, blocks: bool = False, corners: int = 0) -> Feature:
    if not corners:
        return _feature(kind, ((x, y), (x + w, y), (x + w, y + h), (x, y + h)), cover=cover, blocks=blocks)
    round_ = tuple(
        (
            round(x + w / 2 + w / 2 * math.cos(2 * math.pi * i / corners) * (0.86 + 0.14 * (i % 2))),
            round(y + h / 2 + h / 2 * math.sin(2 * math.pi * i / corners) * (0.86 + 0.14 * (i % 2))),
        )
        for i in range(corners)
    )
    return _feature(kind, round_, cover=cover, blocks=blocks)


def features() -> dict[NodeId, Feature]:
    """Return twenty features on 72 x 48 inches."""
    river = ((3200, 0), (3500, 0), (3750, 1400), (3500, 2600), (3900, 4800), (3550, 4800), (3200, 2600), (3450, 1400))
    made = (
        _feature("river", river),
        _patch("building", 900, 2000, 700, 600, "building", blocks=True),
        _patch("building", 5300, 2900, 900, 600, "building", blocks=True),
        _patch("building", 4500, 700, 600, 700, "building", blocks=True),
        _patch("trees", 1900, 3300, 800, 700, "building", blocks=True, corners=10),
        _patch("trees", 2300, 700, 700, 800, "building", blocks=True, corners=10),
        _patch("trees", 6200, 1500, 600, 700, "building", blocks=True, corners=10),
        _patch("trees", 4300, 3700, 700, 600, "building", blocks=True, corners=10),
        _patch("scrub", 500, 900, 700, 500, "cover", blocks=False, corners=9),
        _patch("scrub", 4200, 2200, 600, 600, "cover", blocks=False, corners=9),
        _patch("scrub", 6300, 4100, 700, 500, "cover", blocks=False, corners=9),
        _patch("rubble", 1300, 4200, 700, 400, "cover", blocks=False, corners=7),
        _patch("rubble", 5600, 300, 700, 500, "cover", blocks=False, corners=7),
        _patch("rocks", 2500, 2200, 500, 500, "building", blocks=True, corners=8),
        _patch("rocks", 6000, 2400, 400, 400, "building", blocks=True, corners=8),
        _feature("wall", ((300, 3000), (1300, 3000)), line=True, cover="cover", blocks=True),
        _feature("wall", ((5000, 1900), (5000, 1600), (5700, 1600)), line=True, cover="cover", blocks=True),
        _feature("wooden_fence", ((1700, 1700), (2600, 1800)), line=True, cover="cover", blocks=True),
        _feature("wire_fence", ((4000, 3200), (4900, 3300)), line=True),
        _patch("vehicle", 3000, 3900, 350, 180, "cover"),
    )
    return {NodeId(f"feature/{i}"): feature for i, feature in enumerate(made)}


def _ring(at: Point, count: int) -> list[Point]:
    """Return places of a group around its first figure, bases apart."""
    places = [at]
    for i in range(count - 1):
        ring, spot = divmod(i, 6)
        angle = math.pi / 3 * spot + ring * 0.5
        distance = 118 * (ring + 1)
        places.append((round(at[0] + distance * math.cos(angle)), round(at[1] + distance * math.sin(angle))))
    return places


STARTS: tuple[tuple[Point, ...], ...] = (
    ((700, 400), (1700, 400), (600, 1700)),
    ((6500, 500), (5200, 500), (6600, 1200)),
    ((600, 4300), (800, 3500)),
    ((6500, 3600), (5700, 4300), (5100, 4400)),
    ((3000, 300), (4000, 500), (2700, 3000)),
    ((2800, 4450), (4700, 2600)),
)


def public_nodes(*, finished: bool = False) -> dict[NodeId, AnyNode]:
    """Return the public part of the scene."""
    nodes: dict[NodeId, AnyNode] = {TABLE_NODE: Table((7200, 4800)), **features()}
    number = 0
    for seat, places in enumerate(STARTS):
        nodes[NodeId(f"seat/{seat}")] = SeatNode(faction(seat), seat, seat * 2, seat != 4 or not finished)
        for index, at in enumerate(places, start=1):
            group = NodeId(f"group/{seat * 10 + index}")
            ids = []
            for place in _ring(at, SIZES[seat]):
                number += 1
                ids.append(NodeId(f"piece/{number}"))
                stunned = ("stunned",) if number == 3 else ()
                nodes[ids[-1]] = Piece(place, 50, seat, group, glyph="rifle", status=stunned)
            name = text("group", faction=faction(seat), n=index)
            status = ("locked",) if group == "group/53" else ()
            nodes[group] = Group(seat, name, tuple(ids), NodeId(f"sheet/{seat}"), status)
        nodes[NodeId(f"sheet/{seat}")] = Sheet(faction(seat), (text("sheet.line", move=8),), seat)
        nodes[NodeId(f"objective/{seat}")] = Objective(seat, text("goal.hold"), text("goal.hold.text"), "open", 1, 3)
    kinds = ("single", "double", "event", "triple", "single", "double")
    nodes[ROW_NODE] = Row(
        tuple(
            Card(
                f"card/{i}",
                text(f"card.{kind}"),
                -1 if kind == "event" else i,
                kind,
                {"single": 1, "double": 2, "triple": 3}.get(kind, 0),
                "done" if i < 1 else "current" if i == 1 else "waiting",
            )
            for i, kind in enumerate(kinds)
        ),
        3,
        2,
    )
    nodes[NodeId("pile/deck")] = Pile(text("pile.deck"), 34)
    nodes[NodeId("pile/discard")] = Pile(text("pile.discard"), 18)
    nodes[NodeId("counter/turn")] = Counter(text("counter.turn"), 3)
    nodes[NodeId("counter/reshuffles")] = Counter(text("counter.left"), 1, 2)
    nodes[NodeId("zone/goal")] = Zone("objective", at=(3000, 2900), radius=300, name=text("zone.goal"))
    nodes[NodeId("zone/start0")] = Zone("deployment", ((0, 0), (1500, 0), (1500, 800), (0, 800)), owner=0)
    if finished:
        conditions = (
            Condition(text("goal.hold"), text("goal.hold.text"), True),
            Condition(text("goal.spy"), text("goal.spy.text"), False, True),
        )
        nodes[RESULT_NODE] = Result(
            text("result.why"),
            tuple(SeatResult(seat, seat % 2 == 1, seat * 2, conditions) for seat in range(6)),
            series=(
                Series(text("series.score"), tuple((0, seat, seat, seat * 2) for seat in range(6)), 1),
                Series(text("series.figures"), tuple((30, 28 - seat, 21 - seat, 14) for seat in range(6)), 1),
                Series(text("series.luck"), tuple((0, 50 - 40 * seat, 325 - 90 * seat) for seat in range(6)), 1, 100),
            ),
        )
    else:
        nodes[WAITS_NODE] = Waits((1,), text("waits.card"))
        nodes[NodeId("stack/1")] = StackItem(
            text("stack.shot", target=text("group", faction=faction(0), n=1)),
            0,
            (text("stack.line", seat=faction(0)),),
            about=(NodeId("group/1"),),
        )
    return nodes


def group_options(seat: int) -> tuple[Option, ...]:
    return tuple(Option(f"group/{seat * 10 + i}") for i in range(1, len(STARTS[seat]) + 1))


def card_prompt(seat: int = 1, prompt_id: PromptId = PROMPT) -> Prompt:
    """Return the prompt for a card: move (with lazy fields), shoot (with a barred target), offer, end."""
    move = Choice(
        "move",
        text("choice.move"),
        (
            Pieces("group", text("field.group"), options=group_options(seat)),
            Pieces("lead", text("field.lead"), lazy=True),
            PickPoint("to", text("field.to"), lazy=True),
            Placement("place", text("field.place"), lazy=True, auto=True),
        ),
        text("choice.move.hint"),
        "m",
    )
    barred = Barred("group/1", "shoot/no-line-of-sight", text("why.sight", blocker=text("kind.trees")))
    shoot = Choice(
        "shoot",
        text("choice.shoot"),
        (
            Pieces("group", text("field.group"), options=group_options(seat)),
            Pieces("target", text("field.target"), options=group_options(3), barred=(barred,)),
        ),
        key="s",
    )
    offer = Choice("offer", text("choice.offer"), (Number("points", text("field.points"), least=0, most=5, default=2),))
    end = Choice("end", text("choice.end"), key="e")
    undo = UndoState(False, text("why.dice"))
    return Prompt(prompt_id, text("prompt.card"), (move, shoot, offer, end), "turn", "end", undo, "AC-ACT-01")


LEAD = Pieces("lead", text("field.lead"), options=tuple(Option(f"piece/{n}") for n in (13, 14, 15)))
TO = PickPoint("to", text("field.to"), start=(6500, 500), reach=800, radius=50)


def placement(at: Point) -> Placement:
    places = dict(zip(PIECES, _ring(at, 3)[1:], strict=True))
    return Placement(
        "place",
        text("field.place"),
        auto=True,
        around=at,
        radius=50,
        within=200,
        pieces=PIECES,
        default=places,
    )


def seats(mine: int = 1) -> tuple[SeatView, ...]:
    people = ("Ada", "Bertram", "", "Chris", "", "")
    return tuple(
        SeatView(
            seat,
            f"who{seat}" if person else "",
            person or f"Bot {seat}",
            f"f{seat}",
            faction(seat),
            True,
            "" if person else "level1",
            seat in (0, mine),
        )
        for seat, person in enumerate(people)
    )


def table_view(seat: int = 1, state: str = "live") -> TableView:
    return TableView(
        TableId("t1"),
        "Friday night",
        "action_cards",
        "mill",
        state,
        seat,
        "who0",
        seats(),
        (Watcher("w1", "Dora"),),
        "K7Q4XZ",
        True,
        clocks=(ClockView(1, 12_000, 48_000),),
        replay=state == "finished",
    )


def cues() -> tuple[Cue, ...]:
    one, other = text("group", faction=faction(1), n=1), text("group", faction=faction(0), n=1)
    dice = Dice(
        text("dice.shoot", target=other),
        1,
        6,
        (2, 2, 2, 3, 3, 5, 6, 6),
        (text("dice.part"),),
        (text("dice.reason"),),
        29,
    )
    return (
        Cue("move", text("log.move", group=one), "AC-MOVE-01", 1),
        Cue("dice", text("log.shot", group=one, target=other), "AC-SHOOT-02", 1, dice=dice),
    )


def snapshot(part: str, nodes: dict[NodeId, AnyNode], n: int = 1) -> Snapshot:
    wire = {node_id: node_map(_node(node)) for node_id, node in nodes.items()}
    return Snapshot(part, "stream1", Seq(n), wire, nodes_hash(wire), Seq(n if part == "private" else 0))


def _node(node: AnyNode) -> Node:
    return node


def table_frames(seat: int = 1, *, finished: bool = False) -> list[bytes]:
    """Return the frames for a client that comes to the table."""
    messages: list[ServerMessage] = [
        Welcome(f"who{seat}", "Bertram", "secret-token", "test server", "0.1.0"),
        CATALOGUE,
        table_view(seat, "finished" if finished else "live"),
        snapshot("public", public_nodes(finished=finished)),
    ]
    if not finished:
        messages.append(snapshot("private", {PROMPT_NODE: card_prompt(seat)}))
    return [encode(message) for message in messages]
