"""Units not placed by hand: characters that join others, those kept in reserve, and the rest, which the rules place
(OP-UNIT-03, OP-SETUP-03, OP-SR-02)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Gesture, IllegalIntent, Intent, Label, Seat, Verb, forbid, implements, passing
from engine.kit.units import UnitIntent
from engine.rulesets.one_page.rules import casualties, formations, traits
from engine.rulesets.one_page.rules.deployment import areas, facing_of, first_place, room_at, to_place_now
from engine.rulesets.one_page.rules.picking import Choosing, pick, unit_of
from engine.rulesets.one_page.state import profiles as rules
from engine.rulesets.one_page.state.placing_events import UnitJoined, UnitKept, UnitPlaced
from engine.rulesets.one_page.state.state import TABLE, Battle, Unit
from engine.space.vectors.points import Point
from protocol.ids import FigureId, GroupId


class Join(UnitIntent, frozen=True, tag="op.join"):
    """Joining of a character to a unit that is deployed already."""

    host: GroupId


class Keep(UnitIntent, frozen=True, tag="op.keep"):
    """Stay of a unit that can Deep Strike in reserve, or for another round there."""


class DeployRest(Intent, frozen=True, tag="op.deploy_rest"):
    """Placing of all remaining units where there is room."""


@implements("OP-UNIT-03")
def check_join(state: Battle, seat: int, id: GroupId, host: GroupId) -> tuple[Unit, Unit]:
    """Return a character and the unit that it may join: friendly Infantry of the same Quality that is no character
    itself, with no other of its kind. Raises IllegalIntent."""
    unit = state.check_placing(seat, id)
    found = state.units.get(host)
    own = traits.profile(state, unit)
    forbid(state.phase != "deploy" and state.phase != "scouts", "join/deployed")
    forbid(not own.character, "join/no-character")
    if found is None or found.owner != seat or found.where != TABLE or not traits.profile(state, found).infantry:
        raise IllegalIntent("join/no-host")
    theirs = traits.profile(state, found)
    forbid(theirs.character or theirs.quality != own.quality, "join/quality")
    force = state.resolved.forces[seat]
    forbid(any(force.units[entry].profile.kind == own.kind for entry in found.joined), "join/another")
    return unit, found


@implements("OP-UNIT-03", "OP-SETUP-03", "OP-SR-17")
def place_beside(state: Battle, unit: Unit, host: Unit) -> dict[FigureId, Point]:
    """Return the place of a character beside the models of the unit that it joins, which stay where they are. Raises
    IllegalIntent."""
    members = [(figure.id, traits.radius(state, figure)) for figure in state.members(unit)]
    for within in areas(state, unit):
        room = room_at(state, host, state.leader(host).at, within)
        places = formations.COHERENCY.joined(traits.bases(state, host), members, room.fits)
        if places:
            return places
    raise IllegalIntent("place/no-room")


@implements("OP-UNIT-03")
async def join(game: Game[Battle], seat: Seat, join: Join) -> None:
    """Deploy a character as part of a unit; it stands with the unit."""
    unit, host = check_join(game.state, seat, join.unit, join.host)
    places = place_beside(game.state, unit, host)
    before = game.state
    game.emit(UnitJoined(unit.id, host.id), UnitPlaced(host.id, places))
    await casualties.cross_mines(game, before, host.id)


def _hosts(draft: Choosing, unit: Unit) -> list[Unit]:
    """Return the units that a character could join."""
    state, seat = draft.state, draft.seat
    return passing(state.units_of(seat, TABLE), lambda host: check_join(state, seat, unit.id, host.id))


@implements("OP-SR-02")
def may_wait(state: Battle, unit: Unit) -> bool:
    """Tell if a unit may stay in reserve: one with Deep Strike, and for another round any that could arrive now."""
    return state.phase == "reserves" or traits.has(state, unit, rules.DEEP_STRIKE)


@implements("OP-SR-02")
async def keep(game: Game[Battle], seat: Seat, keep: Keep) -> None:
    """Keep a unit with Deep Strike in reserve; one that could arrive waits for another round."""
    unit = game.state.check_placing(seat, keep.unit)
    forbid(not may_wait(game.state, unit), "deploy/no-reserve")
    game.emit(UnitKept(unit.id))


@implements("OP-SETUP-03", "OP-SR-02")
async def place_rest(game: Game[Battle], seat: Seat, intent: DeployRest) -> None:
    """Place all remaining units where there is room; a unit without room is kept in reserve."""
    forbid(not game.state.placing, "deploy/not-now")
    for id in game.state.placing:
        unit = game.state.units[id]
        places = first_place(game.state, unit)
        if places is None:
            game.emit(UnitKept(id))
        else:
            before = game.state
            game.emit(UnitPlaced(id, places, facing_of(before, unit)))
            await casualties.cross_mines(game, before, id)


JOIN: Final = Verb(
    Label("join", "j", "Attach a character", "A Hero or Psyker joins Infantry of the same Quality for good."),
    join,
    pick("unit", to_place_now, only=lambda draft, u: traits.profile(draft.state, u).character and _hosts(draft, u)),
    pick("host", lambda draft: _hosts(draft, unit_of(draft))),
    gesture=Gesture("unit", "host", "group", mark="join"),
)
KEEP: Final = Verb(
    Label("keep", "k", "Keep in reserve", "From round 2 on, roll each round to see if it arrives."),
    keep,
    pick("unit", to_place_now, only=lambda draft, unit: may_wait(draft.state, unit)),
    gesture=Gesture("unit", rank=5),
)
REST: Final = Verb(
    Label("rest", "e", "Deploy the rest", "Place everything that is left where there is room."),
    place_rest,
    when=lambda state, seat: state.placing,
    gesture=Gesture(rank=9, ends=True),
)
