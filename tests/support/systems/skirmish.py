"""Small tables for rule tests of the action-card skirmish, and a match played on them with scripted dice.

`table(...)` makes a table in mid-game, on which the first card of `cards` is being played; `Play(state)` is a real
match from there on. A second match folds every step from its bytes, and is rebuilt at every question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Self, cast

import msgspec

from engine.core.match.causes import Answered, Aside, Expiry, Intended, RoundOpened, Start, Undo
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.defaults import Defaults
from engine.core.rules.dice import DiceSource, MatchDice
from engine.core.rules.errors import IllegalIntent, LogDamaged, RuleBug, RuleDisabled
from engine.core.rules.events import CoreEvent, DiceRolled, Event
from engine.core.rules.record import DeckState, SeatSettings
from engine.core.rules.system import Intent, System
from engine.rulesets.action_cards.rules.cards import cards as deck
from engine.rulesets.action_cards.rules.flow import SkirmishRules
from engine.rulesets.action_cards.rules.verbs import VERBS
from engine.rulesets.action_cards.state import model
from engine.rulesets.action_cards.state.combat_events import COMBAT_EVENTS
from engine.rulesets.action_cards.state.event_facts import EVENT_FACTS
from engine.rulesets.action_cards.state.events import EVENTS
from engine.rulesets.action_cards.state.model import Faction, Feature, Kill, Point, Profile, Special, Terrain, Weapon
from engine.rulesets.action_cards.state.state import Figure, Group, SeatState, Skirmish
from engine.rulesets.action_cards.state.vehicle_events import VEHICLE_EVENTS
from engine.space.vectors.outlines import outline_of
from protocol.ids import FigureId, GroupId, MatchId
from protocol.scene.nodes import Reply
from tests.support.systems.scripted import ScriptedDice

MATCH = MatchId("test")

TERRAIN: Final = {
    kind.id: kind
    for kind in (
        Terrain("scrub", "cover", False),
        Terrain("rubble", "cover", False),
        Terrain("trees", "building", True),
        Terrain("building", "building", True),
        Terrain("crag", "building", True, impassable=True),
        Terrain("river", "open", False, position=False),
        Terrain("vehicle", "cover", False, shields=True),
        Terrain("wall", "cover", True, line=True),
        Terrain("wire_fence", "open", False, line=True, position=False),
    )
}
RIFLE: Final = Profile("rifle", "figure.rifle", ("rifle",), 1, 1)
GUNNER: Final = Profile("gunner", "figure.gunner", ("support",), 2, 2)
ROCKET: Final = Profile("rocket", "figure.rocket", ("laws",), 4, 4)
CREW: Final = Profile("crew", "figure.crew", ("mortar",), 1, 1, radius=75, crew=2)
DALEK: Final = Profile("dalek", "figure.dalek", ("ray",), 6, 6)
SPUG: Final = Profile("spug", "figure.spug", ("spit",), 1, 2)
CARRIED: Final = {"rifle": 1, "support": 2, "laws": 4, "mortar": 1, "ray": 6, "spit": 1}
WEAPONS: Final = tuple(Weapon(id, f"weapon.{id}", dice) for id, dice in CARRIED.items())

UNIT: Final = Faction(
    "unit",
    "faction.unit",
    4,
    800,
    Kill(6, 9, 12),
    (RIFLE, GUNNER, ROCKET, CREW),
    WEAPONS,
    (("rifle", "rifle", "gunner", "rocket"), ("rifle", "rifle", "crew", "crew")),
    traits=("linked_fire",),
)
DALEKS: Final = Faction("daleks", "faction.daleks", 3, 800, Kill(24, 30, 36), (DALEK,), WEAPONS, (("dalek",) * 3,))
SPUGS: Final = Faction(
    "spugs",
    "faction.spugs",
    12,
    1600,
    Kill(5, 7, 9),
    (SPUG,),
    WEAPONS,
    (("spug",) * 4,),
    specials=(Special("burrow", "special.burrow", "burrow", once=False),),
)
MILITIA: Final = Faction("militia", "faction.militia", 10, 800, Kill(6, 9, 12), (RIFLE,), WEAPONS, (("rifle",) * 10,))
FACTIONS: Final = (UNIT, DALEKS, SPUGS, MILITIA)


def area(id: str, kind: str, left: int, bottom: int, right: int, top: int, *doors: Point) -> Feature:
    """A rectangular feature."""
    return Feature(id, kind, f"feature.{id}", outline_of((left, bottom, right, top)), doors)


def barrier(id: str, kind: str, *line: Point) -> Feature:
    """A wall or fence."""
    return Feature(id, kind, f"feature.{id}", line)


def line_up(count: int, left: int, y: int, step: int = 120) -> tuple[Point, ...]:
    """Return places for a number of figures side by side."""
    return tuple((left + step * n, y) for n in range(count))


def role(*conditions: model.Condition, win: int = 1, secrets: int = 0, left: int = 0) -> model.SeatRole:
    """A role with these conditions, whose figures start in a strip 20 inches wide at `left`."""
    start = ((left, 0), (left + 2000, 0), (left + 2000, 4800), (left, 4800))
    return model.SeatRole("role", start, conditions, win, secrets)


def scenario(seats: int, **changes: Any) -> model.Scenario:
    """A bare scenario: 72 x 48 inches, the deck is gone through three times."""
    roles = tuple(role(left=(seat % 3) * 2400) for seat in range(seats))
    plain = model.Scenario("test", "scenario.test", "scenario.test.about", (7200, 4800), (), roles, reshuffles=3)
    return msgspec.structs.replace(plain, **changes)


def resolved(factions: Sequence[Faction] = FACTIONS, **changes: Any) -> model.Resolved:
    """The content of one match; `changes` go into its scenario."""
    return model.Resolved(scenario(len(factions), **changes), TERRAIN, tuple(factions))


def table(
    groups: Mapping[str, Sequence[Point]],
    features: Iterable[Feature] = (),
    factions: Sequence[Faction] = FACTIONS,
    cards: Sequence[str] = ("0.triple.1",),
    **changes: Any,
) -> Skirmish:
    """Return a table on which the first card is being played, in its first row.

    A group is named "SEAT.NUMBER" and given the places of its figures, named "SEAT.NUMBER/PLACE" from 1. Its figures
    have the profiles of the faction's first group, and of that again from the start where it is larger. `changes` go
    into the scenario.
    """
    content = resolved(factions, features=tuple(features), **changes)
    figures: dict[FigureId, Figure] = {}
    formed: dict[GroupId, Group] = {}
    for number, (name, places) in enumerate(groups.items(), 1):
        id = GroupId(name)
        seat = int(id.partition(".")[0])
        kinds = factions[seat].force[0]
        ids = tuple(FigureId(f"{id}/{place}") for place in range(1, len(places) + 1))
        for place, (figure, at) in enumerate(zip(ids, places, strict=True)):
            figures[figure] = Figure(figure, seat, kinds[place % len(kinds)], at)
        formed[id] = Group(id, seat, ids, number)
    owners = {group.owner for group in formed.values()}
    seats = tuple(SeatState(faction.id, alive=seat in owners) for seat, faction in enumerate(factions))
    state = Skirmish(content, seats, figures, formed, turn=1, group_count=len(formed))
    return laid(state, *cards)


def laid(state: Skirmish, *cards: str) -> Skirmish:
    """Return the table with these cards open, the first of them being played."""
    row = [deck.card(id) for id in cards]
    first = msgspec.structs.replace(row[0], state="current")
    return msgspec.structs.replace(
        state, row=(first, *row[1:]), current=0, left=state.resolved.scenario.actions.of(first.kind)
    )


class TableRules(Defaults[Skirmish]):
    """The rules without scene and bots, starting from a given table."""

    name = "action_cards"
    RULES = 1
    state = Skirmish
    events = (*EVENTS, *COMBAT_EVENTS, *EVENT_FACTS, *VEHICLE_EVENTS)
    intents = VERBS.intents
    rules = SkirmishRules()

    def __init__(self, beginning: Skirmish) -> None:
        self._beginning = beginning

    def start(self, resolved: bytes, seats: int) -> Skirmish:
        """Return the given table; its content has been through its bytes, as in a match."""
        content = msgspec.msgpack.decode(resolved, type=model.Resolved)
        return msgspec.structs.replace(self._beginning, resolved=content)

    def result(self, state: Skirmish) -> None:
        """Return no result, which belongs to the presenter's tests."""


class Unexpected(IllegalIntent, AssertionError):
    """An unexpected refusal of an act by hand. Tests that expect one catch IllegalIntent."""

    def __init__(self, refused: IllegalIntent) -> None:
        super().__init__(refused.refusal.code)
        self.refusal = refused.refusal


class Play:
    """A match played by hand. `dice` are the faces to come, in order. `rules`: the system, made of the given table."""

    rules: Any = TableRules

    def __init__(self, state: Skirmish, *dice: int, source: DiceSource | None = None) -> None:
        self._system = cast("System[Skirmish]", self.rules(state))
        self._dice = source or ScriptedDice(dice)
        self._serial = 0
        self.log: list[bytes] = []
        self.match = self._new()
        self._shadow = self._new()
        content = msgspec.msgpack.encode(state.resolved)
        self.run(Start(MATCH, len(state.seats), content))

    @classmethod
    def opened(cls, state: Skirmish, seed: int) -> Play:
        """Return a play with the dice and decks of a real match."""
        return cls(state, source=MatchDice(seed.to_bytes(32, "big"), MATCH))

    @property
    def state(self) -> Skirmish:
        """The table now."""
        return self.match.state

    @property
    def asked(self) -> tuple[str, tuple[int, ...]] | None:
        """The kind of the open question and the seat that it asks."""
        question = self.match.question
        return (question.kind, tuple(question.asks)) if question else None

    def may(self, seat: int, intent: Intent) -> bool:
        """Return True where this seat may do this now. Raises AssertionError at a fault."""
        return not self.why_not(seat, intent)

    def why_not(self, seat: int, intent: Intent) -> str:
        """Return the code of the reason why a seat may not do this now, "" where it may. Raises AssertionError at a
        fault."""
        try:
            refusal = self.match.can(Seat(seat), intent)
        except RuleDisabled:
            raise
        except Exception as fault:
            raise AssertionError("to ask for it meets a fault") from fault
        return refusal.code if refusal is not None else ""

    def do(self, seat: int, intent: Intent) -> Self:
        """Act for this seat. Raises Unexpected where it may not."""
        assert self.may(seat, intent) or self._refuses(seat, intent)
        self._serial += 1
        self.run(Intended(seat, self._serial.to_bytes(16, "big"), msgspec.msgpack.encode(intent)))
        return self

    def answer(self, seat: int, value: str | Sequence[str] | Reply) -> Self:
        """Answer the open question for this seat: a choice, the nodes picked, or a whole reply. Raises Unexpected."""
        question = self.match.question
        assert question is not None
        if isinstance(value, str):
            reply = Reply(value)
        else:
            reply = value if isinstance(value, Reply) else Reply("pick", {"picked": list(value)})
        self._serial += 1
        answer = Answered(seat, self._serial.to_bytes(16, "big"), question.id, reply)
        if self.match.closes(answer):
            self.run(answer)
        else:
            self.match.hold(answer)
        return self

    def expire(self) -> Self:
        """Let time run out: of the open question, else of the turn."""
        question = self.match.question
        seat = -1 if question else int(self.match.may_act()[0])
        self.run(Expiry(question.id if question else -1, seat))
        return self

    def wait(self, seat: int) -> Self:
        """Let the activations of this seat wait until it ends them."""
        self._serial += 1
        self.run(Aside(seat, self._serial.to_bytes(16, "big"), SeatSettings(waits=True)))
        return self

    def undo(self, seat: int) -> Self:
        """Take this seat's last act back. Raises Unexpected where it cannot."""
        self._serial += 1
        self.run(Undo(seat, self._serial.to_bytes(16, "big")))
        return self

    def events(self, *types: type[Any]) -> list[Any]:
        """Return the entries of all steps so far that are of these types."""
        entries: list[Event[Skirmish] | CoreEvent] = []
        for data in self.log:
            entries.extend(self.match.codec.decode(data).entries)
        return [entry for entry in entries if isinstance(entry, types)]

    @property
    def rolls(self) -> list[tuple[int, str, int]]:
        """Seat, purpose and number of dice of every roll so far."""
        return [(roll.seat, roll.purpose, len(roll.faces)) for roll in self.events(DiceRolled)]

    def at(self, figure: str) -> Point:
        """Return a figure's place."""
        return self.state.figures[FigureId(figure)].at

    def with_deck(self, name: str, deck: DeckState) -> None:
        """Put a deck as it is in mid-game on the table; cards come off it in sorted order unless scripted."""
        for match in (self.match, self._shadow):
            match.record = msgspec.structs.replace(match.record, decks={**match.record.decks, name: deck})

    def _new(self) -> Match[Skirmish]:
        return Match(self._system, MATCH, self._dice)

    def _refuses(self, seat: int, intent: Intent) -> bool:
        """Check that `can` and the act itself agree, and that a refusal changes nothing."""
        before = self.match.state, self.match.version
        try:
            self.match.propose(Intended(seat, bytes(16), msgspec.msgpack.encode(intent)))
        except (IllegalIntent, RuleBug, LogDamaged):
            return (self.match.state, self.match.version) == before
        return False

    def run(self, cause: Any) -> None:
        """Carry out a cause, with the rounds that it opens. Raises Unexpected where it is refused, AssertionError at a
        fault."""
        try:
            self._settle(self.match.propose(cause))
            while self.match.wants_round:
                self._settle(self.match.propose(RoundOpened()))
        except IllegalIntent as refused:
            raise Unexpected(refused) from refused
        except (RuleBug, LogDamaged) as bug:
            raise AssertionError(f"it meets a fault: {bug}") from bug

    def _settle(self, step: Step[Skirmish]) -> None:
        self.match.settle(step)
        self.log.append(step.data)
        self._shadow.replay(step.data)
        assert self._shadow.state == self.match.state
        assert self._shadow.record == self.match.record
        if self.match.question is not None:
            self._shadow.resume()
            assert self._shadow.question is not None
            assert self._shadow.state == self.match.state
