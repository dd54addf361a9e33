"""The scene of each viewer, built up from what the viewer may know."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.events import CardDrawn, CoreEvent, DiceRolled, Event
from engine.core.rules.record import PendingAction
from engine.core.rules.sides import allies_of, side_results
from engine.core.rules.system import Part
from protocol.ids import NodeId
from protocol.scene.nodes import (
    RESULT_NODE,
    TABLE_NODE,
    Counter,
    Cue,
    Dice,
    Piece,
    Pile,
    Result,
    SeatNode,
    SeatResult,
    Sheet,
    StackItem,
    Table,
    Zone,
)
from protocol.text import Text, text
from tests.support.proving import events
from tests.support.proving.fire import FIRE
from tests.support.proving.ground import GROUND
from tests.support.proving.state import FLAG, GRID, SIZE, SMOKE, Field, Unit


def public_parts(state: Field) -> Iterable[Part]:
    """Yield everything in the open, and the number of units in the dark."""
    yield Part(TABLE_NODE, (), lambda: Table(SIZE, grid=GRID))
    yield Part(NodeId("counter/turn"), (state.turn,), lambda: Counter(text("pv.turn"), state.turn, state.turns))
    for unit in state.units:
        if not unit.hidden:
            yield Part(unit.node, (unit,), partial(_piece, unit))
    for seat in range(state.seats):
        score = sum(unit.strength for unit in state.of(seat, hidden=False))
        side, status = state.sides[seat] if state.sides else -1, ("ready",) if seat in state.ready else ()
        node = partial(SeatNode, text(f"pv.side-{seat}"), seat, score, status=status, side=side)
        yield Part(NodeId(f"seat/{seat}"), (score, bool(status)), node)
        held = len(state.hands[seat]) if state.hands else 0
        yield Part(NodeId(f"pile/{seat}"), (held,), partial(Pile, text("pv.hand"), held))
        dark = sum(1 for _ in state.of(seat, hidden=True))
        yield Part(NodeId(f"counter/dark-{seat}"), (dark,), partial(Counter, text("pv.dark"), dark))
    for number, at in enumerate(state.smoke):
        yield Part(NodeId(f"zone/smoke-{number}"), (at,), partial(Zone, "smoke", at=at, radius=SMOKE))
    for seat, places in enumerate(state.flags):
        for number, at in enumerate(places):
            name = NodeId(f"piece/flag-{seat}-{number}")
            yield Part(name, (at,), partial(Piece, at, FLAG, seat, glyph="f"))
    result = result_of(state)
    if result is not None:
        yield Part(RESULT_NODE, (), lambda: result)


def private_parts(state: Field, seat: Seat) -> Iterable[Part]:
    """Yield the units in the dark and the cards of a seat's side."""
    for ally in allies_of(state.sides, seat):
        for unit in state.of(ally, hidden=True):
            yield Part(unit.node, (unit,), partial(_piece, unit))
        hand = state.hands[ally] if state.hands else ()
        if hand:
            cards = tuple(text(f"pv.{card}") for card in hand)
            node = NodeId(f"sheet/hand-{ally}" if state.sides else "sheet/hand")
            yield Part(node, (hand,), partial(Sheet, text("pv.hand"), cards, ally))


def _piece(unit: Unit) -> Piece:
    status = (*(("watching",) if unit.watching else ()), *(("hidden",) if unit.hidden else ()))
    counters = {"strength": unit.strength}
    return Piece(
        GRID.centre(unit.cell), 90, unit.owner, glyph="u", facing=unit.facing, counters=counters, status=status
    )


def on_stack(state: Field, action: PendingAction, item: StackItem) -> StackItem:
    """Add to an advance what has become of each reaction to it."""
    if action.kind != "advance" or state.activation is None:
        return item
    reactions = state.activation.reactions
    states = ["won" if r.won else "lost" if r.tested else "open" for r in reactions]
    return msgspec.structs.replace(item, lines=tuple(text("pv.pending", state=state) for state in states))


def name_of(state: Field, node: NodeId) -> Text:
    """Return the name of a unit, by its side."""
    unit = next((unit for unit in state.units if unit.node == node), None)
    return text("pv.unit-of", side=Text(f"pv.side-{unit.owner}")) if unit is not None else text("pv.nobody")


def cues(event: Event[Field] | CoreEvent, before: Field, after: Field) -> Iterable[Cue]:
    """Yield the cues of an event for those who may know of it."""
    match event:
        case DiceRolled() if event.purpose != FIRE:
            dice = Dice.of(event.id, Text(event.purpose), total=sum(event.faces))
            yield Cue("dice", Text(event.purpose), seat=event.seat, dice=dice)
        case CardDrawn():
            yield Cue("card", text("pv.drawn", card=Text(f"pv.{event.card}")))
        case events.Declared():
            path = tuple(map(GRID.centre, event.path))
            yield Cue("move", text("pv.declared"), "TW-REACT-03", after.acting, path=path)
        case events.Revealed():
            unit = after.unit(event.unit)
            if unit is not None:
                yield Cue("note", text("pv.revealed"), seat=unit.owner, about=(unit.node,))
        case events.CardPlayed():
            yield Cue("card", text("pv.played", card=Text(f"pv.{event.card}")), seat=event.seat)
        case events.Fired():
            shown = Dice.of(event.roll, Text(FIRE)) if event.roll is not None else None
            yield Cue("shot", text("pv.fired", hits=event.hits), dice=shown)
        case events.Lapsed():
            yield Cue("note", text("pv.lapsed"), "TW-REACT-24")
        case events.Broken():
            yield Cue("note", text("pv.broken"))


def result_of(state: Field) -> Result | None:
    """Return the result: the strongest side wins."""
    if not state.over:
        return None
    left = [sum(unit.strength for unit in state.of(seat)) for seat in range(state.seats)]
    if state.seats == 1:
        held = left[0] > sum(unit.strength for unit in state.of(GROUND))
        return Result(text("pv.won" if held else "pv.over"), (SeatResult(0, held, left[0]),))
    sums = [sum(left[ally] for ally in allies_of(state.sides, seat)) for seat in range(state.seats)]
    seats = tuple(SeatResult(seat, sums[seat] == max(sums), count) for seat, count in enumerate(left))
    return Result(text("pv.over"), seats, side_results(state.sides, seats))
