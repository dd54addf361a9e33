"""Psychic powers in use: the attempt, and its choices (AE-PSY-01, AE-OPEN-25)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from engine.core.rules.errors import is_legal
from engine.kit.blanks import hint, option, template
from engine.kit.pools import DieTest
from engine.kit.rules import (
    Counted,
    Game,
    Gesture,
    IllegalIntent,
    Label,
    Pool,
    Seat,
    Verb,
    forbid,
    implements,
)
from engine.rulesets.apocalypse_earth.rules import (
    activations,
    casualties,
    morale,
    psychic,
    surrender,
    traits,
)
from engine.rulesets.apocalypse_earth.rules.picking import Choosing, pick, unit_of
from engine.rulesets.apocalypse_earth.rules.power_effects import PUPPET, UsePower as UsePower, take_effect, victims
from engine.rulesets.apocalypse_earth.state import names
from engine.rulesets.apocalypse_earth.state.profiles import Power
from engine.rulesets.apocalypse_earth.state.state import POWERS as STEP, TABLE, Battle, Figure, Unit
from engine.rulesets.apocalypse_earth.state.support_events import PowerTried
from engine.rulesets.apocalypse_earth.state.vehicle_events import DamageTaken
from engine.space.vectors.points import squared
from protocol.ids import NO_GROUP, GroupId
from protocol.scene.fields import Option, PickOption, Pieces, Template
from protocol.text import Text

POWER: Final = "ae.dice.power"
BACKLASH: Final = "ae.dice.backlash"
HURT: Final = DieTest(3)
"""The backlash takes the psychic on 1 or 2."""


@implements("AE-PSY-01", "AE-OPEN-25")
def check_use(state: Battle, seat: int, use: UsePower) -> tuple[Power, Figure]:
    """Return the power and the psychic who tries it. Raises IllegalIntent."""
    unit = psychic.check_unit(state, seat, use.unit)
    power = state.resolved.powers.get(use.power)
    if power is None:
        raise IllegalIntent("power/unknown")
    if power.at == "point":
        if use.at is None:
            raise IllegalIntent("power/no-target")
        return power, psychic.check_point(state, unit, power, use.at)
    caster = psychic.check_target(state, unit, power, use.target)
    if power.id == PUPPET:
        able = [one.id for one in victims(state, use.target)]
        forbid(not able or (use.victim or able[0]) not in able, "power/victim")
    return power, caster


@implements("AE-OPEN-25", "AE-PSY-01", "AE-TURN-02")
async def use_power(game: Game[Battle], seat: Seat, use: UsePower) -> None:
    """Try a power: a die and the rating must reach its difficulty; a natural 1 fails, and may strike the psychic."""
    power, caster = check_use(game.state, seat, use)
    trying = activations.declare(game, "power", use.unit, use.target)
    activations.begin(game, use.unit)
    activations.take(game, STEP)
    state = game.state
    need = psychic.difficulty(state, state.units[use.unit], power, state.units.get(use.target), use.at)
    roll = game.roll(Pool(1), POWER, seat)
    works = roll.total > 1 and roll.total + psychic.rating(state, caster) >= need
    game.emit(PowerTried(use.unit, caster.id, seat, power.id, roll.id, works))
    if works:
        before = dict(game.state.units)
        await take_effect(game, seat, power, caster, use)
        casualties.settle(game, before)
    elif roll.total == 1:
        _strike_back(game, seat, use.unit, caster)
    surrender.look(game)
    trying.resolve("done" if works else "failed")


@implements("AE-OPEN-25")
def _strike_back(game: Game[Battle], seat: Seat, id: GroupId, caster: Figure) -> None:
    """Roll for the backlash: a psychic who falls makes his unit check."""
    if HURT.successes(game.roll(HURT.pool(1), BACKLASH, seat).faces):
        return
    if traits.drives(game.state, game.state.units[id]):
        game.emit(DamageTaken(id, psychic.LOST))
    else:
        casualties.fall(game, id, [caster.id], how="backlash")
    if game.state.units[id].figures:
        morale.check(game, id, "power")


def _units(draft: Choosing, *, points: bool) -> list[Unit]:
    state = draft.state
    able = [u for u in activations.acting(state, draft.seat, STEP) if u.where == TABLE and not u.suppressed]
    return [
        unit
        for unit in able
        if state.combat_of(unit.id) is None and any(_usable(state, draft.seat, unit, points=points))
    ]


def _usable(state: Battle, seat: Seat, unit: Unit, *, points: bool) -> Iterator[Power]:
    """Yield the powers that a unit's psychics may try at something, those at a point or all others."""
    found = {power.id: power for one in psychic.psychics(state, unit) for power in psychic.known(state, unit, one)}
    for power in found.values():
        if (power.at == "point") == points and (points or any(_targets(state, unit, power))):
            yield power


def _targets(state: Battle, unit: Unit, power: Power) -> Iterator[Unit]:
    """Yield the units at which a power may be tried."""
    for other in state.seen(unit.owner):
        if is_legal(lambda: psychic.check_target(state, unit, power, other.id)) and (  # noqa: B023 - called at once
            power.id != PUPPET or any(victims(state, other.id))
        ):
            yield other


def _powers(draft: Choosing, field: PickOption) -> PickOption:
    """Return a field of the powers, each with what its die must show."""
    state, unit = draft.state, unit_of(draft)
    best = max([psychic.rating(state, one) for one in psychic.psychics(state, unit)], default=0)
    options = tuple(
        [
            Option(
                one.id,
                Text(one.name),
                *hint("ae.hint.power", {"need": max(2, one.difficulty - best)}, text=Text(one.text)),
            )
            for one in _usable(state, draft.seat, unit, points=draft.choice == "pyre")
        ]
    )
    return replace(field, options=options, default=options[0].id if options else "")


def _power(draft: Choosing) -> Power:
    power = draft.state.resolved.powers.get(draft.word("power"))
    if power is None:
        raise IllegalIntent("power/unknown")
    return power


def _spot(draft: Choosing, field: Template) -> Template:
    """Return a field of the place of a power's circle, by default at the nearest enemy."""
    state, unit, power = draft.state, unit_of(draft), _power(draft)
    own = state.leader(unit).at
    nearest = min(
        (enemy for enemy in state.enemies(draft.seat)), key=lambda e: squared(state.leader(e).at, own), default=unit
    )
    size = power.template.circle if power.template is not None else 0
    return replace(field, size=size, start=own, reach=power.range + traits.RADIUS, default=state.leader(nearest).at)


def _use(draft: Choosing) -> UsePower:
    victim = next(iter(draft.groups("victim")), NO_GROUP)
    return UsePower(draft.group("unit"), draft.word("power"), draft.group("target"), None, victim)


def _losses(draft: Choosing) -> Counted:
    aimed = next(iter(draft.groups("victim")), draft.group("target"))
    return Counted((names.group_node(aimed),), names.group_node(draft.group("unit")))


USE_POWER: Final = Verb(
    Label("power", "p", "Use a power", "A die and the rating reach its difficulty. A 1 fails and may strike back."),
    use_power,
    pick("unit", lambda draft: _units(draft, points=False)),
    option("power", _powers),
    pick("target", lambda draft: [*_targets(draft.state, unit_of(draft), _power(draft))]),
    pick(
        "victim",
        lambda draft: [*victims(draft.state, draft.group("target"))] if _power(draft).id == PUPPET else [],
        shape=Pieces("victim", Text(""), lazy=True, auto=True),
    ),
    make=_use,
    counted=_losses,
    gesture=Gesture("unit", "target", "group", 2, "power", ends=True),
)
PYRE: Final = Verb(
    Label("pyre", "j", "Use a power on a place", "Fire out of nothing."),
    use_power,
    pick("unit", lambda draft: _units(draft, points=True)),
    option("power", _powers),
    template("at", _spot),
    make=lambda draft: UsePower(draft.group("unit"), draft.word("power"), at=draft.point("at")),
    gesture=Gesture("unit", "at", "point", 4, "power", ends=True),
)
