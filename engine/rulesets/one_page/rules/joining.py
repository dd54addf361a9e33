"""Characters that join units as they deploy (OP-UNIT-03)."""

from __future__ import annotations

from typing import Final

from engine.kit.rules import Game, Gesture, IllegalIntent, Label, Seat, Verb, forbid, implements, passing
from engine.kit.units import UnitIntent
from engine.rulesets.one_page.rules import formations, traits
from engine.rulesets.one_page.rules.deployment import check_placing, merged, to_place_now
from engine.rulesets.one_page.rules.picking import Choosing, pick, unit_of
from engine.rulesets.one_page.state.placing_events import UnitJoined, UnitPlaced
from engine.rulesets.one_page.state.state import TABLE, Battle, Unit
from protocol.ids import GroupId


class Join(UnitIntent, frozen=True, tag="op.join"):
    """Joining of a character to a unit that is deployed already."""

    host: GroupId


@implements("OP-UNIT-03")
def check_join(state: Battle, seat: int, id: GroupId, host: GroupId) -> tuple[Unit, Unit]:
    """Return a character and the unit that it may join: friendly Infantry of the same Quality that is no character
    itself, with no other of its kind. Raises IllegalIntent."""
    unit = check_placing(state, seat, id)
    found = state.units.get(host)
    own = state.unit_entry(unit).profile
    forbid(state.phase != "deploy" and state.phase != "scouts", "join/deployed")
    forbid(not own.character, "join/no-character")
    if found is None or found.owner != seat or found.where != TABLE or not traits.is_infantry(state, found):
        raise IllegalIntent("join/no-host")
    theirs = state.unit_entry(found).profile
    forbid(theirs.character or theirs.quality != own.quality, "join/quality")
    force = state.resolved.forces[seat]
    forbid(any(force.units[entry].profile.kind == own.kind for entry in found.joined), "join/another")
    return unit, found


@implements("OP-UNIT-03")
async def join(game: Game[Battle], seat: Seat, join: Join) -> None:
    """Deploy a character as part of a unit; it stands with the unit."""
    state = game.state
    unit, host = check_join(state, seat, join.unit, join.host)
    grown = merged(state, host, unit)
    lead = state.leader(host).at
    room = formations.FormationRoom(state, host, lead)
    places = formations.formed(state, grown, lead, room.fits)
    if places is None:
        raise IllegalIntent("place/no-room")
    game.emit(UnitJoined(unit.id, host.id), UnitPlaced(host.id, places))


def _hosts(draft: Choosing, unit: Unit) -> list[Unit]:
    """Return the units that a character could join."""
    state, seat = draft.state, draft.seat
    return passing(state.units_of(seat, TABLE), lambda host: check_join(state, seat, unit.id, host.id))


def _may_join(draft: Choosing, unit: Unit) -> bool:
    early = draft.state.phase != "reserves"
    return early and traits.profile(draft.state, unit).character and bool(_hosts(draft, unit))


JOIN: Final = Verb(
    Label("join", "j", "Attach a character", "A Hero or Psyker joins Infantry of the same Quality for good."),
    join,
    pick("unit", to_place_now, only=_may_join),
    pick("host", lambda draft: _hosts(draft, unit_of(draft))),
    gesture=Gesture("unit", "host", "group", mark="join"),
)
