"""Quick match: how the receiver's search for players stands, and the match that they are asked to confirm."""

from __future__ import annotations

from protocol.text import Text
from protocol.wire.server_message import ServerMessage


class Seeking(ServerMessage, frozen=True, tag="seeking"):
    """State of the receiver's search, whenever it changes. `on`: it goes on; `waited`: milliseconds so far; `why` it
    has ended, where the receiver did not end it."""

    on: bool
    waited: int = 0
    why: Text | None = None


class MatchOffered(ServerMessage, frozen=True, tag="match_offered"):
    """Match that so many `seats` have been found for, to be confirmed within `left` milliseconds; again when another
    one of them has `confirmed`. `mine`: the receiver has."""

    id: str
    system: str
    scenario: Text
    seats: int
    left: int
    confirmed: int = 0
    mine: bool = False
