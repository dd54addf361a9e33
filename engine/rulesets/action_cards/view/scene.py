"""Scene of the table: the public nodes, and what each seat alone may know.

A part's key holds the objects of the state that its node is made from: only where one of them is another object is the
node made again. Hidden are the order of the deck, and which secret conditions a seat has been dealt: that it has some
is public from the start, fixed, and stays so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import Final

from engine.core.rules.audience import Seat
from engine.core.rules.system import Part, PartOrSection, Section
from engine.rulesets.action_cards.rules.board import cover, table, weather
from engine.rulesets.action_cards.rules.cards import cards
from engine.rulesets.action_cards.rules.scenario import conditions, ending
from engine.rulesets.action_cards.rules.scenario.conditions import ConditionStatus
from engine.rulesets.action_cards.rules.special_actions import specials
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.model import Condition, Point, Special
from engine.rulesets.action_cards.state.state import Danger, Ride, Skirmish
from engine.rulesets.action_cards.view import sheets, stack, vehicle_scene
from protocol.ids import GroupId, NodeId
from protocol.scene import nodes as scene
from protocol.text import Text, text

DECK, DISCARD = NodeId("pile/deck"), NodeId("pile/discard")
TURN, RESHUFFLES = NodeId("counter/turn"), NodeId("counter/reshuffles")


def public(state: Skirmish) -> Iterable[PartOrSection]:
    """Return the scene that everyone sees."""
    # a part of its own: it changes with every action
    row = Part(scene.ROW_NODE, (state.row, state.current, state.left, state.lasting), partial(_row, state))
    shown: list[PartOrSection] = [Section("all", _ALL(state), partial(_sections, state)), row]
    if state.ending is not None:
        shown.append(Part(scene.RESULT_NODE, (state.ending,), partial(ending.final, state)))
    return shown


def private(state: Skirmish, seat: Seat) -> Sequence[Part]:
    """Return the parts for this seat only: the secret conditions dealt to it. The first stands over the public
    placeholder."""
    secrets = state.seats[seat].secrets
    if not secrets:
        return ()
    by_id = {one.condition.id: one for one in conditions.statuses(state, seat)}
    return [
        _objective_part(state, seat, names.objective_node(seat, id if number else "hidden"), by_id[id])
        for number, id in enumerate(secrets)
    ]


def _table(state: Skirmish) -> scene.Table:
    scenario = state.resolved.scenario
    return scene.Table(scenario.size, "in", scenario.ground)


def _grounds(state: Skirmish) -> Iterator[Part]:
    """Yield the table, terrain that is still there, and marked areas."""
    resolved = state.resolved
    yield Part(scene.TABLE_NODE, (resolved,), partial(_table, state))
    for feature in resolved.scenario.features:
        if feature.id not in state.gone or feature.id in state.ruined:
            key = (resolved, feature.id in state.opened, feature.id in state.markers, feature.id in state.ruined)
            yield Part(names.feature_node(feature.id), key, partial(_feature, state, feature.id))
    for number, zone in enumerate(resolved.scenario.zones):
        yield Part(names.zone_node(zone.id), (resolved,), partial(_zone, state, number))
    for seat in range(len(state.seats)):
        yield Part(names.zone_node(f"start.{seat}"), (resolved,), partial(_start, state, seat))


def _feature(state: Skirmish, id: str) -> scene.Feature:
    feature, kind = table.feature(state, id), table.kind(state, id)
    states = [word for word, given in (("opened", state.opened), ("marked", state.markers)) if id in given]
    return scene.Feature(
        feature.outline,
        kind.id,
        Text(feature.name),
        line=kind.line,
        cover=kind.cover,
        blocks=kind.blocks,
        states=tuple(states),
    )


def _zone(state: Skirmish, number: int) -> scene.Zone:
    zone = state.resolved.scenario.zones[number]
    return scene.Zone("objective", zone.outline, name=Text(zone.name))


def _start(state: Skirmish, seat: int) -> scene.Zone:
    role = state.resolved.scenario.roles[seat]
    return scene.Zone("deployment", role.start, owner=seat, name=Text(role.name))


def _reserves(state: Skirmish) -> Iterator[Part]:
    """Yield the zones at which groups are yet to come on: one for all that come to the same place."""
    roles = state.resolved.scenario.roles
    found: dict[tuple[int, tuple[Point, ...]], list[Ride]] = {}
    for ride in state.aboard.values():
        if ride.due:
            outline = roles[ride.group.owner].reserves[ride.place].start
            found.setdefault((ride.group.owner, outline), []).append(ride)
    for (seat, outline), rides in found.items():
        rows = sorted(ride.due for ride in rides)
        key = (state.resolved, *rows)
        id = names.zone_node(f"reserve.{seat}.{min(ride.place for ride in rides)}")
        yield Part(id, key, partial(_reserve, state, seat, outline, rows))


def _reserve(state: Skirmish, seat: int, outline: tuple[Point, ...], rows: list[int]) -> scene.Zone:
    words = "zone.reserve" if len(set(rows)) == 1 else "zone.reserves"
    name = text(words, faction=names.faction(state, seat), groups=len(rows), row=rows[0])
    return scene.Zone("deployment", outline, owner=seat, name=name)


def _dangers(state: Skirmish) -> Iterator[Part]:
    """Yield dangers and monsters."""
    for danger in state.dangers:
        yield Part(names.zone_node(danger.id), (danger,), partial(_danger, state, danger))
        if danger.kill:
            yield Part(names.monster_node(danger.id), (danger,), partial(_monster, state, danger))


def _danger(state: Skirmish, danger: Danger) -> scene.Zone:
    name = names.event(state, danger.event)
    if danger.kill:
        name = text("zone.monster", event=name, wounds=danger.wounds)
    return scene.Zone("danger", at=danger.at, radius=danger.radius, name=name)


def _monster(state: Skirmish, danger: Danger) -> scene.Piece:
    wounds = {"wounds": danger.wounds}
    return scene.Piece(danger.at, danger.base, name=names.event(state, danger.event), glyph="monster", counters=wounds)


def _forces(state: Skirmish) -> Iterator[PartOrSection]:
    """Yield groups and their figures. The cover of a group follows from where its figures stand."""
    locked = {id for combat in state.combats for id in combat.groups}
    figures, free, markers, gone = state.figures, state.free_moves, state.markers, state.gone
    yield from vehicle_scene.parts(state)
    board = table.board(state)
    for id, group in state.groups.items():
        is_locked = id in locked
        carried = state.aboard if board.vehicle(id) is not None else None
        standing = [figures[figure] for figure in group.figures]
        key = (group, is_locked, free.get(id, 0), id in markers, gone, carried, *standing)
        yield Section(id, key, partial(_force, state, id, key, carried, locked=is_locked))
    for id, ride in state.aboard.items():
        yield Section(id, (ride,), partial(vehicle_scene.aboard, state, ride))


def _force(state: Skirmish, id: GroupId, key: tuple[object, ...], carried: object, *, locked: bool) -> Iterator[Part]:
    group = state.groups[id]
    yield Part(names.group_node(group.id), key, partial(_group, state, group.id, locked=locked))
    for figure in [state.figures[id] for id in group.figures]:
        shown = partial(vehicle_scene.piece, state, figure, group.id)
        yield Part(names.piece_node(figure.id), (figure, group.id, carried), shown)


def _group(state: Skirmish, id: GroupId, *, locked: bool) -> scene.Group:
    group = state.groups[id]
    protection = cover.group_cover(state, id)
    told = (
        ("locked", locked),
        ("stunned", group.stunned),
        ("dug_in", group.dug),
        ("free_move", bool(state.free_moves.get(id))),
        ("marked", id in state.markers),
        ("loaded", any(ride.vehicle in group.figures for ride in state.aboard.values())),
        ("airborne", table.is_airborne(state, id)),
        (f"in_{protection}", protection != "open"),
    )
    status = tuple(word for word, holds in told if holds)
    pieces = tuple(map(names.piece_node, group.figures))
    return scene.Group(group.owner, names.group(state, id), pieces, vehicle_scene.sheet_of(state, group), status)


def _seat_part(state: Skirmish, seat: int) -> Part:
    """Build the node of a seat. Its score counts open conditions only, as if the game ended now."""
    own = state.seats[seat]
    points = sum([s.condition.points for s in conditions.statuses(state, seat) if s.met and not s.condition.secret])
    key = (state.resolved, points, own.alive)
    return Part(names.seat_node(seat), key, partial(_seat, state, seat, points, alive=own.alive))


def _seat(state: Skirmish, seat: int, points: int, *, alive: bool) -> scene.SeatNode:
    return scene.SeatNode(names.faction(state, seat), seat, points, alive, () if alive else ("out",))


def _seats(state: Skirmish) -> Iterator[Section]:
    """Yield every seat with its sheet and the conditions that all may know."""
    for seat in range(len(state.seats)):
        key = (state.resolved, conditions.statuses(state, seat), state.seats[seat].alive)
        yield Section(f"side/{seat}", key, partial(_side, state, Seat(seat)))


def _side(state: Skirmish, seat: Seat) -> Iterator[Part]:
    yield _seat_part(state, seat)
    yield Part(names.sheet_node(seat), (state.resolved,), partial(sheets.faction, state, seat))
    yield from _open_objectives(state, seat)


def _open_objectives(state: Skirmish, seat: Seat) -> Iterator[Part]:
    role = state.resolved.scenario.roles[seat]
    for status in conditions.statuses(state, seat)[: len(role.conditions)]:
        yield _objective_part(state, seat, names.objective_node(seat, status.condition.id), status)
    if role.secrets:
        yield Part(names.objective_node(seat, "hidden"), (state.resolved,), partial(_hidden, seat, role.secrets))


def _objective_part(state: Skirmish, seat: Seat, id: NodeId, status: ConditionStatus) -> Part:
    """Build the node of a condition. Its key is the status itself, which changes far less often than the figures it
    counts."""
    key = (state.resolved, status.condition, status.met, status.progress)
    return Part(id, key, partial(_objective, state, seat, status))


def _objective(state: Skirmish, seat: Seat, status: ConditionStatus) -> scene.Objective:
    condition = status.condition
    lost = condition.kind == "survive" and not status.met
    about = [
        *([names.feature_node(condition.feature)] if condition.feature else []),
        *([names.zone_node(condition.zone)] if condition.zone else []),
        *([names.seat_node(condition.seat)] if condition.seat >= 0 else []),
    ]
    for special in state.resolved.scenario.specials:
        if special.id == condition.special or (condition.kind == "falls" and _brings_down(special, condition)):
            about += [NodeId(f"special/{special.id}"), names.feature_node(special.feature)]
    return scene.Objective(
        seat,
        names.condition_text(state, condition, condition.name),
        names.condition_text(state, condition, condition.text),
        "met" if status.met else "failed" if lost else "open",
        status.progress,
        condition.goal,
        condition.secret,
        tuple(about),
    )


def _brings_down(special: Special, condition: Condition) -> bool:
    return special.effect == specials.CLEAR and special.feature == condition.feature


def _hidden(seat: Seat, count: int) -> scene.Objective:
    return scene.Objective(seat, text("objective.hidden"), text("objective.hidden.text", count=count), secret=True)


def _deck(state: Skirmish) -> Iterator[Part]:
    """Yield the piles, and the counters of rows and reshuffles."""
    lying = (state.row, state.discard, state.out)
    yield Part(DECK, lying, partial(_deck_pile, state))
    yield Part(DISCARD, (state.discard,), lambda: scene.Pile(text("pile.discard"), len(state.discard)))
    yield Part(TURN, (state.turn,), lambda: scene.Counter(text("counter.turn"), state.turn))
    yield Part(RESHUFFLES, (state.resolved, state.reshuffles), partial(_reshuffles, state))


def _row(state: Skirmish) -> scene.Row:
    shown = table.board(state).get("row", (state.row, state.lasting), partial(_cards, state))
    return scene.Row(shown, state.turn, state.left)


def _cards(state: Skirmish) -> tuple[scene.Card, ...]:
    shown = [
        scene.Card(
            card.id,
            names.card(state, card),
            card.seat,
            card.kind,
            weather.actions_on(state, card) if card.seat >= 0 else 0,
            card.state,
            names.event_text(state, card.event),
        )
        for card in state.row
    ]
    return tuple(shown)


def _deck_pile(state: Skirmish) -> scene.Pile:
    """Build the deck's pile, which holds all cards that lie nowhere else: counting tells nothing of its order."""
    elsewhere = len(state.discard) + len(state.out) + len(state.row) - state.current
    return scene.Pile(text("pile.deck"), max(0, len(cards.composition(state.resolved)) - elsewhere))


def _reshuffles(state: Skirmish) -> scene.Counter:
    most = state.resolved.scenario.reshuffles
    return scene.Counter(text("counter.reshuffles"), max(0, most - state.reshuffles), most)


_STANDING: Final = ("seats", "figures", "groups", "gone", "aboard")
_GOING_ON: Final = ("happening", "lasting")
_SECTIONS: Final[Sequence[tuple[str, tuple[str, ...], Callable[[Skirmish], Iterable[PartOrSection]]]]] = (
    ("grounds", ("resolved", "gone", "opened", "markers"), _grounds),
    ("forces", ("figures", "groups", "combats", "free_moves", "markers", "gone", "aboard"), _forces),
    ("seats", _STANDING, _seats),
    ("deck", ("row", "discard", "out", "turn", "reshuffles"), _deck),
    ("stack", ("volley", "burst", "combats", "proposal", "markers", "groups", "gone", *_GOING_ON), stack.parts),
    ("dangers", ("dangers",), _dangers),
    ("reserves", ("resolved", "aboard"), _reserves),
)
"""Each with the fields of the state that decide what is in it."""
_FIELDS: Final = dict.fromkeys(field for _, fields, _ in _SECTIONS for field in fields)
_ALL: Final[Callable[[Skirmish], tuple[object, ...]]] = attrgetter(*_FIELDS)


def _sections(state: Skirmish) -> Iterator[PartOrSection]:
    for id, fields, parts in _SECTIONS:
        yield Section(id, tuple([getattr(state, field) for field in fields]), partial(parts, state))
