"""Things that last: damage of vehicles, combats, fires, smoke, artillery on the way, prisoners, effects of powers."""

from __future__ import annotations

from typing import Final

import msgspec

from engine.rulesets.apocalypse_earth.state.profiles import Cover
from engine.space.vectors.points import Point
from protocol.ids import NO_FIGURE, NO_GROUP, FigureId, GroupId


class Effect(msgspec.Struct, frozen=True, omit_defaults=True):
    """An effect of a psychic power on a unit, by the power's id, until the psychic's unit `by` acts next. `once`: it
    ends with its use; `figure`: whom alone it is on, NO_FIGURE: the whole unit."""

    power: str
    by: GroupId
    once: bool = False
    figure: FigureId = NO_FIGURE


class Wreckage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Damage of a vehicle: `codes` in the order in which they came (AE-OPEN-19), those of a lost weapon followed by "/"
    and its id; `penetrated`: this turn; `blocked`: by code the turn until whose administration phase it does not move
    (drv) or fire its main weapon (gun), FOR_GOOD without another man; `men`: crew that it has lost; `shaken`: actions
    of its own in which it neither moves nor fires; `smoked`: it has laid its smoke."""

    codes: tuple[str, ...] = ()
    penetrated: int = 0
    blocked: dict[str, int] = {}
    men: int = 0
    shaken: int = 0
    smoked: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The codes without the weapons that were lost."""
        return tuple([code.partition("/")[0] for code in self.codes])

    def count(self, code: str) -> int:
        """Return how often the vehicle has taken a piece of damage."""
        return self.kinds.count(code)


FOR_GOOD: Final = 1000
"""A turn that never comes."""


class Burst(msgspec.Struct, frozen=True, omit_defaults=True):
    """A vehicle that blows up where it stood: it harms all around before anything else happens. `seat`: to whom the
    casualties are owed; `trait`: by its own bomb."""

    unit: GroupId
    at: Point
    seat: int
    trait: bool = False


class Combat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A close combat of two sets of units, each in the order in which they joined. `lines`: the figures of each unit in
    the order that its owner gave; `fresh`: units in the first round of their own charge; `losses`: by unit the rounds
    in which it had to check for losing; `covers`: by figure of the charged its cover when it was charged; `fought`:
    figures that have fought a duel in it; `idle`: those who use a contact weapon in place of one, in this round."""

    number: int
    chargers: tuple[GroupId, ...]
    charged: tuple[GroupId, ...]
    lines: dict[GroupId, tuple[FigureId, ...]] = {}
    fresh: tuple[GroupId, ...] = ()
    losses: dict[GroupId, int] = {}
    covers: dict[FigureId, Cover] = {}
    fought: tuple[FigureId, ...] = ()
    idle: tuple[FigureId, ...] = ()
    rounds: int = 0

    @property
    def units(self) -> tuple[GroupId, ...]:
        """All units in it."""
        return (*self.chargers, *self.charged)


class Blaze(msgspec.Struct, frozen=True, omit_defaults=True):
    """A burning feature, or vehicle, since a turn."""

    feature: str
    since: int


class Cloud(msgspec.Struct, frozen=True, omit_defaults=True):
    """Smoke until the end of a turn."""

    id: str
    at: Point
    radius: int
    until: int


class Mission(msgspec.Struct, frozen=True, omit_defaults=True):
    """Artillery that has been called and lands in the administration phase."""

    seat: int
    caller: GroupId
    card: str
    at: Point


class Wounded(msgspec.Struct, frozen=True, omit_defaults=True):
    """A man down of a unit (AE-CAS); `aided`: a medic has treated him."""

    figure: FigureId
    unit: GroupId
    aided: bool = False


class AidPost(msgspec.Struct, frozen=True):
    """A Forward Aid Post: a piece of terrain ("": a mere place) and its middle."""

    feature: str
    at: Point


class Prisoners(msgspec.Struct, frozen=True, omit_defaults=True):
    """Figures of a unit that has surrendered, with the unit that escorts them (AE-POW)."""

    unit: GroupId
    escort: GroupId
    captor: int
    figures: tuple[FigureId, ...]


class LostGun(msgspec.Struct, frozen=True):
    """A gun of a unit that lies where its gunner was lost: a weapon with a crew."""

    unit: GroupId
    weapon: str
    at: Point


class Shot(msgspec.Struct, frozen=True, omit_defaults=True):
    """One weapon of one figure as it is declared: at a unit (at those of its figures in this cover, or at one that is
    picked), at a building, at a point, or along a heading in degrees."""

    figure: FigureId
    weapon: str
    target: GroupId = NO_GROUP
    cover: Cover = "open"
    victim: FigureId = NO_FIGURE
    house: str = ""
    at: Point | None = None
    facing: int = -1


CARRIES: Final = "carry"
"""The `how` of a march on which a figure carries a man down: it ends the move of its unit."""
LEAVES: Final = "leave"
"""The `how` of a march or drive off the table: at its end its unit is out of everybody's reach."""


class March(msgspec.Struct, frozen=True, omit_defaults=True):
    """A declared move that is being carried out: the way of each figure from where it stood, the lead's drawn by its
    owner, the others' following. `limit`: the most that a way may cost; `how`: move, charge, react, board, drive,
    carry, leave; `facings`: of a vehicle, its heading on each piece of its way."""

    unit: GroupId
    how: str
    lead: FigureId
    ways: dict[FigureId, tuple[Point, ...]]
    limit: int
    target: GroupId = NO_GROUP
    facings: tuple[int, ...] = ()

    @property
    def way(self) -> tuple[Point, ...]:
        """The lead's way."""
        return self.ways[self.lead]
