"""Events of vehicles: drives, damage, wrecks, units aboard, repairs."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import moved, without
from engine.kit.present.cues import says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, happens, with_unit
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Burst
from engine.rulesets.apocalypse_earth.state.model import Feature, Point
from engine.rulesets.apocalypse_earth.state.state import ABOARD, DESTROYED, GONE, TABLE, Battle
from protocol.ids import NO_GROUP, FigureId, GroupId


def with_hull(state: Battle, id: GroupId, **changes: object) -> Battle:
    """Return the state with the damage of a vehicle changed."""
    return with_unit(state, id, hull=replace(state.units[id].hull, **changes))


class VehicleDriven(BattleEvent, frozen=True, tag="ae.vehicle_driven"):
    """Drive of a vehicle to a place and heading, with all aboard."""

    unit: GroupId
    at: Point
    facing: int

    def apply(self, state: Battle) -> Battle:
        hull = state.units[self.unit].figures
        aboard = [figure for rider in state.riders(self.unit) for figure in rider.figures]
        figures = moved(state.figures, dict.fromkeys(hull, self.at), facing=self.facing)
        return replace(state, figures=moved(figures, dict.fromkeys(aboard, self.at)))


class WallFlattened(BattleEvent, frozen=True, tag="ae.wall_flattened"):
    """Gap that a vehicle has made in a wall: what is left of it takes its place."""

    feature: str
    left: tuple[Feature, ...]
    cue = says("note", "ae.log.flattened", "AE-OPEN-16", "feature")

    def apply(self, state: Battle) -> Battle:
        kept = [piece for piece in state.features if piece.id != self.feature]
        return replace(state, features=(*kept, *self.left))


class VehiclePenetrated(BattleEvent, frozen=True, tag="ae.vehicle_penetrated"):
    """Penetration of a vehicle's armour on one side, owed to a seat, with the damage that the dice say."""

    unit: GroupId
    part: str
    code: str
    by: int
    cue = happens("ae.log.penetrated", "AE-VEH-02", part="ae.part.{it.part}", damage="ae.damage.{it.code}")

    def apply(self, state: Battle) -> Battle:
        unit = state.units[self.unit]
        hull = replace(unit.hull, penetrated=unit.hull.penetrated + 1)
        return with_unit(state, self.unit, hull=hull, hurt=(*unit.hurt, self.by))


class DamageTaken(BattleEvent, frozen=True, tag="ae.damage_taken"):
    """Damage that stays with a vehicle, and the weapons that are lost by it."""

    unit: GroupId
    code: str
    weapons: tuple[str, ...] = ()
    cue = happens("ae.log.damaged", "AE-OPEN-19", damage="ae.damage.{it.code}")

    def apply(self, state: Battle) -> Battle:
        unit = state.units[self.unit]
        state = with_hull(state, self.unit, codes=(*unit.hull.codes, "/".join((self.code, *self.weapons))))
        own = state.leader(unit)
        return replace(state, figures={**state.figures, own.id: replace(own, spent=own.spent + self.weapons)})


class CrewmanLost(BattleEvent, frozen=True, tag="ae.crewman_lost"):
    """Loss of a vehicle's driver (drv) or gunner (gun): another man is ready in the administration phase of a turn."""

    unit: GroupId
    code: str
    until: int

    def apply(self, state: Battle) -> Battle:
        hull = state.units[self.unit].hull
        blocked = {**hull.blocked, self.code: self.until}
        return with_hull(state, self.unit, blocked=blocked, men=hull.men + 1)


class CrewmanReplaced(BattleEvent, frozen=True, tag="ae.crewman_replaced"):
    """Start of another man at the place of a lost driver or gunner."""

    unit: GroupId
    code: str
    cue = happens("ae.log.replaced", "AE-OPEN-19", damage="ae.damage.{it.code}")

    def apply(self, state: Battle) -> Battle:
        return with_hull(state, self.unit, blocked=without(state.units[self.unit].hull.blocked, {self.code}))


class CrewShaken(BattleEvent, frozen=True, tag="ae.crew_shaken"):
    """Shock of a crew: it neither moves nor fires until the end of its next action."""

    unit: GroupId
    actions: int
    cue = happens("ae.log.stunned", "AE-OPEN-19")

    def apply(self, state: Battle) -> Battle:
        return with_hull(state, self.unit, shaken=self.actions)


class VehicleDestroyed(BattleEvent, frozen=True, tag="ae.vehicle_destroyed"):
    """End of a vehicle: its wreck stays, alight where fires are in play. `how`: boom, fire or bomb; what blows up harms
    all around next."""

    unit: GroupId
    how: str
    by: int
    wreck: Feature | None
    barrier = "dice"
    cue = says(
        "casualty", "ae.log.destroyed.{it.how}", "AE-OPEN-19", "unit", seat="unit", about="unit", killed=lambda event: 1
    )

    def apply(self, state: Battle) -> Battle:
        unit = state.units[self.unit]
        at = state.leader(unit).at
        features, fires, bursts = state.features, state.fires, state.bursts
        if self.wreck is not None:
            features = (*features, self.wreck)
            if state.resolved.options.fires:
                fires = (*fires, Blaze(self.wreck.id, state.turn))
        if self.how != "fire":
            bursts = (*bursts, Burst(self.unit, at, self.by, trait=self.how == "bomb"))
        figures = without(state.figures, unit.figures)
        state = replace(state, figures=figures, features=features, fires=fires, bursts=bursts)
        return with_unit(state, self.unit, figures=(), where=GONE, fate=DESTROYED, overwatch=False)


class BurstSpent(BattleEvent, frozen=True, tag="ae.burst_spent"):
    """Start of the first explosion that is still to come."""

    def apply(self, state: Battle) -> Battle:
        return replace(state, bursts=state.bursts[1:])


class UnitBoarded(BattleEvent, frozen=True, tag="ae.unit_boarded"):
    """Boarding of a vehicle by a unit."""

    unit: GroupId
    vessel: GroupId
    cue = says("move", "ae.log.boarded", "AE-OPEN-16", "unit", "vessel", seat="unit", about="vessel")

    def apply(self, state: Battle) -> Battle:
        at = state.leader(state.units[self.vessel]).at
        figures = moved(state.figures, dict.fromkeys(state.units[self.unit].figures, at))
        placing = tuple([id for id in state.placing if id != self.unit])
        state = replace(state, figures=figures, placing=placing)
        return with_unit(state, self.unit, where=ABOARD, vessel=self.vessel, hidden=False)


class UnitLanded(BattleEvent, frozen=True, tag="ae.unit_landed"):
    """Arrival of a unit beside the vehicle that it was aboard."""

    unit: GroupId
    places: dict[FigureId, Point]
    cue = happens("ae.log.landed", "AE-OPEN-16")

    def apply(self, state: Battle) -> Battle:
        state = replace(state, figures=moved(state.figures, self.places))
        if state.active is not None and state.active.unit == self.unit:
            spent = dict.fromkeys(self.places, 0)
            state = replace(state, active=replace(state.active, landed=True, spent=spent))
        return with_unit(state, self.unit, where=TABLE, vessel=NO_GROUP)


class SmokeSpent(BattleEvent, frozen=True, tag="ae.smoke_spent"):
    """Use of a vehicle's smoke, once a game."""

    unit: GroupId

    def apply(self, state: Battle) -> Battle:
        return with_hull(state, self.unit, smoked=True)


class RepairTried(BattleEvent, frozen=True, tag="ae.repair_tried"):
    """Attempt of a mechanic at one piece of damage of a vehicle."""

    unit: GroupId
    code: str
    repaired: bool
    cue = happens(("repaired", "ae.log.repaired", "ae.log.not_repaired"), "AE-VEH-05", damage="ae.damage.{it.kind}")

    @property
    def kind(self) -> str:
        """The damage code, without the weapon."""
        return self.code.partition("/")[0]

    def apply(self, state: Battle) -> Battle:
        if not self.repaired:
            return state
        unit = state.units[self.unit]
        left = list(unit.hull.codes)
        left.remove(self.code)
        state = with_hull(state, self.unit, codes=tuple(left))
        own, weapon = state.leader(unit), self.code.partition("/")[2]
        spent = tuple([id for id in own.spent if id != weapon])
        return replace(state, figures={**state.figures, own.id: replace(own, spent=spent)})


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
