"""Forward Aid Posts, and men down who are at medical aid (AE-CAS-02)."""

from __future__ import annotations

from typing import Final

from engine.core.rules.node_ids import local_id
from engine.core.rules.questions import pick_one
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.apocalypse_earth.rules.table import ground, traits, zones
from engine.rulesets.apocalypse_earth.state import names, profiles
from engine.rulesets.apocalypse_earth.state.captive_events import PostMarked
from engine.rulesets.apocalypse_earth.state.lasting import AidPost, Wounded
from engine.rulesets.apocalypse_earth.state.model import Feature, Point
from engine.rulesets.apocalypse_earth.state.state import TABLE, Battle
from engine.space.terrain.gaps import outlines_gap
from engine.space.vectors.outlines import contains
from engine.space.vectors.points import box_of, middle_of, squared, within
from protocol.scene.fields import Option
from protocol.text import text

POST: Final = "ae.post"
BY_MEDIC: Final = 300
ZONE: Final = 1200
"""AE-CAS-02: greatest distance of a post from its zone."""
WORTH, DEAR = 4, 12
"""AE-OPEN-27: points for a man at medical aid, and for an officer."""
SECOND_BEST: Final = ("rubble", "ruins", "woods", "hill", "steep_hill")


@implements("AE-CAS-02", "AE-OPEN-26")
def is_safe(state: Battle, man: Wounded) -> bool:
    """Tell if a man down is at medical aid: treated, near a medic of his force who is not hidden, or at its Forward Aid
    Post."""
    seat, at = state.units[man.unit].owner, state.figures[man.figure].at
    post = state.posts.get(seat)
    if man.aided or (post is not None and _is_at(state, post, at)):
        return True
    shown = [unit for unit in state.own(seat) if unit.where == TABLE and not unit.hidden]
    medics = [id for unit in shown for id in traits.bearers(state, unit, profiles.MEDIC)]
    return any(within(state.figures[id].at, at, BY_MEDIC + 2 * traits.RADIUS) for id in medics)


def _is_at(state: Battle, post: AidPost, at: Point) -> bool:
    piece = next((one for one in state.features if one.id == post.feature), None)
    return within(post.at, at, BY_MEDIC) or (piece is not None and contains(at, piece.outline))


@implements("AE-OPEN-27", "AE-CAS-02")
def points(state: Battle, side: int) -> int:
    """Return the points of a side for its men at medical aid."""
    own = [man for man in state.wounded if state.side(state.units[man.unit].owner) == side and is_safe(state, man)]
    return sum(DEAR if traits.figure_has(state, state.figures[man.figure], profiles.OFFICER) else WORTH for man in own)


@implements("AE-CAS-02", "AE-TURN-03")
async def mark_posts(game: Game[Battle]) -> None:
    """Ask every seat for its Forward Aid Post, where the table plays so: a piece of terrain near its zone, or the
    middle of the zone."""
    for seat in game.state.players if game.state.resolved.options.casualties else ():
        middle = middle_of(box_of(zones.zone_of(game.state, seat).outline))
        found = {piece.id: middle_of(box_of(piece.outline)) for piece in places_for_post(game.state, seat)}
        if not found:
            game.emit(PostMarked(seat, AidPost("", middle)))
            continue
        options = [Option(names.feature_node(id), names.feature(game.state, id)) for id in found]
        usual = min(found, key=lambda id: squared(found[id], middle))
        ask = pick_one(text("ae.ask.post"), options, names.feature_node(usual), "AE-CAS-02")
        chosen = local_id(await game.ask(Seat(seat), ask, POST))
        game.emit(PostMarked(seat, AidPost(chosen, found[chosen])))


@implements("AE-CAS-02")
def places_for_post(state: Battle, seat: int) -> list[Feature]:
    """Return the pieces that may be a seat's post: buildings in or near its zone, or else other covered ground."""
    zone = zones.zone_of(state, seat).outline
    near = [
        piece
        for piece in state.features
        if not state.resolved.terrain[piece.kind].line and outlines_gap(piece.outline, zone) <= ZONE
    ]
    houses = [piece for piece in near if ground.terrain(state, piece.id).building]
    return houses or [piece for piece in near if piece.kind in SECOND_BEST]
