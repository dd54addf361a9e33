"""The scene, node by node: what everyone sees, and what one side knows of its hidden units and its support cards.

A part's key holds the objects of the state that its node is made from: the node is made again only where one of them is
another object. A hidden unit has a group without pieces for all; for its side a group with pieces stands over it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.implements import implements
from engine.core.rules.node_ids import feature_node, objective_node, seat_node, sheet_node, zone_node
from engine.core.rules.sides import allies_of
from engine.core.rules.system import Part, PartOrSection
from engine.kit.present import scene as kit
from engine.kit.present.scene import Sections, Statuses, part
from engine.kit.units import ABOARD, GONE, TABLE
from engine.rulesets.apocalypse_earth.rules.scenario import aid_posts, scoring
from engine.rulesets.apocalypse_earth.rules.table import ground, traits, zones
from engine.rulesets.apocalypse_earth.rules.turns import turns
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.lasting import Wounded
from engine.rulesets.apocalypse_earth.state.model import Feature, Terrain
from engine.rulesets.apocalypse_earth.state.profiles import VehicleProfile, Weapon
from engine.rulesets.apocalypse_earth.state.state import (
    BATTLE,
    COMING,
    DEPLOY,
    INFILTRATE,
    NOBODY,
    Battle,
    Figure,
    Unit,
)
from engine.rulesets.apocalypse_earth.view import sheets
from protocol.ids import NodeId
from protocol.scene import nodes as scene
from protocol.text import Text, text

TURN: Final = NodeId("counter/turn")
EXIT: Final = 200
"""Width of the strip that marks an exit, into the table."""
ROLES: Final = (profiles.OFFICER, profiles.SECOND, profiles.RADIO, profiles.MEDIC, profiles.MECHANIC)
"""Abilities that a figure is marked by."""

GROUND: Final = Statuses(
    ("burning", "burning", lambda state, piece, kind: piece.id in ground.burning(state)),
    ("difficult", "difficult ground", lambda state, piece, kind: kind.difficult),
    ("impassable", "impassable", lambda state, piece, kind: kind.impassable),
    ("foliage", "dense foliage", lambda state, piece, kind: kind.foliage),
    ("blocks", "no sight over it", lambda state, piece, kind: kind.blocks),
)
UNIT: Final = Statuses(
    ("acting", "acting", lambda state, unit: unit.id == state.acts),
    ("done", "has acted", lambda state, unit: unit.acted),
    ("fired", "has fired", lambda state, unit: unit.fired),
    ("suppressed", "suppressed", lambda state, unit: unit.suppressed),
    ("overwatch", "on overwatch", lambda state, unit: unit.overwatch),
    ("engaged", "in close combat", lambda state, unit: state.combat_of(unit.id) is not None),
    ("hidden", "hidden", lambda state, unit: unit.hidden),
    ("aboard", "aboard", lambda state, unit: unit.where == ABOARD),
    ("coming", "comes in later", lambda state, unit: unit.where == COMING),
    ("shaken_crew", "crew shaken", lambda state, unit: unit.hull.shaken),
    ("leader", "leader"),
    ("shaken", "suppressed singly"),
    ("down", "wounded"),
    ("aided", "treated"),
    (kit.OUT, "beaten"),
)


@implements("AE-GEN-06")
def private(state: Battle, seat: Seat) -> Sequence[PartOrSection]:
    """Return what the side of a seat knows alone: its hidden units, over their public nodes, and its support cards
    until the end opens them."""
    own = allies_of(state.sides, seat)
    hidden = [unit for unit in state.units.values() if unit.hidden and unit.owner in own]
    shown: list[PartOrSection] = [part for unit in hidden for part in _hidden_unit(state, unit)]
    return shown if state.ended else [*shown, *_cards(state, own)]


def _cards(state: Battle, seats: Iterable[int]) -> Iterator[Part]:
    """Yield the support cards that some seats hold, by kind."""
    for seat in seats:
        for card, count in Counter(state.support[seat]).items():
            id, kind = NodeId(f"counter/card.{seat}.{card}"), Text(state.resolved.cards[card].name)
            name = text("ae.counter.card", card=kind, army=names.army(state, seat))
            yield part(id, (state.support[seat],), scene.Counter, name, count)


@implements("AE-GEN-06")
def _opened(state: Battle) -> Iterator[Part]:
    """Yield the support cards that are left, which the end opens."""
    if state.ended:
        yield from _cards(state, state.players)


def _feature(state: Battle, piece: Feature, kind: Terrain) -> scene.Feature:
    cover = "" if kind.cover_throughout == "open" else kind.cover
    return kit.feature(piece, kind, kind.name, cover, GROUND.of(state, piece, kind))


GROUNDS: Final = kit.grounds("cm", _feature, ground.burning)
"""The table, and the terrain that lies on it."""


def _zones(state: Battle) -> Iterator[Part]:
    """Yield the deployment zones until the battle begins."""
    for seat, own in enumerate(state.seats if state.phase in (DEPLOY, INFILTRATE) else ()):
        if own.zone != NOBODY:
            name, outline = text("ae.zone.start", army=names.army(state, seat)), zones.zone_of(state, seat).outline
            start = zone_node(f"start.{seat}")
            yield part(start, (own.zone,), scene.Zone, "deployment", outline, owner=seat, name=name)


def _exits(state: Battle) -> Iterator[Part]:
    """Yield the stretches of edge by which seats leave the table."""
    for seat, plan in enumerate(state.resolved.scenario.seats):
        if plan.leaves:
            yield exit_part(state, seat, text("ae.zone.exit", army=names.army(state, seat)))


def exit_part(state: Battle, seat: int, name: Text) -> Part:
    """Return the stretch of edge by which a seat leaves the table, under this name."""
    leaves = state.resolved.scenario.seats[seat].leaves
    points = (*leaves, *[(x - EXIT, y) for x, y in reversed(leaves)])
    return part(zone_node(f"exit.{seat}"), (state.resolved,), scene.Zone, "exit", points, owner=seat, name=name)


def objectives(state: Battle) -> Iterator[Part]:
    """Yield the places to be held, each in the colour of the side that holds it."""
    for objective in state.resolved.scenario.objectives:
        side, pays = scoring.holder(state, objective), "each" if objective.worth else "turns"
        key = f"ae.objective.{pays}" if objective.each else "ae.objective"
        name = text(key, name=Text(f"ae.prize.{objective.id}"), each=objective.each, points=objective.worth)
        owner = NOBODY if side == NOBODY else state.seats_of(side)[0]
        about = ("objective", (), objective.at, scoring.HOLDS, owner, name)
        yield part(zone_node(f"objective.{objective.id}"), (side,), scene.Zone, *about)


def _prizes(state: Battle) -> Iterator[Part]:
    """Yield what each seat's side may earn beside enemy units."""
    for seat in state.players:
        for prize in state.resolved.scenario.prizes:
            if state.side(seat) in (prize.side, prize.otherwise) or prize.side == prize.otherwise == NOBODY:
                says = text(f"ae.prize.kind.{prize.what}", points=prize.points, figures=prize.figures)
                node = scene.Objective(seat, Text(f"ae.prize.{prize.id}"), says, kind=prize.what, points=prize.points)
                about = tuple(map(feature_node, prize.features))
                yield part(objective_node(seat, prize.id), (state.resolved,), replace, node, about=about)


def _dangers(state: Battle) -> Iterator[Part]:
    """Yield smoke, prisoners, and artillery on its way."""
    for cloud in state.clouds:
        name = text("ae.zone.smoke", turn=cloud.until)
        yield part(zone_node(f"smoke.{cloud.id}"), (cloud,), scene.Zone, "smoke", (), cloud.at, cloud.radius, name=name)
    for group in state.prisoners:
        name = text("ae.zone.prisoners", count=len(group.figures), unit=names.unit(state, group.unit))
        at = state.figures[group.figures[0]].at
        yield part(zone_node(f"prisoners.{group.unit}"), (group, at), scene.Zone, "held", (), at, 200, name=name)
    for number, mission in enumerate(state.missions):
        card = state.resolved.cards[mission.card]
        name = text("ae.zone.mission", card=Text(card.name), army=names.army(state, mission.seat))
        about = ("blast", (), mission.at, card.template.circle, mission.seat, name)
        yield part(zone_node(f"mission.{number}"), (mission,), scene.Zone, *about)


@implements("AE-GEN-06")
def _lying(state: Battle) -> Iterator[Part]:
    """Yield what lies on the table: men down, radio sets and guns whose figures have fallen, and aid posts."""
    for man in state.wounded:
        figure = state.figures[man.figure]
        yield part(names.piece_node(figure.id), (man, figure), _man_down, state, man, figure)
    for unit, at in state.radio_sets.items():
        if state.units[unit].where != GONE:
            name = text("ae.zone.radio", unit=names.unit(state, unit))
            about = ("radio", (), at, traits.RADIUS, state.units[unit].owner, name)
            yield part(zone_node(f"radio.{unit}"), (at,), scene.Zone, *about)
    for number, gun in enumerate(state.guns):
        if state.units[gun.unit].where != GONE:
            weapon = Text(state.resolved.weapons[gun.weapon].name)
            name = text("ae.zone.gun", weapon=weapon, unit=names.unit(state, gun.unit))
            about = ("gun", (), gun.at, traits.RADIUS, state.units[gun.unit].owner, name)
            yield part(zone_node(f"gun.{number}"), (gun,), scene.Zone, *about)
    for seat, post in state.posts.items():
        piece = next((one for one in state.features if one.id == post.feature), None)
        place = ((), post.at, aid_posts.BY_MEDIC) if piece is None else (piece.outline, None, 0)
        name = text("ae.zone.post", army=names.army(state, seat))
        yield part(zone_node(f"post.{seat}"), (post, piece), scene.Zone, "aid", *place, seat, name)


def _man_down(state: Battle, man: Wounded, figure: Figure) -> scene.Piece:
    """Return a man down, who belongs to no group on the table."""
    name = text("ae.piece.down", figure=names.figure(state, figure.id), unit=names.unit(state, man.unit))
    status = ("down", "aided") if man.aided else ("down",)
    return scene.Piece(figure.at, traits.RADIUS, figure.owner, name=name, glyph="stitched-wound", status=status)


def _open_group(state: Battle, unit: Unit, pieces: tuple[NodeId, ...]) -> scene.Group:
    return _group(state, replace(unit, overwatch=False) if unit.hidden else unit, pieces)


def _hidden_unit(state: Battle, unit: Unit) -> Iterator[Part]:
    """Yield a hidden unit as its side sees it."""
    pieces = tuple(map(names.hidden_node, unit.figures))
    yield part(names.group_node(unit.id), (unit, unit.id == state.acts), _group, state, unit, pieces)
    for figure in state.members(unit):
        key = (figure, figure.id == unit.leader)
        yield part(names.hidden_node(figure.id), key, _piece, state, unit, figure, 0)


def _group(state: Battle, unit: Unit, pieces: tuple[NodeId, ...]) -> scene.Group:
    lasting = [*(effect.power for effect in unit.effects), *unit.hull.kinds]
    status = (*UNIT.of(state, unit), *dict.fromkeys(lasting))
    return scene.Group(unit.owner, names.unit(state, unit.id), pieces, sheet_node(f"{unit.owner}.{unit.entry}"), status)


def _piece(state: Battle, unit: Unit, figure: Figure, riders: int) -> scene.Piece:
    profile = state.profile(unit)
    group, name = names.group_node(unit.id), names.figure(state, figure.id)
    if isinstance(profile, VehicleProfile):
        counters, box = {"aboard": riders} if riders else {}, (profile.length, profile.width)
        glyph = profile.glyph or profile.kind
        half = profile.width // 2
        return scene.Piece(figure.at, half, figure.owner, group, name, glyph, figure.facing, counters, (), box)
    leads = figure.id == unit.leader
    marks = [word for word, holds in (("leader", leads), ("shaken", figure.shaken)) if holds]
    return scene.Piece(figure.at, traits.RADIUS, figure.owner, group, name, _glyph(state, figure), 0, {}, tuple(marks))


def _glyph(state: Battle, figure: Figure) -> str:
    """Return the glyph of a figure: its role, its gift, or the dearest weapon that it has left."""
    role = next((role for role in ROLES if traits.figure_has(state, figure, role)), "")
    profile = state.figure_profile(figure)
    if role or (profile is not None and profile.psi):
        return role or "psyker"
    return dearest(state.weapons_of(figure))


def dearest(weapons: Iterable[Weapon]) -> str:
    """Return the glyph of the dearest of some weapons that has one; a soldier's where none has."""
    found = max((weapon for weapon in weapons if weapon.glyph), key=lambda weapon: weapon.price, default=None)
    return found.glyph if found is not None else "soldier"


def _seats(state: Battle) -> Iterator[Part]:
    """Yield all seats, each with the points that its side would have now."""
    standing = (state.board, state.earned, state.seats, state.acting, state.active, state.phase, state.turn)
    for seat in state.players:
        yield part(seat_node(seat), standing, _seat, state, seat)
        cards = NodeId(f"pile/support.{seat}")
        if state.support[seat]:
            name = text("ae.pile.support", army=names.army(state, seat))
            yield part(cards, (len(state.support[seat]),), scene.Pile, name, len(state.support[seat]))


def _seat(state: Battle, seat: int) -> scene.SeatNode:
    side = state.side(seat)
    points, scored = scoring.score(state, side), scoring.scored(state, side)
    alive, shown = any(state.own(seat)), side if state.sides else -1
    node = kit.seat(names.army(state, seat), seat, points, alive=alive, side=shown, scored=scored)
    if state.phase != BATTLE or state.ended:
        return node
    following = turns.next_seat(state, state.acting) == seat
    return replace(node, left=len(turns.waiting(state, seat)), next=following)


def _turn(state: Battle) -> Iterator[Part]:
    turns_all = state.resolved.scenario.turns
    yield part(TURN, (state.turn,), scene.Counter, text("ae.counter.turn"), state.turn, turns_all)
    for side in state.order if state.phase == BATTLE else ():
        if state.sides and state.air:
            name = text("ae.counter.air", army=names.army(state, state.seats_of(side)[0]))
            yield part(NodeId(f"counter/air.{side}"), (state.air,), scene.Counter, name, state.air.get(side, 0))


_UNITS: Final = kit.units_of(
    lambda unit: unit.where != GONE,
    lambda unit: unit.where == TABLE and not unit.hidden,
    _open_group,
    _piece,
    lambda state, unit: (state.combat_of(unit.id),),
)
_SECTIONS: Final = Sections[Battle](
    ("ground", "resolved features fires", GROUNDS),
    ("zones", "phase seats", _zones),
    ("objectives", "units figures features", objectives),
    ("exits", "resolved", _exits),
    ("prizes", "resolved", _prizes),
    ("dangers", "clouds missions prisoners figures", _dangers),
    ("lying", "wounded posts radio_sets guns units figures features", _lying),
    ("sheets", "resolved", kit.sheets_of(sheets.unit)),
    ("units", "units figures active combats", _UNITS),
    ("seats", "units figures seats acting active phase turn earned support ended", _seats),
    ("opened", "support ended", _opened),
    ("turn", "turn phase air order", _turn),
)
public: Final = _SECTIONS.with_result(scoring.final)
