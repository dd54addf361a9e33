"""Events of vehicles: drives, damage, wrecks, units aboard, repairs."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.rules.events import tagged
from engine.kit.changes import (
    NewValue,
    also,
    drop,
    drop_first,
    drop_key,
    in_turn,
    inside,
    its,
    made,
    moved,
    moves,
    of,
    plus,
    put,
    sets,
    when,
    without,
)
from engine.kit.present.cues import happens, says
from engine.rulesets.apocalypse_earth.state.event_base import BattleEvent, UnitEvent, of_unit
from engine.rulesets.apocalypse_earth.state.lasting import Blaze, Burst
from engine.rulesets.apocalypse_earth.state.model import Feature, Point
from engine.rulesets.apocalypse_earth.state.state import ABOARD, DESTROYED, GONE, TABLE, Battle
from protocol.ids import NO_GROUP, FigureId, GroupId

of_leader = of("figures", NewValue(lambda event, state, old: state.units[event.unit].leader))


class VehicleDriven(UnitEvent, frozen=True, tag="ae.vehicle_driven"):
    """Drive of a vehicle to a place and heading, with all aboard."""

    at: Point
    facing: int

    def apply(self, state: Battle) -> Battle:
        aboard = [figure for rider in state.riders(self.unit) for figure in rider.figures]
        figures = moved(state.figures, dict.fromkeys(state.units[self.unit].figures, self.at), facing=self.facing)
        return replace(state, figures=moved(figures, dict.fromkeys(aboard, self.at)))


class VehiclePenetrated(UnitEvent, frozen=True, tag="ae.vehicle_penetrated"):
    """Penetration of a vehicle's armour on one side, owed to a seat, with the damage that the dice say."""

    part: str
    code: str
    by: int
    cue = happens("ae.log.penetrated", "AE-VEH-02", part="ae.part.{it.part}", damage="ae.damage.{it.code}")
    apply = of_unit(hull=inside(penetrated=plus(1)), hurt=also(its.by))


def _taken(code: str, weapons: tuple[str, ...]) -> str:
    return "/".join((code, *weapons))


class DamageTaken(UnitEvent, frozen=True, tag="ae.damage_taken"):
    """Damage that stays with a vehicle, and the weapons that are lost by it."""

    code: str
    weapons: tuple[str, ...] = ()
    cue = happens("ae.log.damaged", "AE-OPEN-19", damage="ae.damage.{it.code}")
    apply = in_turn(
        of_unit(hull=inside(codes=also(made(_taken, its.code, its.weapons)))),
        of_leader(spent=plus(its.weapons)),
    )


class CrewmanLost(UnitEvent, frozen=True, tag="ae.crewman_lost"):
    """Loss of a vehicle's driver (drv) or gunner (gun): another man is ready in the administration phase of a turn."""

    code: str
    until: int
    apply = of_unit(hull=inside(blocked=put(its.code, its.until), men=plus(1)))


class CrewmanReplaced(UnitEvent, frozen=True, tag="ae.crewman_replaced"):
    """Start of another man at the place of a lost driver or gunner."""

    code: str
    cue = happens("ae.log.replaced", "AE-OPEN-19", damage="ae.damage.{it.code}")
    apply = of_unit(hull=inside(blocked=drop_key(its.code)))


class CrewShaken(UnitEvent, frozen=True, tag="ae.crew_shaken"):
    """Shock of a crew: it neither moves nor fires until the end of its next action."""

    actions: int
    cue = happens("ae.log.stunned", "AE-OPEN-19")
    apply = of_unit(hull=inside(shaken=its.actions))


class VehicleDestroyed(UnitEvent, frozen=True, tag="ae.vehicle_destroyed"):
    """End of a vehicle: its wreck stays, alight where fires are in play. `how`: boom, fire or bomb; what blows up harms
    all around next."""

    how: str
    by: int
    wreck: Feature | None
    barrier = "dice"
    cue = says(
        "casualty", "ae.log.destroyed.{it.how}", "AE-OPEN-19", "unit", seat="unit", about="unit", killed=lambda event: 1
    )

    def apply(self, state: Battle) -> Battle:
        unit = state.units[self.unit]
        left = (self.wreck,) if self.wreck is not None else ()
        burst = Burst(unit.id, state.leader(unit).at, self.by, trait=self.how == "bomb")
        gone = replace(unit, figures=(), where=GONE, fate=DESTROYED, overwatch=False)
        return replace(
            state,
            units={**state.units, unit.id: gone},
            figures=without(state.figures, unit.figures),
            features=state.features + left,
            fires=(*state.fires, *[Blaze(w.id, state.turn) for w in left if state.resolved.options.fires]),
            bursts=state.bursts if self.how == "fire" else (*state.bursts, burst),
        )


class BurstSpent(BattleEvent, frozen=True, tag="ae.burst_spent"):
    """Start of an explosion that was still to come."""

    burst: Burst
    apply = sets(bursts=drop(its.burst, ""))


def _inside(event: UnitBoarded, state: Battle) -> Battle:
    at = state.leader(state.units[event.vessel]).at
    return replace(state, figures=moved(state.figures, dict.fromkeys(state.units[event.unit].figures, at)))


class UnitBoarded(UnitEvent, frozen=True, tag="ae.unit_boarded"):
    """Boarding of a vehicle by a unit, whose figures are where it is."""

    vessel: GroupId
    cue = says("move", "ae.log.boarded", "AE-OPEN-16", "unit", "vessel", seat="unit", about="vessel")
    apply = in_turn(_inside, of_unit(where=ABOARD, vessel=its.vessel, hidden=False), sets(placing=drop(its.unit, "")))


def _on_foot(event: UnitLanded, state: Battle) -> Battle:
    if state.active is None or state.active.unit != event.unit:
        return state
    return replace(state, active=replace(state.active, landed=True, spent=dict.fromkeys(event.places, 0)))


class UnitLanded(UnitEvent, frozen=True, tag="ae.unit_landed"):
    """Arrival of a unit beside the vehicle that it was aboard."""

    places: dict[FigureId, Point]
    cue = happens("ae.log.landed", "AE-OPEN-16")
    apply = in_turn(moves(), of_unit(where=TABLE, vessel=NO_GROUP), _on_foot)


class SmokeSpent(UnitEvent, frozen=True, tag="ae.smoke_spent"):
    """Use of a vehicle's smoke, once a game."""

    apply = of_unit(hull=inside(smoked=True))


class RepairTried(UnitEvent, frozen=True, tag="ae.repair_tried"):
    """Attempt of a mechanic at one piece of damage of a vehicle."""

    code: str
    repaired: bool
    cue = happens(("repaired", "ae.log.repaired", "ae.log.not_repaired"), "AE-VEH-05", damage="ae.damage.{it.kind}")

    @property
    def kind(self) -> str:
        """The damage code, without the weapon."""
        return self.code.partition("/")[0]

    @property
    def weapon(self) -> str:
        """The weapon that works again; "" without one."""
        return self.code.partition("/")[2]

    apply = when(
        "repaired", in_turn(of_unit(hull=inside(codes=drop_first(its.code))), of_leader(spent=drop(its.weapon, "")))
    )


EVENTS: tuple[type[BattleEvent], ...] = tagged(globals(), BattleEvent)
