"""What the host of a match wants of the table that it is played at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from engine.core.rules.audience import Seat
    from protocol.scene.nodes import Result
    from protocol.wire.from_server import EntropyWanted
    from server.match.crowd import Gate


PARKED: Final = "match/parked"
"""Why a match does not go on: it cannot."""
COMPARING: Final = "match/comparing"
"""It is played again under changed rules, to see whether all comes out the same."""
OTHER_RULES: Final = "match/other-rules"
"""It does not, and its people are to say whether it is played on."""


class Table(Protocol):
    """What a host tells its table. `gate` keeps the spectators from the players' way."""

    gate: Gate

    def clocks(self, now: float) -> bytes | None:
        """The clocks at this time as all players are told them, encoded; None where they are to be told more than
        that."""
        ...

    def clocks_changed(self, *, players: bool = True) -> None:
        """Other seats are waited for now, or since another time; without `players`, they have been told."""
        ...

    def warn(self, seats: tuple[int, ...], left: float) -> None:
        """The time of these seats ends in `left` seconds."""
        ...

    def defaulted(self, seat: int) -> None:
        """The default has been played for this seat, which it could have known."""
        ...

    def expired(self, seat: Seat, question: int, version: int, head: bytes) -> None:
        """Time has run out for this seat, at this question or (-1) in its turn; the step that plays what counts then
        is durable, and was `version`, with this head."""
        ...

    def figures_left(self, seat: int) -> None:
        """Nothing of this conceding seat has to leave the table any more."""
        ...

    def acted(self, seat: int) -> None:
        """This seat has acted or answered by itself."""
        ...

    def holders(self) -> tuple[str, ...]:
        """Return who holds each seat: "person", "bot" or "empty"."""
        ...

    def present(self) -> set[Seat]:
        """Return the seats whose person is connected and plays it, no bot standing in."""
        ...

    def adding(self) -> set[Seat]:
        """Return the seats of the connected programs that add to dice."""
        ...

    def ask_part(self, seat: Seat, wanted: EntropyWanted) -> bool:
        """Ask the program of this seat for its part in a round; whether one is connected that has said a tip."""
        ...

    async def finished(self, result: Result | None) -> None:
        """The match is over, by its rules or (without a result) by those who played it; its last step is durable."""
        ...

    def parked(self) -> None:
        """The match cannot go on."""
        ...

    def gave_up(self) -> None:
        """An act has been given up after a fault (Void), durably."""
        ...

    def steps_lost(self) -> None:
        """The store has lost steps that were told: the match must be made again from what is left."""
        ...
