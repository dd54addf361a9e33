"""Prompts: the choices of a player now, with the fields known at once; the lazy ones come from details.py.

Choices and their fields (values are node ids; parse.py reads them):
deploy     unit, to, places (auto)             deploy_vehicle   unit, to, facing
double     unit, twin, to, places (auto)       join             unit, host
load       unit, vessel                        keep             unit
rest
hold       unit                                turn             unit, facing
walk, run  unit, to, via (auto), places (auto)
drive, drive_fast    unit, facing, before, ahead
assault    unit, target, via (auto)            sally            unit, target
embark     unit, vessel                        disembark        unit, to, places (auto)
power      unit, power, target, dice           passage          unit, target, to, dice
shoot      target, weapon (auto)               volley           split
fight, finish                                  idle             unit
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import is_legal
from engine.core.view.prompts import sorted_out
from engine.rulesets.one_page.rules import (
    activations,
    contact,
    deployment,
    firing,
    psychic,
    shooting,
    traits,
    transports,
)
from engine.rulesets.one_page.rules.flow import VERBS
from engine.rulesets.one_page.state import names, profiles as rules
from engine.rulesets.one_page.state.state import ABOARD, TABLE, Battle, Unit
from protocol.ids import GroupId
from protocol.scene import fields as scene
from protocol.scene.nodes import NO_PROMPT, Choice, Prompt
from protocol.text import Text, text

TO: Final = scene.PickPoint("to", text("op.field.to"), lazy=True)
VIA: Final = scene.PickPoint("via", text("op.field.via"), lazy=True, auto=True)
PLACES: Final = scene.Placement("places", text("op.field.places"), lazy=True, auto=True)
FACING: Final = scene.Facing("facing", text("op.field.facing"), lazy=True)
BEFORE: Final = scene.PathPoint("before", text("op.field.before"), lazy=True)
AHEAD: Final = scene.PathPoint("ahead", text("op.field.ahead"), lazy=True)
TARGET: Final = scene.Pieces("target", text("op.field.target"), lazy=True)
VESSEL: Final = scene.Pieces("vessel", text("op.field.vessel"), lazy=True)
TWIN: Final = scene.Pieces("twin", text("op.field.twin"), lazy=True)
HOST: Final = scene.Pieces("host", text("op.field.host"), lazy=True)
POWER: Final = scene.PickOption("power", text("op.field.power"), lazy=True)
DICE: Final = scene.Number("dice", text("op.field.dice"), lazy=True, least=1, most=psychic.MOST_DICE, default=1)


def prompt(state: Battle, seat: Seat) -> Prompt:
    """Return the acting player's prompt."""
    if state.placing:
        title = text(f"op.prompt.{state.phase}", count=len(state.placing))
        return Prompt(NO_PROMPT, title, choices(state, seat), default="rest")
    active = state.active
    if active is None:
        title = text("op.prompt.activate", round=state.round, left=len(activations.waiting(state, seat)))
        return Prompt(NO_PROMPT, title, choices(state, seat), default="idle")
    title = text("op.prompt.acting", unit=names.unit(state, active.unit))
    return Prompt(NO_PROMPT, title, choices(state, seat), default="fight" if active.action == "assault" else "finish")


def choices(state: Battle, seat: Seat) -> tuple[Choice, ...]:
    """Return all choices that could be tried now."""
    return state.board.get(("choices", seat), state.parts, lambda: _choices(state, seat))


def _choices(state: Battle, seat: Seat) -> tuple[Choice, ...]:
    if state.placing:
        return tuple(_placing(state, seat))
    active = state.active
    if active is None or not active.action:
        units = activations.waiting(state, seat) if active is None else [state.units[active.unit]]
        return (*_actions(state, seat, units), *_powers(state, seat, units), *_idle(state, units, fresh=active is None))
    unit = state.units[active.unit]
    if active.action == "assault":
        return (Choice("fight", text("op.choice.fight"), key="f"), *_powers(state, seat, [unit]))
    return (*_shots(state, unit), *_powers(state, seat, [unit]), _finish())


def pick(key: str, state: Battle, units: Iterable[Unit], check: Callable[[Unit], object] | None = None) -> scene.Pieces:
    """Return a field to pick one of these units; those that `check` refuses are barred with the reason."""
    options, barred = sorted_out(
        units,
        lambda unit: names.group_node(unit.id),
        check or (lambda unit: None),
        lambda node, unit: scene.Option(node, names.unit(state, unit.id)),
    )
    default = (options[0].id,) if options else ()
    return scene.Pieces(key, text(f"op.field.{key}"), options=options, barred=barred, default=default)


def _choice(id: str, unit: scene.Pieces, *fields: scene.AnyField, key: str = "") -> Iterator[Choice]:
    if unit.options:
        yield Choice(id, text(f"op.choice.{id}"), (unit, *fields), text(f"op.choice.{id}.hint"), key)


def _placing(state: Battle, seat: Seat) -> Iterator[Choice]:
    """Yield the choices of deployment and arrivals."""
    units = [state.units[id] for id in state.placing]
    on_foot = [unit for unit in units if not traits.is_vehicle(state, unit)]
    yield from _choice("deploy", pick("unit", state, on_foot), TO, PLACES, key="d")
    drive = [unit for unit in units if traits.is_vehicle(state, unit)]
    yield from _choice("deploy_vehicle", pick("unit", state, drive), TO, FACING, key="v")
    if state.phase != "reserves":
        paired = [unit for unit in on_foot if twins(state, seat, unit)]
        yield from _choice("double", pick("unit", state, paired), TWIN, TO, PLACES, key="b")
        characters = [unit for unit in units if traits.profile(state, unit).character and hosts(state, seat, unit)]
        yield from _choice("join", pick("unit", state, characters), HOST, key="j")
        riders = [unit for unit in on_foot if transports.vessels(state, unit)]
        yield from _choice("load", pick("unit", state, riders), VESSEL, key="l")
    keep = [u for u in units if state.phase == "reserves" or traits.has(state, u, rules.DEEP_STRIKE)]
    yield from _choice("keep", pick("unit", state, keep), key="k")
    yield Choice("rest", text("op.choice.rest"), hint=text("op.choice.rest.hint"), key="e")


def twins(state: Battle, seat: Seat, unit: Unit) -> list[Unit]:
    """Return the units that could be the unit's second copy."""
    others = [state.units[id] for id in state.placing if id != unit.id]
    return [o for o in others if is_legal(partial(deployment.check_twin, state, seat, unit, o.id))]


def hosts(state: Battle, seat: Seat, unit: Unit) -> list[Unit]:
    """Return the units that a character could join."""
    own = [u for u in state.standing() if u.owner == seat]
    return [o for o in own if is_legal(partial(deployment.check_join, state, seat, unit.id, o.id))]


def _actions(state: Battle, seat: Seat, units: list[Unit]) -> Iterator[Choice]:
    """Yield the actions that these units could take, one of them by one unit."""
    able = [unit for unit in units if not unit.pinned]
    standing = [unit for unit in able if unit.where == TABLE]
    mobile = [unit for unit in standing if not unit.tracked]
    on_foot = [unit for unit in mobile if not traits.is_vehicle(state, unit)]
    drive = [unit for unit in mobile if traits.is_vehicle(state, unit)]
    aboard = [unit for unit in able if unit.where == ABOARD]
    yield from _choice("hold", pick("unit", state, standing), key="h")
    yield from _choice("turn", pick("unit", state, drive), FACING, key="t")
    yield from _choice("walk", pick("unit", state, on_foot), TO, VIA, PLACES, key="w")
    yield from _choice("run", pick("unit", state, on_foot), TO, VIA, PLACES, key="r")
    yield from _choice("drive", pick("unit", state, drive), FACING, BEFORE, AHEAD, key="d")
    yield from _choice("drive_fast", pick("unit", state, drive), FACING, BEFORE, AHEAD, key="g")
    yield from _choice(
        "assault", pick("unit", state, standing, partial(contact.check_prey, state)), TARGET, VIA, key="a"
    )
    yield from VERBS.offered(state, seat)
    yield from _choice("disembark", pick("unit", state, aboard), TO, PLACES, key="o")
    furious = [unit for unit in aboard if traits.has(state, unit, rules.FURIOUS)]
    yield from _choice("sally", pick("unit", state, furious), TARGET, key="y")


def _powers(state: Battle, seat: Seat, units: list[Unit]) -> Iterator[Choice]:
    able = [unit for unit in units if psychic.can_try(state, seat, unit)]
    usual = [u for u in able if any(power.effect != "passage" for power in psychic.usable(state, u))]
    yield from _choice("power", pick("unit", state, usual), POWER, TARGET, DICE, key="p")
    lifting = [u for u in able if any(power.effect == "passage" for power in psychic.usable(state, u))]
    yield from _choice("passage", pick("unit", state, lifting), TARGET, TO, DICE, key="q")


def _idle(state: Battle, units: list[Unit], *, fresh: bool) -> Iterator[Choice]:
    if fresh:
        unit = pick("unit", state, units)
        yield Choice("idle", text("op.choice.idle"), (unit,), text("op.choice.idle.hint"), "i")
    else:
        yield _finish()


def _finish() -> Choice:
    return Choice("finish", text("op.choice.finish"), hint=text("op.choice.finish.hint"), key="e")


def _shots(state: Battle, unit: Unit) -> Iterator[Choice]:
    """Yield the shots of the acting unit, with its targets and the reasons against others."""
    looked = firing.find_targets(state, unit)
    if not looked.aims:
        return
    options = tuple(
        [scene.Option(names.group_node(id), names.unit(state, id), _odds(state, unit, id)) for id in looked.aims]
    )
    barred = tuple([scene.Barred(names.group_node(id), no.code, no.text) for id, no in looked.refused.items()])
    target = scene.Pieces("target", text("op.field.target"), options=options, barred=barred, default=(options[0].id,))
    weapons = shooting.split_weapons(state, unit)
    every = shooting.fires_all(state, unit)
    fields: tuple[scene.AnyField, ...] = (target,)
    known = tuple([scene.Option(weapon.id, names.weapon(state, unit.owner, weapon.id)) for weapon in weapons])
    if len(weapons) > 1 and not every:
        best = max(weapons, key=lambda w: w.attacks * (2 if w.single else 1)).id
        fields = (target, scene.PickOption("weapon", text("op.field.weapon"), auto=True, options=known, default=best))
    yield Choice("shoot", text("op.choice.shoot"), fields, text("op.choice.shoot.hint"), "s")
    if every and len(weapons) > 1 and len(options) > 1:
        first = {weapon.id: options[0].id for weapon in weapons}
        split = scene.Assign("split", text("op.field.split"), items=known, slots=options, default=first)
        yield Choice("volley", text("op.choice.volley"), (split,), text("op.choice.volley.hint"), "v")


def _odds(state: Battle, unit: Unit, target: GroupId) -> Text:
    """Describe a shot: its number of attacks, its distance, and the target's cover."""
    aim = firing.targets(state, unit)[target]
    fired = shooting.shots(state, unit, {target: aim}, target, {})
    attacks = sum(shot.weapon.attacks for _, shots in fired for shot in shots)
    cover = text("op.cover.yes" if aim.covered or not aim.seen else "op.cover.no")
    return text("op.hint.shot", attacks=attacks, inches=-(-aim.distance // 100), cover=cover)


def filled(field: scene.Pieces, known: scene.Pieces) -> scene.Pieces:
    """Return a lazy field with the options of another."""
    return replace(field, lazy=False, options=known.options, barred=known.barred, default=known.default)
