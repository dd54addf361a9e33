"""Small tables for rule tests of Apocalypse: Earth, and a match played on them with scripted dice.

`battle([squad(...)], [squad(...)])` is a table in mid-game on which seat 0 is to act; `Fight(state, *dice)` is a real
match from there on. Units are called "SEAT.NUMBER" from 1, their figures "SEAT.NUMBER.PLACE"; the first leads. Places
are in centimetres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.defaults import Defaults
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.sides import Sides
from engine.rulesets.apocalypse_earth.rules.flow import VERBS, BattleRules
from engine.rulesets.apocalypse_earth.rules.moves import reactions
from engine.rulesets.apocalypse_earth.rules.scenario import scoring
from engine.rulesets.apocalypse_earth.rules.table import hiding
from engine.rulesets.apocalypse_earth.state.events import EVENTS
from engine.rulesets.apocalypse_earth.state.model import Feature, Options, Point, Resolved, Scenario, SeatPlan, Terrain
from engine.rulesets.apocalypse_earth.state.profiles import (
    Armour,
    FigureProfile,
    Force,
    Kills,
    Penetration,
    Profile,
    Template,
    UnitProfile,
    VehicleProfile,
    Weapon,
)
from engine.rulesets.apocalypse_earth.state.state import BATTLE, TABLE, Battle, Figure, SeatState, Unit
from engine.space.vectors.outlines import outline_of
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Option
from tests.support.systems import ae_shipped
from tests.support.systems.skirmish import Play

WEAPONS: Final = {
    weapon.id: weapon
    for weapon in (
        Weapon("pi", "Pistol", 1, 1, Penetration(2, 1), range=1200),
        Weapon("smg", "Submachine gun", 2, 5, Penetration(2, 1), range=2400),
        Weapon("ar", "Assault rifle", 3, 3, Penetration(3, 1), range=4800),
        Weapon("sr", "Sniper rifle", 8, 1, Penetration(4, 1), range=9600, hit=4, traits=("pick", "support")),
        Weapon("mg", "Machine gun", 9, 10, Penetration(4, 1), range=7200, traits=("support",)),
        Weapon("hmg50", ".50 cal", 14, 10, Penetration(5, 2), range=9600, traits=("support",), crew=2),
        Weapon("hmg127", "12.7 mm", 14, 10, Penetration(5, 2), range=9600, traits=("support",), crew=2),
        Weapon("hmg145", "14.5 mm", 14, 8, Penetration(6, 2), range=9600, traits=("support",), crew=2),
        Weapon("rg", "Railgun", 16, 1, Penetration(12, 1), range=12000, hit=5, traits=("support", "high", "line")),
        Weapon(
            "rpg", "RPG", 8, 1, Penetration(10, 2), 0, 4800, 5, Template(200, kills=Kills(3, 4, 5)), traits=("high",)
        ),
        Weapon(
            "fr", "Frag", 1, 1, Penetration(3, 1), 0, 1200, 4, Template(300, kills=Kills(2, 3, 4)), traits=("thrown",)
        ),
        Weapon(
            "ft", "Flame", 12, 1, Penetration(4, 1), 0, 1600, 0, Template(0, (1600, 400), Kills(2, 2, 2)), ("fire",)
        ),
        Weapon(
            "mo60",
            "Mortar",
            12,
            1,
            Penetration(5, 1),
            1800,
            9600,
            4,
            Template(300, kills=Kills(2, 3, 4)),
            ("support", "high", "indirect"),
            2,
        ),
        Weapon(
            "dc",
            "Charge",
            6,
            1,
            Penetration(14, 2),
            hit=3,
            template=Template(500, kills=Kills(2, 2, 3)),
            traits=("high", "once"),
        ),
        Weapon(
            "sv",
            "Vest",
            5,
            1,
            Penetration(12, 2),
            hit=0,
            template=Template(500, kills=Kills(2, 2, 3)),
            traits=("high", "once"),
        ),
        Weapon("cu", "Cutter", 3, 1, Penetration(9, 1), hit=0, ccr=1),
        Weapon(
            "mo",
            "Molotov",
            1,
            1,
            Penetration(3, 1),
            0,
            1200,
            4,
            Template(200, kills=Kills(2, 3, 4)),
            traits=("thrown", "fire"),
        ),
        Weapon("bl", "Blade", 0, range=0, hit=0),
    )
}
TERRAIN: Final = {
    kind.id: kind
    for kind in (
        Terrain("woods", "Woods", "soft", difficult=True, foliage=True, flammable=True),
        Terrain("broken", "Broken ground", "soft"),
        Terrain("rubble", "Rubble", "hard", difficult=True),
        Terrain("marsh", "Marsh", difficult=True),
        Terrain("water", "Water", impassable=True),
        Terrain("hedge", "Hedge", "hard", line=True, toll=200, flammable=True, wall=True),
        Terrain("fence", "Fence", "soft", line=True, toll=100),
        Terrain("trench", "Trench", "hard", toll=200),
        Terrain("hill", "Hill", "hard", hill=True),
        Terrain("low_wall", "Low wall", "hard", line=True, toll=200, wall=True),
        Terrain("road", "Road"),
        Terrain("wreck", "Wreck", "hard", impassable=True),
        Terrain("house", "Stone house", "hard", flammable=True, ruin="rubble", armour=15, room=15, falls=4),
    )
}
SIZE: Final = (18000, 12000)
USUAL: Final = Options()


class Squad(NamedTuple):
    """A unit of a small table: its profile, its figures' places, its facing and other properties."""

    profile: Profile
    places: tuple[Point, ...]
    facing: int = 0
    changes: Mapping[str, Any] = MappingProxyType({})


def cm(*places: tuple[float, float]) -> tuple[Point, ...]:
    """Return places given in centimetres."""
    return tuple((round(x * 100), round(y * 100)) for x, y in places)


def row(count: int, x: float, y: float, step: float = 2.5) -> tuple[tuple[float, float], ...]:
    """Return places side by side, in centimetres."""
    return tuple((x + step * n, y) for n in range(count))


def squad(
    *places: tuple[float, float],
    weapons: Sequence[str] = ("ar",),
    arms: Sequence[Sequence[str]] = (),
    abilities: Sequence[str] = (),
    roles: Mapping[int, Sequence[str]] = MappingProxyType({}),
    experience: Any = "green",
    ccr: int = 2,
    move: float = 12,
    armour: int = 0,
    points: int = 60,
    role: Any = "squad",
    id: str = "t_01",
    teams: tuple[tuple[int, ...], ...] = (),
    **changes: Any,
) -> Squad:
    """Return an infantry unit whose figures stand there, the leader first. `arms`: weapons by figure; `abilities`: of
    all, `roles`: of a figure by its place."""
    figures = tuple(
        FigureProfile(
            "rifleman",
            tuple(arms[n] if arms else weapons),
            (*abilities, *roles.get(n, ())),
            max([int(a[4:]) for a in roles.get(n, ()) if a.startswith("psi_")], default=0),
        )
        for n in range(len(places))
    )
    profile = UnitProfile(id, "Squad", role, experience, ccr, round(move * 100), armour, points, figures, teams)
    return Squad(profile, cm(*places), 0, changes)


def vehicle(
    at: tuple[float, float],
    facing: int = 0,
    kind: Any = "wheeled",
    armour: tuple[int, int, int, int] = (11, 10, 9, 8),
    move: float = 36,
    crew: int = 2,
    places: int = 4,
    weapons: Sequence[str] = ("hmg50",),
    traits: Sequence[str] = (),
    size: tuple[float, float] = (6, 3),
    points: int = 58,
    experience: Any = "experienced",
    **changes: Any,
) -> Squad:
    """Return a vehicle that stands there: by default a Hummvee."""
    length, width = round(size[0] * 100), round(size[1] * 100)
    profile = VehicleProfile(
        "t_v1",
        "Hummvee",
        kind,
        Armour(*armour),
        round(move * 100),
        crew,
        places,
        experience,
        points,
        length,
        width,
        tuple(weapons),
        tuple(traits),
        max([int(trait[4:]) for trait in traits if trait.startswith("psi_")], default=0),
    )
    return Squad(profile, cm(at), facing, changes)


def block(id: str, kind: str, left: float, bottom: float, right: float, top: float) -> Feature:
    """Return a rectangular piece of terrain."""
    (low, high) = cm((left, bottom), (right, top))
    return Feature(id, kind, outline_of((*low, *high)))


def line(id: str, kind: str, *points: tuple[float, float]) -> Feature:
    """Return a hedge, wall or fence."""
    return Feature(id, kind, cm(*points))


def scenario(sides: Sides = (0, 1), features: Iterable[Feature] = (), **changes: Any) -> Scenario:
    """Return a bare scenario of 180 x 120 cm."""
    seats = tuple(SeatPlan(500) for _ in sides)
    plain = Scenario("test", "test", "test", SIZE, 6, seats, sides, tuple(features))
    return msgspec.structs.replace(plain, **changes)


def resolved(forces: Sequence[Sequence[Squad]], played: Scenario, options: Options = USUAL) -> Resolved:
    """Return the content of a match of these forces."""
    mustered = tuple(
        Force("test", f"Force {seat}", 500, tuple(one.profile for one in squads), (), 2, 2)
        for seat, squads in enumerate(forces)
    )
    book = ae_shipped.content().book
    return Resolved(
        played,
        mustered,
        TERRAIN,
        WEAPONS,
        book.cards,
        book.powers,
        book.classes,
        book.damage,
        options,
        traits=book.worth.traits,
    )


def battle(
    *forces: Sequence[Squad],
    features: Iterable[Feature] = (),
    sides: Sides | None = None,
    options: Options = USUAL,
    table: Mapping[str, Any] = MappingProxyType({}),
    **changes: Any,
) -> Battle:
    """Return a table in its first turn: seat 0 is to act. `sides`: of the seats, () for a free-for-all; `table`:
    changes of the scenario; `changes` go into the state."""
    own = tuple(range(len(forces))) if sides is None else sides
    pieces = tuple(features)
    plain = scenario(own or tuple(range(len(forces))), **{"features": pieces, **table})
    played = plain if own else msgspec.structs.replace(plain, sides=())
    units: dict[GroupId, Unit] = {}
    figures: dict[FigureId, Figure] = {}
    for seat, squads in enumerate(forces):
        for number, one in enumerate(squads):
            id = GroupId(f"{seat}.{number + 1}")
            members = tuple(FigureId(f"{id}.{place + 1}") for place in range(len(one.places)))
            for place, (figure, at) in enumerate(zip(members, one.places, strict=True)):
                figures[figure] = Figure(figure, seat, number, place, at, one.facing)
            unit = Unit(id, seat, number, number + 1, members, len(members), strength=len(members), where=TABLE)
            units[id] = msgspec.structs.replace(unit, **one.changes)
    seats = tuple(SeatState(zone=n % 2) for n in range(len(forces)))
    order = tuple(sorted(set(own))) or tuple(range(len(forces)))
    state = Battle(resolved(forces, played, options), seats, units, figures, pieces, BATTLE, 1, order)
    state = msgspec.structs.replace(state, support=((),) * len(forces))
    return msgspec.structs.replace(state, **changes)


def refused(check: Callable[[], object]) -> str:
    """Return the code with which a check refuses, "" where it does not."""
    try:
        check()
    except IllegalIntent as illegal:
        return illegal.refusal.code
    return ""


class FightRules(Defaults[Battle]):
    """The rules without scene and bots, starting from a given table."""

    name = "apocalypse_earth"
    RULES = 1
    state = Battle
    events = EVENTS
    intents = VERBS.intents
    rules = BattleRules()
    known = staticmethod(hiding.known)
    imagine = staticmethod(hiding.imagine)
    moments = reactions.MOMENTS
    obey = staticmethod(reactions.obey)

    def __init__(self, beginning: Battle) -> None:
        self._beginning = beginning

    def commanded(self, known: Battle, seat: Seat, moment: str) -> Sequence[Option]:
        """Return the units of a seat that may be given orders."""
        return reactions.commanded(known, seat)

    def sides(self, state: Battle) -> Sides:
        """Return the sides of the scenario."""
        return state.sides

    def start(self, resolved: bytes, seats: int) -> Battle:
        """Return the given table; its content has been through its bytes, as in a match."""
        return msgspec.structs.replace(self._beginning, resolved=msgspec.msgpack.decode(resolved, type=Resolved))

    result = staticmethod(scoring.result)


class Fight(Play):
    """A match of Apocalypse: Earth played by hand."""

    rules = FightRules

    def __init__(self, state: Battle, *dice: int) -> None:
        super().__init__(state, *dice)  # type: ignore[arg-type]

    @property
    def now(self) -> Battle:
        """The table now."""
        return self.state  # type: ignore[return-value]

    def unit(self, id: str) -> Unit:
        """Return a unit now."""
        return self.now.units[GroupId(id)]

    def place(self, figure: str) -> tuple[float, float]:
        """Return a figure's place in centimetres."""
        x, y = self.now.figures[FigureId(figure)].at
        return x / 100, y / 100
