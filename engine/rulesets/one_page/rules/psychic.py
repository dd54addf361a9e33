"""Psychic powers: power dice, attempts and effects (OP-SR-14, OP-OPEN-14)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from engine.core.rules.errors import is_legal
from engine.kit.board.board import BOARD, kept
from engine.kit.rules import IllegalIntent, forbid, implements, passing
from engine.rulesets.one_page.rules import activations, sighting, traits
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.model import Power
from engine.rulesets.one_page.state.state import ABOARD, SPENT, TABLE, Battle, Figure, Unit
from protocol.ids import GroupId

MOST_DICE: Final = 12


@implements("OP-SR-14")
def levels(state: Battle, seat: int) -> int:
    """Return the sum of Psyker levels of an army's models in play."""
    there = state.units_of(seat, TABLE, ABOARD)
    return sum(state.entry_of(f).profile.number(rules.PSYKER) for unit in there for f in state.members(unit))


@implements("OP-SR-14")
def pool_size(die: int, levels: int) -> int:
    """Return the number of power dice of a round: D6 and the levels, at most 12; none without a Psyker."""
    return min(MOST_DICE, die + levels) if levels else 0


@implements("OP-OPEN-14")
def psykers(state: Battle, unit: Unit) -> list[Figure]:
    """Return the Psykers of a unit."""
    return [f for f in state.members(unit) if state.entry_of(f).profile.number(rules.PSYKER)]


@implements("OP-OPEN-14", "OP-SR-14")
def known(state: Battle, unit: Unit) -> list[Power]:
    """Return the powers that a unit's Psykers may still try in this round, of all their disciplines."""
    learnt = {state.entry_of(figure).discipline for figure in psykers(state, unit)}
    tried = state.seats[unit.owner].tried
    return [power for power in state.resolved.powers if power.discipline in learnt and power.id not in tried]


@implements("OP-SR-14")
def check_psyker(state: Battle, seat: int, id: GroupId) -> Unit:
    """Return the unit if its Psykers may use powers now: in their own activation, before it shoots or fights, on the
    table. Raises IllegalIntent."""
    unit = activations.check_turn(state, seat, id)
    forbid(state.active is not None and state.active.action == SPENT, "act/done")
    forbid(unit.where != TABLE, "power/aboard")
    forbid(unit.pinned, "act/pinned")
    forbid(not psykers(state, unit), "power/no-psyker")
    forbid(not state.seats[seat].dice, "power/no-dice")
    return unit


def can_try(state: Battle, seat: int, unit: Unit) -> bool:
    """Tell if a unit could try any power now."""
    return is_legal(lambda: check_psyker(state, seat, unit.id)) and bool(usable(state, unit))


def usable(state: Battle, unit: Unit) -> list[Power]:
    """Return the known powers that have a legal target."""
    return [power for power in known(state, unit) if has_target(state, unit, power)]


@implements("OP-OPEN-14")
def check_target(state: Battle, unit: Unit, power: Power, target: GroupId) -> Unit:
    """Return the target if a power may be aimed at it: on the table, in range of its Psyker; no line of sight is
    needed. Raises IllegalIntent."""
    found = state.units.get(target)
    if found is None or found.where != TABLE or state.hostile(found.owner, unit.owner) == power.friend:
        raise IllegalIntent("power/no-target")
    caster = caster_of(state, unit, power)
    forbid(not sighting.is_within(state, unit, caster, found, power.range), "power/too-far")
    forbid(power.effect == "passage" and _is_charging(state, found), "power/passage-charge")
    is_barred = _BARRED.get(power.effect)
    forbid(is_barred is not None and is_barred(state, found), f"power/{power.effect}")
    return found


def caster_of(state: Battle, unit: Unit, power: Power) -> Figure:
    """Return the Psyker of a unit that knows a power."""
    return next(f for f in psykers(state, unit) if state.entry_of(f).discipline == power.discipline)


@kept(BOARD, "round", "active")
def targets(state: Battle, unit: Unit, power: Power) -> list[Unit]:
    """Return the units that a power may be aimed at."""
    return passing(state.standing(), lambda other: check_target(state, unit, power, other.id))


@kept(BOARD, "round", "active")
def has_target(state: Battle, unit: Unit, power: Power) -> bool:
    """Tell if a power may be aimed at any unit."""
    return any(is_legal(partial(check_target, state, unit, power, other.id)) for other in state.standing())


@implements("OP-MELEE-01", "OP-OPEN-14")
def _is_charging(state: Battle, unit: Unit) -> bool:
    """Tell if a unit is one of the two whose melee is about to begin."""
    active = state.active
    return active is not None and unit.id in (active.unit, active.target) and activations.is_charging(state)


@implements("OP-OPEN-14")
def _whispered(state: Battle, unit: Unit) -> bool:
    """Tell if a unit was Pinned in this round or the one before, or is Pinned now."""
    return unit.pinned or (unit.whispered > 0 and unit.whispered >= state.round - 1)


_BARRED: Final[Mapping[str, Callable[[Battle, Unit], bool]]] = {
    "whispers": _whispered,
    "haste": lambda state, unit: unit.done,
    "passage": lambda state, unit: not traits.profile(state, unit).infantry,
}
