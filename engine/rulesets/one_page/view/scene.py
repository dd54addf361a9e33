"""The scene that everyone sees, node by node: this game has no secrets.

A part's key holds the objects of the state that its node is made from: the node is made again only where one of them is
another object.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.rules.system import Part, PartOrSection, Section
from engine.rulesets.one_page.rules import deployment, ground, rounds, scoring, traits
from engine.rulesets.one_page.state import names, profiles as rules
from engine.rulesets.one_page.state.state import ABOARD, GONE, JOINED, RESERVE, TABLE, Battle, Figure, Unit
from engine.rulesets.one_page.view import sheets
from engine.space.vectors.outlines import outline_of
from protocol.ids import NodeId
from protocol.scene import nodes as scene
from protocol.text import Text, text

ROUND, ACTION = NodeId("counter/round"), names.stack_node("action")
GLYPHS = {"hero": "hero", "psyker": "psyker", "monster": "monster", "walker": "walker", "vehicle": "vehicle"}


def public(state: Battle) -> Iterator[PartOrSection]:
    """Yield the scene that everyone sees."""
    resolved = state.resolved
    yield Section("ground", (resolved, state.features), partial(_ground, state))
    yield Section("zones", (state.phase, state.seats), partial(_zones, state))
    yield Section("sheets", (resolved,), partial(_sheets, state))
    aboard = tuple([unit for unit in state.units.values() if unit.where == ABOARD])
    active = state.active.unit if state.active is not None else ""
    for unit in state.units.values():
        if unit.where not in (JOINED, GONE):
            models = [state.figures[id] for id in unit.figures]
            carried = aboard if any(rider.vessel == unit.id for rider in aboard) else ()
            key = (unit, unit.id == active, state.features, *carried, *models)
            yield Section(f"unit/{unit.id}", key, partial(_unit, state, unit, active=unit.id == active))
    yield Section("seats", (state.units, state.figures, state.seats), partial(_seats, state))
    yield Part(ROUND, (state.round,), lambda: scene.Counter(text("op.counter.round"), state.round, rounds.ROUNDS))
    yield from _stack(state)
    if state.ended:
        yield Part(scene.RESULT_NODE, (state.ended,), partial(scoring.final, state))


def _ground(state: Battle) -> Iterator[Part]:
    scenario = state.resolved.scenario
    yield Part(scene.TABLE_NODE, (state.resolved,), lambda: scene.Table(scenario.size, "in", scenario.ground))
    for feature in state.features:
        yield Part(names.feature_node(feature.id), (feature,), partial(_feature, state, feature.id))


def _feature(state: Battle, id: str) -> scene.Feature:
    feature = next(feature for feature in state.features if feature.id == id)
    kind = ground.terrain(state, id)
    told = (("difficult", kind.difficult), ("impassable", kind.impassable), ("mined", kind.mined))
    return scene.Feature(
        feature.outline,
        kind.id,
        Text(kind.name),
        line=kind.line,
        cover="cover" if kind.cover else "",
        blocks=kind.blocks,
        states=tuple([word for word, holds in told if holds]),
    )


def _zones(state: Battle) -> Iterator[Part]:
    """Yield the deployment zones until the battle begins."""
    if state.phase in ("deploy", "scouts"):
        for seat in range(len(state.seats)):
            yield Part(names.zone_node(f"start.{seat}"), (state.seats[seat].side,), partial(_zone, state, seat))


def _zone(state: Battle, seat: int) -> scene.Zone:
    return scene.Zone("deployment", outline_of(deployment.zone(state, seat)), owner=seat, name=names.army(state, seat))


def _sheets(state: Battle) -> Iterator[Part]:
    for seat, force in enumerate(state.resolved.forces):
        for entry in range(len(force.units)):
            yield Part(names.sheet_node(seat, entry), (state.resolved,), partial(sheets.unit, state, seat, entry))


def _unit(state: Battle, unit: Unit, *, active: bool) -> Iterator[Part]:
    models = [state.figures[id] for id in unit.figures]
    yield Part(
        names.group_node(unit.id), (unit, active, state.features, *models), partial(_group, state, unit, active=active)
    )
    if unit.where == TABLE:
        riders = sum(len(rider.figures) for rider in state.riders(unit.id))
        for figure in models:
            key = (figure, figure.id == unit.leader, riders)
            yield Part(names.piece_node(figure.id), key, partial(_piece, state, unit, figure, riders))


def _group(state: Battle, unit: Unit, *, active: bool) -> scene.Group:
    told = (
        ("acting", active),
        ("done", unit.done),
        ("pinned", unit.pinned),
        ("shaken", unit.shaken > 0),
        ("tracked", unit.tracked),
        ("in_reserve", unit.where == RESERVE),
        ("aboard", unit.where == ABOARD),
        ("in_cover", unit.where == TABLE and ground.piece_of(state, unit) is not None),
        ("fearless_now", rules.FEARLESS in unit.effects),
    )
    status = [word for word, holds in told if holds]
    status += [effect for effect in dict.fromkeys(unit.effects) if effect != rules.FEARLESS]
    pieces = tuple(map(names.piece_node, unit.figures)) if unit.where == TABLE else ()
    sheet = names.sheet_node(unit.owner, unit.entry)
    return scene.Group(unit.owner, names.unit(state, unit.id), pieces, sheet, tuple(status))


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
    standing = (state.units, state.figures, state.seats)
    for seat, own in enumerate(state.seats):
        yield Part(names.seat_node(seat), standing, partial(_seat, state, seat))
        yield Part(names.power_node(seat), (own,), partial(_dice, state, seat))


def _seat(state: Battle, seat: int) -> scene.SeatNode:
    alive = any(state.own(seat))
    return scene.SeatNode(names.army(state, seat), seat, scoring.score(state, seat), alive, () if alive else ("out",))


def _dice(state: Battle, seat: int) -> scene.Counter:
    return scene.Counter(text("op.counter.power", army=names.army(state, seat)), state.seats[seat].dice)


def _stack(state: Battle) -> Iterator[Part]:
    """Yield the acting unit, with what its weapons have done so far."""
    active = state.active
    if active is not None and (active.action or state.blows):
        there = [id for id in (active.unit, active.target) if id and state.units[id].where not in (JOINED, GONE)]
        about = tuple(map(names.group_node, there))
        yield Part(ACTION, (active, state.blows, about), partial(_action, state, about))


def _action(state: Battle, about: tuple[NodeId, ...]) -> scene.StackItem:
    active = state.active
    assert active is not None
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
