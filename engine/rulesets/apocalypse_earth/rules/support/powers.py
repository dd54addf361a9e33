"""Psychic powers in use: the attempt, and its choices (AE-PSY-01, AE-OPEN-25)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from engine.kit import distributions, forecasts
from engine.kit.blanks import hint, option, template
from engine.kit.pools import DieTest
from engine.kit.rules import (
    Counted,
    Forecast,
    Game,
    Gesture,
    IllegalIntent,
    Label,
    Pool,
    Seat,
    Verb,
    forbid,
    implements,
    passing,
)
from engine.rulesets.apocalypse_earth.rules.harm import casualties
from engine.rulesets.apocalypse_earth.rules.support import psychic
from engine.rulesets.apocalypse_earth.rules.support.power_effects import CHECKED, UsePower, losses, take_effect
from engine.rulesets.apocalypse_earth.rules.table import traits
from engine.rulesets.apocalypse_earth.rules.turns import activations, morale, surrender
from engine.rulesets.apocalypse_earth.rules.turns.picking import Choosing, able, pick, unit_of
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.profiles import Power
from engine.rulesets.apocalypse_earth.state.state import POWERS, Battle, Figure, Unit
from engine.rulesets.apocalypse_earth.state.support_events import PowerTried
from engine.rulesets.apocalypse_earth.state.vehicle_events import DamageTaken
from engine.space.vectors.points import Point, squared
from protocol.ids import NO_GROUP, GroupId
from protocol.scene.advice import ForecastPool
from protocol.scene.fields import Option, PickOption, Pieces, Template
from protocol.text import Text

POWER: Final = "ae.dice.power"
BACKLASH: Final = "ae.dice.backlash"
SIX: Final = 6
HURT: Final = DieTest(3)
"""The backlash takes the psychic on 1 or 2."""


@implements("AE-PSY-01", "AE-OPEN-25")
def check_use(state: Battle, seat: int, use: UsePower) -> tuple[Power, Figure, Unit | Point]:
    """Return the power, the psychic who tries it, and what it is aimed at. Raises IllegalIntent."""
    unit, power = psychic.check_unit(state, seat, use.unit), state.resolved.powers.get(use.power)
    if power is None:
        raise IllegalIntent("power/unknown")
    if power.at == "point":
        if use.at is None:
            raise IllegalIntent("power/no-target")
        return power, psychic.caster(state, unit, power, use.at), use.at
    caster = psychic.check_target(state, unit, power, use.target)
    if power.id == psychic.PUPPET and use.victim:
        forbid(use.victim not in [one.id for one in psychic.victims(state, use.target)], "power/victim")
    return power, caster, state.units[use.target]


@implements("AE-OPEN-25", "AE-PSY-01")
async def use_power(game: Game[Battle], seat: Seat, use: UsePower) -> None:
    """Try a power: a die and the rating must reach its difficulty; a natural 1 fails, and may strike the psychic."""
    power, caster, aim = check_use(game.state, seat, use)
    kind, target = ("power_at", NO_GROUP) if power.at == "point" else ("power", use.target)
    trying = activations.start(game, kind, use.unit, target, step=POWERS)
    state = game.state
    need = psychic.difficulty(state, state.units[use.unit], power, aim)
    roll = game.roll(Pool(1), POWER, seat)
    works = roll.total > 1 and roll.total + psychic.rating(state, caster) >= need
    game.emit(PowerTried(use.unit, caster.id, seat, power.id, roll.id, works))
    if works:
        await take_effect(game, seat, power, caster, use)
        casualties.settle(game, state.units)
    elif roll.total == 1:
        _strike_back(game, seat, use.unit, caster)
    surrender.look(game)
    trying.resolve("done" if works else "failed")


@implements("AE-OPEN-25")
def _strike_back(game: Game[Battle], seat: Seat, id: GroupId, caster: Figure) -> None:
    """Roll for the backlash: a psychic who falls makes his unit check."""
    if HURT.succeeds(game, seat, BACKLASH):
        return
    if traits.drives(game.state, game.state.units[id]):
        game.emit(DamageTaken(id, psychic.LOST))
    else:
        casualties.fall(game, id, [caster.id], how="backlash")
    if game.state.units[id].figures:
        morale.check(game, id, "power")


def _usable(draft: Choosing, unit: Unit) -> list[Power]:
    """Return the powers that a unit's psychics may try at something, those at a point or all others."""
    state, points = draft.state, draft.choice == "pyre"
    found = {power.id: power for one in psychic.psychics(state, unit) for power in psychic.known(state, unit, one)}
    fit = [power for power in found.values() if (power.at == "point") == points]
    return fit if points else [power for power in fit if _targets(state, unit, power)]


def _targets(state: Battle, unit: Unit, power: Power) -> list[Unit]:
    """Return the units at which a power may be tried."""
    return passing(state.seen(unit.owner), lambda other: psychic.check_target(state, unit, power, other.id))


def _powers(draft: Choosing, field: PickOption) -> PickOption:
    """Return a field of the powers, each with what its die must show."""
    state, unit = draft.state, unit_of(draft)
    best = max([psychic.rating(state, one) for one in psychic.psychics(state, unit)], default=0)
    offered = [(one, {"need": max(2, one.difficulty - best)}) for one in _usable(draft, unit)]
    hints = [hint("ae.hint.power", need, text=Text(one.text)) for one, need in offered]
    options = tuple([Option(one.id, Text(one.name), *told) for (one, _), told in zip(offered, hints, strict=True)])
    return replace(field, options=options, default=options[0].id if options else "")


def _power(draft: Choosing) -> Power:
    power = draft.state.resolved.powers.get(draft.word("power"))
    if power is None:
        raise IllegalIntent("power/unknown")
    return power


def _spot(draft: Choosing, field: Template) -> Template:
    """Return a field of the place of a power's circle, by default at the nearest enemy."""
    state, power, own = draft.state, _power(draft), draft.state.leader(unit_of(draft)).at
    near = min(
        [state.leader(one).at for one in state.enemies(draft.seat)], key=lambda at: squared(at, own), default=own
    )
    size = power.template.circle if power.template is not None else 0
    return replace(field, size=size, start=own, reach=power.range + traits.RADIUS, default=near)


def _victims(draft: Choosing) -> Iterable[Unit]:
    return psychic.victims(draft.state, draft.group("target")) if _power(draft).id == psychic.PUPPET else ()


def _use(draft: Choosing) -> UsePower:
    victim = next(iter(draft.groups("victim")), NO_GROUP)
    return UsePower(draft.group("unit"), draft.word("power"), draft.group("target"), None, victim)


def _losses(draft: Choosing) -> Counted:
    aimed = next(iter(draft.groups("victim")), draft.group("target"))
    return Counted((names.group_node(aimed),), names.group_node(draft.group("unit")))


@implements("AE-PSY-01", "AE-OPEN-25")
def _forecast(draft: Choosing) -> Forecast | None:
    """Return what a power comes to: its die must show enough, and then its effect is worked out."""
    state, use = draft.state, _use(draft)
    power, caster, aim = check_use(state, draft.seat, use)
    if power.id in CHECKED:
        return None
    lost = losses(state, power, caster, state.units[use.target])
    need = max(2, psychic.difficulty(state, state.units[use.unit], power, aim) - psychic.rating(state, caster))
    done = distributions.successes(1, DieTest(need).chance).then(lambda so: lost if so else distributions.certain(0))
    return forecasts.forecast(done, [ForecastPool(Text(POWER), 1, SIX, min(need, SIX))])


USE_POWER: Final = Verb(
    Label("power", "p", "Use a power", "A die and the rating reach its difficulty. A 1 fails and may strike back."),
    use_power,
    pick("unit", able(psychic.check_unit, POWERS), only=_usable),
    option("power", _powers),
    pick("target", lambda draft: _targets(draft.state, unit_of(draft), _power(draft))),
    pick("victim", _victims, shape=Pieces("victim", Text(""), lazy=True, auto=True)),
    make=_use,
    forecast=_forecast,
    counted=_losses,
    gesture=Gesture("unit", "target", "group", 2, "power", ends=True),
)
PYRE: Final = Verb(
    Label("pyre", "j", "Use a power on a place", "Fire out of nothing."),
    use_power,
    pick("unit", able(psychic.check_unit, POWERS), only=_usable),
    option("power", _powers),
    template("at", _spot),
    make=lambda draft: UsePower(draft.group("unit"), draft.word("power"), at=draft.point("at")),
    gesture=Gesture("unit", "at", "point", 4, "power", ends=True),
)
