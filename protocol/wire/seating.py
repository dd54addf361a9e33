"""Messages about seats: kept for somebody, locked, exchanged, taken over, and taken again at the next table."""

from __future__ import annotations

from protocol.ids import TableId
from protocol.text import Text
from protocol.wire.client_message import Id, Message, Name, SeatNumber
from protocol.wire.server_message import ServerMessage


class KeepSeat(Message, frozen=True, tag="keep_seat"):
    """Owner, before the start: request to keep a free seat for the person `who`, or who keeps this `name`; to lock it,
    so that nobody may take it; without any of these, to open it to all."""

    seat: SeatNumber
    who: Id | None = None
    name: Name | None = None
    locked: bool = False


class SwapSeats(Message, frozen=True, tag="swap"):
    """Player, before the start: wish to have this `seat` in place of their own. An open one is taken at once, that of
    another person when they wish the same; one's own seat takes the wish back. Owner: with `other`, both change
    places."""

    seat: SeatNumber
    other: SeatNumber | None = None


class AskSeat(Message, frozen=True, tag="ask_seat"):
    """Spectator, in a match: wish to take over a seat, which its holder decides about, of a bot's the owner; without
    `seat`, its end."""

    seat: SeatNumber | None = None


class GiveSeat(Message, frozen=True, tag="give_seat"):
    """Player, in a match: consent that this spectator takes over the seat that they have asked for, the player's own or
    for the owner a bot's; or its refusal."""

    who: Id
    allow: bool = True


class Rematch(Message, frozen=True, tag="rematch"):
    """Player, at a finished table: request to play again with the same people and settings, each one seat further. The
    first one opens the table, where a seat is kept for each of the others; whoever asks after that sits down there."""


class GetInvitations(Message, frozen=True, tag="get_invitations"):
    """Request for the seats that are kept for the sender. From then on this connection is told of new ones."""


class Invitation(ServerMessage, frozen=True, tag="invitation"):
    """Seat of an open table that is kept for the receiver, by the owner, whose name is `by`: JoinTable takes it.
    `again`: it is the next table after one at which they have played."""

    table: TableId
    name: str
    system: str
    scenario: Text
    by: str
    again: bool = False
