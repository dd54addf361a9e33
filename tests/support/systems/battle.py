"""Small tables for rule tests of One Page Apocalypse, and a match played on them with scripted dice.

`battle([squad(...)], [squad(...)])` is a table in mid-game on which seat 0 is to activate a unit; `Fight(state, *dice)`
is a real match from there on. Units are called "SEAT.NUMBER" from 1, their models "SEAT.NUMBER.PLACE"; the first leads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from engine.core.rules.defaults import Defaults
from engine.core.rules.errors import IllegalIntent
from engine.rulesets.one_page.content.armies import with_class_rules
from engine.rulesets.one_page.rules.flow import VERBS, BattleRules
from engine.rulesets.one_page.state.events import EVENTS
from engine.rulesets.one_page.state.model import Feature, Point, Power, Resolved, Scenario, Terrain
from engine.rulesets.one_page.state.placing_events import PLACING_EVENTS
from engine.rulesets.one_page.state.profiles import Force, Kind, Mustered, SpecialRule, UnitProfile, WeaponProfile
from engine.rulesets.one_page.state.state import TABLE, Battle, Figure, SeatState, Unit
from engine.space.vectors.outlines import outline_of
from protocol.ids import FigureId, GroupId
from tests.support.systems.skirmish import Play

T = TypeVar("T")
WEAPONS: Final = {
    weapon.id: weapon
    for weapon in (
        WeaponProfile("fists_claws", "Fists/Claws", 0, 1),
        WeaponProfile("sword", "Hand Weapon", 0, 2),
        WeaponProfile("claw", "Power Weapon", 0, 3, rules=("rending",)),
        WeaponProfile("rifle", "Rifle", 3000, 1),
        WeaponProfile("pistol", "Pistol", 1200, 1),
        WeaponProfile("gun", "Machinegun", 3600, 3),
        WeaponProfile("melta", "Meltagun", 1200, 6, single=True),
        WeaponProfile("lance", "Lance", 3600, 2, single=True),
        WeaponProfile("cannon", "Cannon", 3600, 5),
        WeaponProfile("linked", "Rifle", 3000, 2, rules=("linked",)),
        WeaponProfile("scoped", "Rifle", 3000, 2, rules=("scoper",)),
        WeaponProfile("rending", "Rifle", 3000, 3, rules=("rending",)),
        WeaponProfile("piercing", "Rifle", 3000, 2, rules=("piercing",)),
        WeaponProfile("poison", "Rifle", 3000, 2, rules=("poison",)),
        WeaponProfile("mortar", "Mortar", 4800, 2, rules=("indirect",)),
        WeaponProfile("rocket", "Rocket", 4800, 2, rules=("limited",)),
    )
}
TERRAIN: Final = {
    kind.id: kind
    for kind in (
        Terrain("forest", "op.terrain.forest", cover=True, difficult=True, blocks=True, bars=("vehicle",)),
        Terrain("bunker", "op.terrain.bunker", cover=True, blocks=True, bars=("vehicle", "walker", "monster"), room=15),
        Terrain("crater", "op.terrain.crater", cover=True),
        Terrain("barricade", "op.terrain.barricade", cover=True, line=True, toll=200, trips=True),
        Terrain("swamp", "op.terrain.swamp", difficult=True, bogs=True),
        Terrain("water", "op.terrain.water", impassable=True),
        Terrain("hill", "op.terrain.hill", blocks=True),
        Terrain("building", "op.terrain.building", impassable=True, blocks=True),
        Terrain("minefield", "op.terrain.minefield", mined=True),
    )
}
POWERS: Final = (
    Power("ember_lash", "ash", "op.power.ember_lash", "", 1, 1800, "hits", hits=3),
    Power("heat_shield", "ash", "op.power.heat_shield", "", 1, 1200, "lasting", True, rules=("armored",)),
    Power("choking_smoke", "ash", "op.power.choking_smoke", "", 2, 2400, "lasting", rules=("smoked",)),
    Power("lance_of_fire", "ash", "op.power.lance", "", 2, 2400, "hits", hits=2, rules=("piercing",), side=True),
    Power("burning_blood", "ash", "op.power.blood", "", 3, 1200, "lasting", True, rules=("furious", "hatred")),
    Power("pyre", "ash", "op.power.pyre", "", 4, 2400, "hits", dice=2),
    Power("whispers", "veil", "op.power.whispers", "", 1, 1800, "whispers"),
    Power("mirror_step", "veil", "op.power.mirror_step", "", 1, 1200, "lasting", True, rules=("covered",)),
    Power("haste", "veil", "op.power.haste", "", 2, 1200, "haste", True, rules=("haste",)),
    Power("clear_mind", "veil", "op.power.clear_mind", "", 2, 1800, "clear_mind", True, rules=("fearless",)),
    Power("terror", "veil", "op.power.terror", "", 3, 1800, "lasting", rules=("terror",)),
    Power("passage", "veil", "op.power.passage", "", 4, 1200, "passage", True),
)
SIZE: Final = (9600, 7200)


class Squad(NamedTuple):
    """A unit of a small table: its profile, its models' places, and other properties."""

    profile: UnitProfile
    places: tuple[Point, ...]
    weapons: tuple[tuple[str, ...], ...]
    facing: int = 0
    discipline: str = ""
    changes: Mapping[str, Any] = MappingProxyType({})


def squad(
    *places: Point,
    kind: Kind = "infantry",
    quality: int = 4,
    tough: int = 1,
    rules: Sequence[str] = (),
    weapons: Sequence[str] = ("rifle", "fists_claws"),
    arms: Sequence[Sequence[str]] = (),
    points: int = 100,
    id: str = "T-01",
    size: int = 100,
    facing: int = 0,
    discipline: str = "",
    **changes: Any,
) -> Squad:
    """Return a unit whose models stand there, the leader first. `rules`: "fast", "psyker.2"; `arms`: weapons by
    model."""
    own = tuple(SpecialRule(rule.partition(".")[0], int(rule.partition(".")[2] or 0)) for rule in rules)
    special = with_class_rules(kind, own)
    profile = UnitProfile(
        id, f"{kind} {id}", kind, quality, len(places), points, tough, special, length=size, width=size
    )
    carried = tuple(map(tuple, arms)) or tuple(tuple(weapons) for _ in places)
    return Squad(profile, places, carried, facing, discipline, changes)


def row(count: int, x: int, y: int, step: int = 120) -> tuple[Point, ...]:
    """Return places side by side."""
    return tuple((x + step * n, y) for n in range(count))


def block(id: str, kind: str, left: int, bottom: int, right: int, top: int) -> Feature:
    """Return a rectangular piece of terrain."""
    return Feature(id, kind, outline_of((left, bottom, right, top)))


def wall(id: str, *line: Point) -> Feature:
    """Return a barricade."""
    return Feature(id, "barricade", line)


def battle(own: Sequence[Squad], enemy: Sequence[Squad], *features: Feature, **changes: Any) -> Battle:
    """Return a table in its first round: seat 0 is to activate a unit. `changes` go into the state."""
    return battle_in_sides([own, enemy], (), *features, **changes)


def battle_in_sides(
    armies: Sequence[Sequence[Squad]], sides: tuple[int, ...], *features: Feature, **changes: Any
) -> Battle:
    """Return such a table for the armies of all seats. `sides`: the side of each seat; those of side 0 stand in the
    south."""
    forces, units, figures = [], {}, {}
    for seat, squads in enumerate(armies):
        mustered = []
        for number, one in enumerate(squads):
            id = GroupId(f"{seat}.{number + 1}")
            mustered.append(Mustered(one.profile, one.profile.points, one.weapons, (), one.discipline))
            models = tuple(FigureId(f"{id}.{place + 1}") for place in range(len(one.places)))
            for place, (model, at) in enumerate(zip(models, one.places, strict=True)):
                figures[model] = Figure(model, seat, number, place, at, facing=one.facing)
            size = len(models) if len(models) > 1 else one.profile.tough
            units[id] = msgspec.structs.replace(Unit(id, seat, number, number + 1, models, size, TABLE), **one.changes)
        forces.append(Force("test", f"Army {seat}", 3000, 0, tuple(mustered), WEAPONS))
    scenario = Scenario("test", "test", "test", 3000, SIZE, features, sides=sides)
    resolved = Resolved(scenario, tuple(forces), TERRAIN, POWERS)
    seats = tuple([SeatState("north" if side else "south") for side in sides or range(len(armies))])
    state = Battle(resolved, seats, units, figures, features, "battle", 1)
    return msgspec.structs.replace(state, **changes)


def refusal(act: Callable[..., object], *given: object) -> str:
    """Return the code that an act is refused with, "" where it is carried out. Any other end is an error."""
    try:
        act(*given)
    except IllegalIntent as illegal:
        return illegal.refusal.code
    except Exception as error:
        raise AssertionError(f"{act} broke") from error
    return ""


def sound(ask: Callable[..., T], *given: object) -> T:
    """Carry out a question that has an answer: any exception fails the test."""
    try:
        return ask(*given)
    except Exception as error:
        raise AssertionError(f"{ask} broke") from error


def altered(state: Battle, id: str, **changes: Any) -> Battle:
    """Return the table with a unit, or a model, changed."""
    if id in state.units:
        unit = msgspec.structs.replace(state.units[GroupId(id)], **changes)
        return msgspec.structs.replace(state, units={**state.units, unit.id: unit})
    figure = msgspec.structs.replace(state.figures[FigureId(id)], **changes)
    return msgspec.structs.replace(state, figures={**state.figures, figure.id: figure})


class FightRules(Defaults[Battle]):
    """The rules without scene and bots, starting from a given table."""

    name = "one_page"
    RULES = 1
    state = Battle
    events = (*PLACING_EVENTS, *EVENTS)
    intents = VERBS.intents
    rules = BattleRules()

    def __init__(self, beginning: Battle) -> None:
        self._beginning = beginning

    def start(self, resolved: bytes, seats: int) -> Battle:
        """Return the given table; its content has been through its bytes, as in a match."""
        return msgspec.structs.replace(self._beginning, resolved=msgspec.msgpack.decode(resolved, type=Resolved))

    def result(self, state: Battle) -> None:
        """Return no result, which belongs to the presenter's tests."""


class Fight(Play):
    """A match of One Page Apocalypse played by hand."""

    rules = FightRules

    def __init__(self, state: Battle, *dice: int) -> None:
        super().__init__(state, *dice)  # type: ignore[arg-type]

    def run(self, cause: Any) -> None:
        """Carry out a cause, with the rounds that it opens, or refuse it; errors propagate. Raises IllegalIntent."""
        try:
            super().run(cause)
        except (IllegalIntent, AssertionError):
            raise
        except Exception as error:
            raise AssertionError(f"{cause} broke") from error

    @property
    def now(self) -> Battle:
        """The table now."""
        return self.state  # type: ignore[return-value]

    def unit(self, id: str) -> Unit:
        """Return a unit now."""
        return self.now.units[GroupId(id)]

    def place(self, model: str) -> Point:
        """Return a model's place."""
        return self.now.figures[FigureId(model)].at
