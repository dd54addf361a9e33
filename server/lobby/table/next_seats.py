"""The seats of the table at which the people of a finished match play again: each one further than before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from engine.core.rules.sides import Sides
from server.accounts.display_names import DELETED
from server.lobby.table.table_record import SeatRecord, TableRecord
from server.match.bots.bot_factory import new_seed


def rotation(sides: Sides, count: int) -> Sequence[int]:
    """Return where the holder of each seat goes: to the next seat, or with all of their side to the places of the next
    one, where sides have as many seats each."""
    sizes = set(Counter(sides).values())
    if len(sizes) != 1:
        return [(seat + 1) % count for seat in range(count)]
    places = {side: [seat for seat in range(count) if sides[seat] == side] for side in set(sides)}
    return [places[(side + 1) % len(places)][places[side].index(seat)] for seat, side in enumerate(sides)]


def next_seats(table: TableRecord, sides: Sides, who: str, *, has_lists: bool) -> tuple[SeatRecord, ...]:
    """Return the seats of the next table, which `who` opens and sits at: kept for the other people of the finished one,
    of whom those who gave their seat up are asked too; bots are there again. Factions stay with the seats, army lists
    go with their people."""
    seats = [SeatRecord()] * len(table.seats)
    for number, target in enumerate(rotation(sides, len(table.seats))):
        before = table.seats[number]
        moved = _moved(table, before, who)
        if has_lists:
            seats[target] = replace(moved, faction=before.faction, army=before.army)
        else:
            seats[target] = replace(moved, faction=table.seats[target].faction)
    return tuple(seats)


def _moved(table: TableRecord, seat: SeatRecord, who: str) -> SeatRecord:
    """Return the holder of a seat as they begin at the next table."""
    person = seat.who or seat.former
    if person == who:
        return SeatRecord(who, seat.name)
    if person:
        is_asked = person not in table.shut_out and seat.name != DELETED
        return SeatRecord(name=seat.name, kept_for=person) if is_asked else SeatRecord()
    return SeatRecord(name=seat.name, ready=True, bot=seat.bot, seed=new_seed())
