"""Meetings with hidden enemies, on ways and at places (AE-SETUP-04)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from engine.kit.rules import Game, implements
from engine.rulesets.apocalypse_earth.rules.table import hiding, stands, traits
from engine.rulesets.apocalypse_earth.state.state import Battle
from engine.rulesets.apocalypse_earth.state.turn_events import FiguresMoved
from engine.space.terrain.contact import Base
from engine.space.terrain.footprints import Footprint
from engine.space.vectors.paths import all_at_share, path_between, path_length
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId

SCAN: Final = 25
"""Hundredths of a way between the places at which hidden enemies are looked for."""
Meetings = Mapping[int, Sequence[GroupId]]
"""Hidden enemies that come to light on a move, by the distance along its way."""
Ways = Mapping[FigureId, Sequence[Point]]


def discs(places: Mapping[FigureId, Point]) -> list[Base]:
    """Return the bases of figures at their places."""
    return [Base(id, at, traits.RADIUS) for id, at in places.items()]


@implements("AE-SETUP-04")
def along(state: Battle, owner: int, length: int, bases: Callable[[int], Iterable[Base]]) -> Meetings:
    """Return the hidden enemies of a seat that come to light on a way of this length. `bases`: of those who move, so
    far along it."""
    hidden = {one.id for one in state.standing() if one.hidden and state.hostile(one.owner, owner)}
    found: dict[int, list[GroupId]] = {}
    for part in (*range(SCAN, length, SCAN), length) if hidden else ():
        shown = [id for id in hiding.met_by(state, owner, bases(part)) if id in hidden]
        if shown:
            hidden.difference_update(shown)
            found[part] = shown
    return found


@implements("AE-SETUP-04", "AE-MOVE-01")
def goes_on(room: stands.StandRoom, ways: Ways, parts: tuple[int, int], length: int) -> bool:
    """Tell if figures may go on along their ways from one share of them to another, by their room now that a hidden
    enemy has come to light."""

    def is_free(way: Sequence[Point]) -> bool:
        return room.is_free(way[0], path_between(way, *[path_length(way) * part // length for part in parts]))

    return all(is_free(way) for way in ways.values())


@implements("AE-SETUP-04")
def move(game: Game[Battle], id: GroupId, ways: Ways, why: str) -> bool:
    """Move figures of a unit by the rules along their ways: hidden enemies that they come too near to are revealed
    there, and they go on if that stays legal. Return True where they came to the end."""
    gone = {figure: way for figure, way in ways.items() if way[-1] != way[0]}
    owner, length, done = game.state.units[id].owner, max(map(path_length, gone.values()), default=0), 0
    met = along(game.state, owner, length, lambda part: discs(all_at_share(gone, part, length))) if gone else {}
    for halt in sorted({*met, length}) if gone else ():
        if done and not goes_on(stands.StandRoom(game.state, game.state.units[id]), gone, (done, halt), length):
            return False
        game.emit(FiguresMoved(id, all_at_share(gone, halt, length), why))
        for hidden in met.get(halt, ()):
            hiding.reveal(game, hidden, "met")
        done = halt
    return True


def _around(base: Footprint) -> Base:
    """Return a base, or the disc around that of a vehicle."""
    return base if isinstance(base, Base) else Base(base.id, base.at, base.radius_around)


@implements("AE-SETUP-04")
def look(game: Game[Battle], id: GroupId) -> None:
    """Reveal the hidden enemies that a unit stands too near to where it has just been placed: it stays there, and one
    that would hide itself is revealed, too."""
    unit = game.state.units[id]
    met = hiding.met_by(game.state, unit.owner, map(_around, traits.bases(game.state, unit)))
    for hidden in (*met, id) if met else ():
        hiding.reveal(game, hidden, "met")
