"""The scene that everyone sees, node by node: this game has no secrets.

A part's key holds the objects of the state that its node is made from: the node is made again only where one of them is
another object.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from engine.core.rules.node_ids import feature_node, seat_node, sheet_node, stack_node, zone_node
from engine.core.rules.record import PendingAction
from engine.core.rules.system import Part, PartOrSection, Section
from engine.kit.present import scene as kit
from engine.kit.present.scene import Sections, Statuses, part
from engine.rulesets.one_page.rules import activations, deployment, ground, rounds, scoring, traits
from engine.rulesets.one_page.state import names, profiles as rules
from engine.rulesets.one_page.state.model import Feature, Terrain
from engine.rulesets.one_page.state.state import ABOARD, GONE, JOINED, RESERVE, TABLE, Activation, Battle, Figure, Unit
from engine.rulesets.one_page.view import sheets
from engine.space.vectors.outlines import outline_of
from protocol.ids import NodeId
from protocol.scene import nodes as scene
from protocol.text import Text, text

ROUND, ACTION = NodeId("counter/round"), stack_node("action")
GLYPHS = {"hero": "hero", "psyker": "psyker", "monster": "monster", "walker": "walker", "vehicle": "vehicle"}


GROUND: Final = Statuses(
    ("difficult", "", lambda kind: kind.difficult),
    ("impassable", "", lambda kind: kind.impassable),
    ("mined", "", lambda kind: kind.mined),
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


def public(state: Battle) -> Iterator[PartOrSection]:
    """Yield the scene that everyone sees."""
    yield _SECTIONS.of(state)
    if state.ended:
        yield part(scene.RESULT_NODE, (state.ended,), scoring.final, state)


def _grounds(state: Battle) -> Iterator[Part]:
    scenario, kinds = state.resolved.scenario, state.resolved.terrain
    yield part(scene.TABLE_NODE, (state.resolved,), scene.Table, scenario.size, "in", scenario.ground)
    for feature in state.features:
        yield part(feature_node(feature.id), (feature,), _feature, feature, kinds[feature.kind])


def _feature(feature: Feature, kind: Terrain) -> scene.Feature:
    return kit.feature(feature, kind, kind.name, "cover" if kind.cover else "", GROUND.of(kind))


def _zones(state: Battle) -> Iterator[Part]:
    """Yield the deployment zones until the battle begins."""
    if state.phase in ("deploy", "scouts"):
        for seat in range(len(state.seats)):
            yield part(zone_node(f"start.{seat}"), (state.seats[seat].side,), _zone, state, seat)


def _zone(state: Battle, seat: int) -> scene.Zone:
    return scene.Zone("deployment", outline_of(deployment.zone(state, seat)), owner=seat, name=names.army(state, seat))


def _units(state: Battle) -> Iterator[Section]:
    aboard = tuple([unit for unit in state.units.values() if unit.where == ABOARD])
    for unit in state.units.values():
        if unit.where not in (JOINED, GONE):
            carried = aboard if any(rider.vessel == unit.id for rider in aboard) else ()
            key = (unit, unit.id == state.acts, state.features, *carried, *state.models(unit))
            yield Section(f"unit/{unit.id}", key, partial(_unit, state, unit, key))


def _unit(state: Battle, unit: Unit, key: tuple[object, ...]) -> Iterator[Part]:
    yield part(names.group_node(unit.id), key, _group, state, unit)
    if unit.where == TABLE:
        riders = sum(len(rider.figures) for rider in state.riders(unit.id))
        for figure in state.models(unit):
            key = (figure, figure.id == unit.leader, riders)
            yield part(names.piece_node(figure.id), key, _piece, state, unit, figure, riders)


def _group(state: Battle, unit: Unit) -> scene.Group:
    effects = [effect for effect in dict.fromkeys(unit.effects) if effect != rules.FEARLESS]
    pieces = tuple(map(names.piece_node, unit.figures)) if unit.where == TABLE else ()
    sheet = sheet_node(f"{unit.owner}.{unit.entry}")
    return scene.Group(unit.owner, names.unit(state, unit.id), pieces, sheet, (*UNIT.of(state, unit), *effects))


def _piece(state: Battle, unit: Unit, figure: Figure, riders: int) -> scene.Piece:
    entry = state.entry_of(figure)
    profile = entry.profile
    counters = {"wounds": figure.wounds} if figure.wounds else {}
    if riders:
        counters["aboard"] = riders
    vehicle = profile.kind == "vehicle"
    return scene.Piece(
        figure.at,
        traits.radius(state, figure),
        figure.owner,
        names.group_node(unit.id),
        Text(profile.name),
        GLYPHS.get(profile.kind, "leader" if figure.id == unit.leader else ""),
        figure.facing if traits.is_machine(state, unit) else 0,
        counters,
        ("leader",) if figure.id == unit.leader else (),
        (profile.length, profile.width) if vehicle else None,
    )


def _seats(state: Battle) -> Iterator[Part]:
    """Yield both players with the points that they would have now."""
    standing = (state.units, state.figures, state.seats, state.acting, state.active, state.phase)
    for seat, own in enumerate(state.seats):
        yield part(seat_node(seat), standing, _seat, state, seat)
        yield part(names.power_node(seat), (own,), _dice, state, seat)


def _seat(state: Battle, seat: int) -> scene.SeatNode:
    sides = state.sides
    side = sides[seat] if sides else -1
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
        there = [id for id in (active.unit, active.target) if id and state.units[id].where not in (JOINED, GONE)]
        about = tuple(map(names.group_node, there))
        yield part(ACTION, (active, state.blows, about), _action, state, active, about)


def on_stack(state: Battle, action: PendingAction, item: scene.StackItem) -> scene.StackItem:
    """Point at those units of an open action that are still there."""
    there = [unit.id for unit in state.units.values() if unit.where not in (JOINED, GONE)]
    known = set(map(names.group_node, there))
    return replace(item, about=tuple([id for id in item.about if id in known]))


def _action(state: Battle, active: Activation, about: tuple[NodeId, ...]) -> scene.StackItem:
    action = Text(f"op.action.{active.action or 'power'}")
    title = text("op.stack.action", unit=names.unit(state, active.unit), action=action)
    lines = [
        text(
            "op.stack.blow",
            weapon=names.blow(state, blow),
            attacks=blow.attacks,
            hits=blow.hits,
            stopped=blow.stopped,
            blocked=blow.blocked,
            wounds=blow.wounds,
        )
        for blow in state.blows
    ]
    return scene.StackItem(title, lines=tuple(lines), about=about)


def _round(state: Battle) -> Iterator[Part]:
    yield part(ROUND, (state.round,), scene.Counter, text("op.counter.round"), state.round, rounds.ROUNDS)


_SECTIONS: Final = Sections[Battle](
    ("ground", "resolved features", _grounds),
    ("zones", "phase seats", _zones),
    ("sheets", "resolved", kit.sheets_of(sheets.unit)),
    ("units", "units figures features active", _units),
    ("seats", "units figures seats acting active phase ended", _seats),
    ("round", "round", _round),
    ("stack", "active blows units", _stack),
)
