"""Small tables for close combat, and procedures run on them by hand: scripted dice, answers by question and seat."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import CoreEvent, DiceRolled, Event
from engine.core.rules.game import Game
from engine.core.rules.questions import Question
from engine.core.rules.record import Record
from engine.rulesets.action_cards.rules.board.combats import contact
from engine.rulesets.action_cards.state.combat_events import COMBAT_EVENTS
from engine.rulesets.action_cards.state.event_facts import EVENT_FACTS
from engine.rulesets.action_cards.state.events import EVENTS, GroupMoved
from engine.rulesets.action_cards.state.model import (
    Faction,
    Feature,
    Kill,
    Point,
    Profile,
    Resolved,
    Scenario,
    SeatRole,
    Terrain,
)
from engine.rulesets.action_cards.state.state import Card, Combat, Figure, Group, SeatState, Skirmish
from engine.rulesets.action_cards.state.vehicle_events import VEHICLE_EVENTS
from engine.space.vectors.outlines import outline_of
from protocol.ids import FigureId, GroupId
from protocol.scene.nodes import Reply
from tests.support.systems.scripted import ScriptedDice
from tests.support.systems.skirmish import Unexpected

TERRAIN: Final = {
    kind.id: kind
    for kind in (
        Terrain("scrub", "cover", False),
        Terrain("building", "building", True),
        Terrain("rocks", "building", True, impassable=True),
        Terrain("river", "open", False, position=False),
        Terrain("wall", "cover", True, line=True),
        Terrain("wire", "open", False, line=True, position=False),
    )
}
TROOPER: Final = Profile("trooper", "profile.trooper", ("rifle",), 1, 1)
CHAMPION: Final = Profile("champion", "profile.champion", ("cannon",), 4, 2)
CREW: Final = Profile("crew", "profile.crew", ("gun",), 2, 1, crew=2)


def block(id: str, kind: str, left: int, bottom: int, right: int, top: int) -> Feature:
    """A rectangular area."""
    return Feature(id, kind, f"feature.{id}", outline_of((left, bottom, right, top)))


def barrier(id: str, kind: str, *line: Point) -> Feature:
    """A wall or fence."""
    return Feature(id, kind, f"feature.{id}", line)


def faction(seat: int, size: int = 4, move: int = 800) -> Faction:
    """Return a faction: kill numbers 6, 9 and 12; troopers with one die, champions with four (two in close combat),
    crews."""
    return Faction(f"f{seat}", f"faction.f{seat}", size, move, Kill(6, 9, 12), (TROOPER, CHAMPION, CREW), (), ())


def field_of(
    groups: Mapping[str, tuple[int, Sequence[Point]]],
    *features: Feature,
    champions: Sequence[str] = (),
    size: Point = (4800, 4800),
    cards: Sequence[str] = ("0.double.1",),
    factions: Sequence[Faction] = (),
) -> Skirmish:
    """Return a table in play. Figures are named GROUP.NUMBER from 1; the first card of the row is being played."""
    seats = max(owner for owner, _ in groups.values()) + 1
    own = tuple(factions) or tuple(faction(seat) for seat in range(seats))
    roles = tuple(SeatRole(f"role.{seat}", ((0, 0), (100, 0), (100, 100)), (), 1) for seat in range(len(own)))
    resolved = Resolved(Scenario("s", "s", "s", size, features, roles, 3), TERRAIN, own)
    figures: dict[FigureId, Figure] = {}
    table: dict[GroupId, Group] = {}
    for number, (name, (owner, places)) in enumerate(groups.items(), 1):
        id = GroupId(name)
        ids = [FigureId(f"{id}.{place}") for place in range(1, len(places) + 1)]
        for figure, at in zip(ids, places, strict=True):
            figures[figure] = Figure(figure, owner, "champion" if figure in champions else "trooper", at)
        table[id] = Group(id, owner, tuple(ids), number)
    row = tuple(_card(id) for id in cards)
    state = Skirmish(resolved, tuple(SeatState(f.id) for f in own), figures, table, turn=1, row=row)
    return msgspec.structs.replace(state, group_count=len(groups))


def _card(id: str) -> Card:
    seat, kind, *_ = id.split(".")
    return Card(id, "event", -1) if seat == "event" else Card(id, kind, int(seat))


@dataclass
class Ran:
    """Result of a procedure: the state after it, its events in order, the questions asked."""

    state: Skirmish
    events: list[Event[Skirmish] | CoreEvent] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def of(self, *types: type[Any]) -> list[Any]:
        """Return the events of these types."""
        return [event for event in self.events if isinstance(event, types)]

    @property
    def rolls(self) -> list[tuple[int, str, int]]:
        """Seat, purpose and number of dice of every roll."""
        return [(roll.seat, roll.purpose, len(roll.faces)) for roll in self.of(DiceRolled)]


Answers = Mapping[tuple[str, int], Reply | Sequence[Reply]]


def run(
    state: Skirmish,
    procedure: Callable[..., Coroutine[Any, Any, None]],
    *arguments: Any,
    dice: Sequence[int] = (),
    answers: Answers | None = None,
) -> Ran:
    """Run `procedure(game, *arguments)` to its end. Questions without an answer (by kind and seat) get their default;
    of several answers each is given once. Every event must survive being stored, and fold to the same state."""
    game = Game(state, Record(seats=len(state.seats)), ScriptedDice(dice))
    waiting = {key: [value] if isinstance(value, Reply) else list(value) for key, value in (answers or {}).items()}
    questions: list[Question] = []
    coroutine = procedure(game, *arguments)
    given: dict[Seat, object] | None = None
    while True:
        try:
            wanted = coroutine.send(given)
        except StopIteration:
            break
        except IllegalIntent as refused:
            raise Unexpected(refused) from refused
        except Exception as fault:
            raise AssertionError("the procedure meets a fault") from fault
        assert isinstance(wanted, Question)
        questions.append(wanted)
        game.record = msgspec.structs.replace(game.record, questions=wanted.id + 1)
        given = {}
        for seat, ask in wanted.asks.items():
            replies = waiting.get((wanted.kind, int(seat)))
            given[seat] = ask.read(replies.pop(0) if replies else ask.default)
    events = [trace.event for trace in game.trail]
    assert _folded(state, events) == game.state
    return Ran(game.state, events, questions)


def charge(state: Skirmish, group: GroupId, lead: FigureId, to: Point, **others: Point) -> Skirmish:
    """Move the group's lead (others by their number: `_2=(x, y)`) into contact."""
    places = {lead: to, **{f"{group}{name.replace('_', '.')}": at for name, at in others.items()}}
    moved = GroupMoved(group, lead, state.figures[lead].at, {FigureId(id): at for id, at in places.items()}).apply(
        state
    )
    return run(moved, contact, group).state


def only_combat(state: Skirmish) -> Combat:
    """Return the one open combat."""
    [combat] = state.combats
    return combat


def _folded(state: Skirmish, events: Sequence[Event[Skirmish] | CoreEvent]) -> Skirmish:
    union: Any = EVENTS[0]
    for event_type in (*EVENTS[1:], *COMBAT_EVENTS, *EVENT_FACTS, *VEHICLE_EVENTS):
        union = union | event_type
    for event in events:
        if isinstance(event, Event):
            stored = msgspec.msgpack.decode(msgspec.msgpack.encode(event), type=union)
            assert stored == event
            state = stored.apply(state)
    return state
