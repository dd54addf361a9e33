"""The roles of spectators: what each may see, asked for, granted by the holder of a seat, taken back.

Nothing of this is stored: after a restart everyone sees the public part and asks again. The record stores who has ever
seen more than that (TableRecord.looked) or has sat (TableRecord.sat), since neither may become the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.core.rules.audience import Seat
from protocol.wire.from_server import Role
from server.lobby.table.table_record import LIVE, OPEN, TableRecord
from server.match.channels import DELAYED, SPECTATOR, Viewpoint
from server.runtime.refusals import Refused


class Grant(NamedTuple):
    """A seat that its side lets somebody look into: who held the seats of that side then ("": a bot, or nobody)."""

    seat: int
    by: Mapping[int, str]


class SpectatorRoles:
    """Roles by account: whoever loses a connection finds their role again."""

    def __init__(self) -> None:
        self.wishes: dict[str, int] = {}
        self._agreed: dict[str, dict[int, str]] = {}
        """By the account of a wish: the people who have said yes to it, by seat."""
        self._grants: dict[str, Grant] = {}
        self._delayed: set[str] = set()

    def viewpoint(self, table: TableRecord, who: str) -> Viewpoint:
        """Return what this spectator sees. A grant ends when another person holds a seat of that side."""
        grant = self._grants.get(who)
        if grant is not None and all(table.seats[seat].who == holder for seat, holder in grant.by.items()):
            return Viewpoint(Seat(grant.seat))
        return DELAYED if who in self._delayed and has_delayed_view(table) else SPECTATOR

    def __contains__(self, who: str) -> bool:
        """Return True where this spectator sees more than the public part, or wishes to."""
        return who in self._grants or who in self._delayed or who in self.wishes

    def role(self, table: TableRecord, who: str) -> Role:
        """Return the role in the words of the protocol, with the wish that waits for an answer."""
        if who not in self:
            return Role()
        view = self.viewpoint(table, who)
        wish, agreed = self.wishes.get(who, -1), tuple(sorted(self._agreed.get(who, ())))
        if view.seat is not None:
            return Role("seat", int(view.seat), wish, agreed)
        return Role("all" if view.delayed else "public", -1, wish, agreed)

    def forget(self, who: str) -> None:
        """Show this spectator the public part alone."""
        self.wishes.pop(who, None)
        self._agreed.pop(who, None)
        self._grants.pop(who, None)
        self._delayed.discard(who)

    def ask(self, table: TableRecord, who: str, seat: int) -> None:
        """Wish to look into a seat. Raises Refused."""
        _check(table, who)
        if not table.seat_views:
            raise Refused("watch/not-allowed")
        if not 0 <= seat < len(table.seats) or not table.seats[seat].who:
            raise Refused("watch/no-person")
        self.wishes[who] = seat
        self._agreed.pop(who, None)

    def may_look_delayed(self, table: TableRecord, who: str) -> None:
        """Raise Refused where this spectator may not have the delayed view."""
        _check(table, who)
        if not table.all_views:
            raise Refused("watch/not-allowed")
        if not has_delayed_view(table):
            raise Refused("watch/not-agreed")

    def look_delayed(self, who: str) -> None:
        """Show this spectator the delayed view."""
        self.forget(who)
        self._delayed.add(who)

    def wished(self, table: TableRecord, side: Sequence[int], who: str) -> int:
        """Return the seat of this side into which a spectator wishes to look. Raises Refused where there is none (any
        more)."""
        seat = self.wishes.get(who, -1)
        if seat not in side:
            raise Refused("watch/not-asked")
        _check(table, who)
        return seat

    def agree(self, table: TableRecord, side: Sequence[int], seat: int, who: str) -> bool:
        """Say yes for a seat to the wish of this spectator. Return True where nobody is left to ask: whoever looks into
        a seat sees what its side sees, so every person of that side must agree."""
        self._agreed.setdefault(who, {})[seat] = table.seats[seat].who
        return self._have_agreed(table, side, who)

    def _have_agreed(self, table: TableRecord, side: Sequence[int], who: str) -> bool:
        agreed = self._agreed.get(who, {})
        return all(not table.seats[ally].who or agreed.get(ally) == table.seats[ally].who for ally in side)

    def grant(self, table: TableRecord, side: Sequence[int], seat: int, who: str) -> None:
        """Let this spectator look into the seat of their wish. Raises Refused where they wish otherwise since the side
        has agreed, or have asked anew, or one of the side has refused."""
        if self.wishes.get(who) != seat or not self._have_agreed(table, side, who):
            raise Refused("watch/not-asked")
        self.forget(who)
        self._grants[who] = Grant(seat, {ally: table.seats[ally].who for ally in side})

    def refuse(self, side: Sequence[int], who: str) -> None:
        """Refuse a wish, or take a grant back: any seat of the side may."""
        if self.wishes.get(who) in side:
            del self.wishes[who]
            self._agreed.pop(who, None)
        grant = self._grants.get(who)
        if grant is not None and grant.seat in side:
            del self._grants[who]


def all_agree(table: TableRecord) -> bool:
    """Check that the owner allows the delayed view and every person seated now has said yes to it with "ready"."""
    return table.all_views and all(seat.delayed_view for seat in table.seats if seat.who)


def has_delayed_view(table: TableRecord) -> bool:
    """Check that spectators of this match may see everything, late. A match that began before players were asked keeps
    what its owner allowed."""
    if table.state == OPEN:
        return False
    return table.all_views if table.delayed_view is None else table.delayed_view


def _check(table: TableRecord, who: str) -> None:
    if table.state != LIVE:
        raise Refused("match/none")
    if who in table.people or who in table.sat:
        raise Refused("watch/has-sat")
