"""A window's session at a recorded match: what a server says at joining, then frame after frame."""

from __future__ import annotations

from collections.abc import Iterator

from protocol.ids import TableId
from protocol.wire.codec import encode
from protocol.wire.from_server import Catalogue, Delta, SeatView, Snapshot, TableView, Welcome
from protocol.wire.server_message import ServerMessage
from tests.support.examples.recorded import installed_systems, recorded


def as_heard(name: str, decisions: int, seat: int, seed: int = 1) -> Iterator[Snapshot | Delta]:
    """Yield the frames that a player hears, in the order of a server; a spectator's where `seat` is -1."""
    streams, _ = recorded(name, decisions, seed)
    private = list(streams[f"seat/{seat}"]) if seat >= 0 else []
    for frame in streams["public"]:
        yield frame
        while private and private[0].after <= frame.n:
            yield private.pop(0)


def arrival(name: str, seat: int) -> list[ServerMessage]:
    """Return what a server says to one who comes to this table, before its scene."""
    installed, scenario = installed_systems()[name]
    info = installed.scenarios[scenario]
    seats = tuple(
        SeatView(number, f"u{number}", f"Player {number}", faction.id, faction.name)
        for number, faction in enumerate(info.factions[: info.seats])
    )
    entries = dict(installed.catalogue("en").entries)
    return [
        Welcome(f"u{max(seat, 0)}", "Bertram", "secret-token", "test server", "0.1.0"),
        Catalogue(name, "en", "c" * 16, entries),
        TableView(TableId("t1"), "Friday", name, scenario, "live", seat, "u0", seats),
    ]


def frames_of(messages: list[ServerMessage]) -> list[bytes]:
    """Return messages as they travel."""
    return [encode(message) for message in messages]
