"""Gauges of tables, seats, people and queues, counted when they are asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily

from server.lobby.lobby import Lobby
from server.lobby.table.live_table import LiveTable
from server.lobby.table.table_record import FINISHED, LIVE, OPEN
from server.runtime.metrics import gauge, gauges

STATES = (OPEN, LIVE, FINISHED, "parked")


def census(lobby: Lobby) -> Iterator[GaugeMetricFamily]:
    """Yield all gauges. This walks over all tables in memory and connections: some microseconds each."""
    tables, sessions = lobby.in_memory(), lobby.sessions()
    live = [table for table in tables if table.record.state == LIVE]
    states = Counter("parked" if table.cannot_go_on else table.record.state for table in tables)
    states[FINISHED] = lobby.finished
    yield gauges("eschaton_tables", "Tables by state.", "state", {state: states[state] for state in STATES})
    yield gauge("eschaton_matches_waiting", "Live matches that wait for a person.", sum(map(_waits, live)))
    seats = [seat for table in live for seat in table.record.seats]
    holders = {"person": sum(1 for seat in seats if seat.who), "bot": sum(1 for seat in seats if seat.bot)}
    yield gauges("eschaton_seats", "Seats of live matches, by who holds them.", "holder", holders)
    seated = sum(1 for s in sessions if s.table is not None and s.table.seat_of(s) is not None)
    watching = sum(1 for s in sessions if s.table is not None and s.table.seat_of(s) is None)
    places = {"lobby": len(sessions) - seated - watching, "seat": seated, "watching": watching}
    yield gauges("eschaton_connected", "People connected, by where they are.", "place", places)
    held = sum(1 for table in tables if table.host is not None)
    yield gauge("eschaton_matches_held", "Matches held in memory, finished ones that are looked at included.", held)
    waiting = [table.host.waiting for table in tables if table.host is not None]
    queued = {"sum": sum(waiting), "longest": max(waiting, default=0)}
    yield gauges("eschaton_match_queue", "Work that waits at matches.", "of", queued)
    unsent = [session.conversation.queued_bytes for session in sessions]
    bytes_queued = {"sum": sum(unsent), "longest": max(unsent, default=0)}
    yield gauges("eschaton_outbound_queue_bytes", "What waits to be sent to connections.", "of", bytes_queued)


def _waits(table: LiveTable) -> bool:
    return any(table.record.seats[seat].who for seat in table.waiting)
