"""The scene that everyone sees, node by node: this game has no secrets.

A part's key holds the objects of the state that its node is made from: the node is made again only where one of them is
another object.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from engine.core.rules.node_ids import seat_node, sheet_node, stack_node, zone_node
from engine.core.rules.record import PendingAction
from engine.core.rules.system import Part
from engine.kit.present import scene as kit
from engine.kit.present.scene import Sections, Statuses, part
from engine.rulesets.one_page.rules import activations, deployment, ground, rounds, scoring, traits
from engine.rulesets.one_page.state import names, profiles as rules
from engine.rulesets.one_page.state.model import Feature, Terrain
from engine.rulesets.one_page.state.profiles import UnitProfile
from engine.rulesets.one_page.state.state import ABOARD, RESERVE, TABLE, Activation, Battle, Figure, Unit
from engine.rulesets.one_page.view import sheets
from engine.space.vectors.outlines import outline_of
from protocol.ids import NodeId
from protocol.scene import nodes as scene
from protocol.text import Text, text

ROUND, ACTION = NodeId("counter/round"), stack_node("action")

GROUND: Final = Statuses(
    ("difficult", "difficult ground", lambda kind: kind.difficult),
    ("impassable", "impassable", lambda kind: kind.impassable),
    ("mined", "mined", lambda kind: kind.mined),
)
UNIT: Final = Statuses(
    ("acting", "acting", lambda state, unit: unit.id == state.acts),
    ("done", "activated", lambda state, unit: unit.done),
    ("pinned", "Pinned", lambda state, unit: unit.pinned),
    ("shaken", "Shaken", lambda state, unit: unit.shaken),
    ("tracked", "Tracked", lambda state, unit: unit.tracked),
    ("in_reserve", "in reserve", lambda state, unit: unit.where == RESERVE),
    ("aboard", "aboard", lambda state, unit: unit.where == ABOARD),
    ("in_cover", "in cover", lambda state, unit: unit.where == TABLE and ground.piece_of(state, unit) is not None),
    ("fearless_now", "Fearless", lambda state, unit: rules.FEARLESS in unit.effects),
    ("armored", "Armored"),
    ("covered", "as in cover"),
    ("smoked", "in smoke"),
    ("haste", "hastened"),
    ("terror", "terrified"),
    ("furious", "Furious"),
    ("hatred", "Hatred"),
    ("leader", "leader"),
    (kit.OUT, "beaten"),
)


def _feature(state: Battle, feature: Feature, kind: Terrain) -> scene.Feature:
    return kit.feature(feature, kind, kind.name, "cover" if kind.cover else "", GROUND.of(kind))


GROUNDS: Final = kit.grounds("in", _feature)
"""The table, and the terrain that lies on it."""


def _zones(state: Battle) -> Iterator[Part]:
    """Yield the deployment zones until the battle begins."""
    if state.phase in ("deploy", "scouts"):
        for seat in range(len(state.seats)):
            yield part(zone_node(f"start.{seat}"), (state.seats[seat].side,), _zone, state, seat)


def _zone(state: Battle, seat: int) -> scene.Zone:
    return scene.Zone("deployment", outline_of(deployment.zone(state, seat)), owner=seat, name=names.army(state, seat))


def _group(state: Battle, unit: Unit, pieces: tuple[NodeId, ...]) -> scene.Group:
    effects = [effect for effect in dict.fromkeys(unit.effects) if effect != rules.FEARLESS]
    sheet = sheet_node(f"{unit.owner}.{unit.entry}")
    return scene.Group(unit.owner, names.unit(state, unit.id), pieces, sheet, (*UNIT.of(state, unit), *effects))


def _piece(state: Battle, unit: Unit, figure: Figure, riders: int) -> scene.Piece:
    profile, leads = state.entry_of(figure).profile, figure.id == unit.leader
    counted = {"wounds": figure.wounds, "aboard": riders}
    return scene.Piece(
        figure.at,
        traits.radius(state, figure),
        figure.owner,
        names.group_node(unit.id),
        Text(profile.name),
        glyph_of(profile),
        figure.facing if traits.is_machine(state, unit) else 0,
        {name: count for name, count in counted.items() if count},
        ("leader",) if leads else (),
        profile.box if profile.kind == "vehicle" else None,
    )


def glyph_of(profile: UnitProfile) -> str:
    """Return the glyph of a unit's models."""
    return profile.glyph or ("soldier" if profile.kind == "infantry" else profile.kind)


def _seats(state: Battle) -> Iterator[Part]:
    """Yield both players with the points that they would have now."""
    standing = (state.units, state.figures, state.seats, state.acting, state.active, state.phase)
    for seat, own in enumerate(state.seats):
        yield part(seat_node(seat), standing, _seat, state, seat)
        yield part(names.power_node(seat), (own,), _dice, state, seat)


def _seat(state: Battle, seat: int) -> scene.SeatNode:
    side = state.sides[seat] if state.sides else -1
    points, scored = scoring.score(state, seat), scoring.scored(state, seat)
    node = kit.seat(names.army(state, seat), seat, points, alive=any(state.own(seat)), side=side, scored=scored)
    if state.phase != "battle" or state.ended:
        return node
    return replace(node, left=len(activations.waiting(state, seat)), next=activations.next_in_order(state) == seat)


def _dice(state: Battle, seat: int) -> scene.Counter:
    return scene.Counter(text("op.counter.power", army=names.army(state, seat)), state.seats[seat].dice)


def _stack(state: Battle) -> Iterator[Part]:
    """Yield the acting unit, with what its weapons have done so far."""
    active = state.active
    if active is not None and (active.action or state.blows):
        there = [id for id in (active.unit, active.target) if id and state.units[id].in_play]
        about = tuple(map(names.group_node, there))
        yield part(ACTION, (active, state.blows, about), _action, state, active, about)


def on_stack(state: Battle, action: PendingAction, item: scene.StackItem) -> scene.StackItem:
    """Point at those units of an open action that are still there."""
    known = {names.group_node(unit.id) for unit in state.units.values() if unit.in_play}
    return replace(item, about=tuple([id for id in item.about if id in known]))


def _action(state: Battle, active: Activation, about: tuple[NodeId, ...]) -> scene.StackItem:
    action = Text(f"op.action.{active.action or 'power'}")
    title = text("op.stack.action", unit=names.unit(state, active.unit), action=action)
    lines = [text("op.stack.blow", attacks=blow.attacks, **names.told(state, blow)) for blow in state.blows]
    return scene.StackItem(title, lines=tuple(lines), about=about)


def _round(state: Battle) -> Iterator[Part]:
    yield part(ROUND, (state.round,), scene.Counter, text("op.counter.round"), state.round, rounds.ROUNDS)


_UNITS: Final = kit.units_of(
    lambda unit: unit.in_play,
    lambda unit: unit.where == TABLE,
    _group,
    _piece,
    lambda state, unit: (state.features,),
)
_SECTIONS: Final = Sections[Battle](
    ("ground", "resolved features", GROUNDS),
    ("zones", "phase seats", _zones),
    ("sheets", "resolved", kit.sheets_of(sheets.unit)),
    ("units", "units figures features active", _UNITS),
    ("seats", "units figures seats acting active phase ended", _seats),
    ("round", "round", _round),
    ("stack", "active blows units", _stack),
)
public: Final = _SECTIONS.with_result(scoring.final)
