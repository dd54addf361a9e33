"""Round trips are told when they change, and not often."""

from __future__ import annotations

from server.lobby.table.attendance import LINKS_EVERY, Trips


def test_what_is_measured_is_told_at_once_and_then_not_for_a_while() -> None:
    trips = Trips()
    trips.measured("ann", 31, 5.0)
    assert trips.due == 5.0
    trips.told(5.0)
    trips.measured("ann", 35, 6.0)
    assert trips.due is None
    trips.measured("ann", 300, 7.0)
    trips.measured("ben", 20, 8.0)
    assert trips.due == 5.0 + LINKS_EVERY
    trips.told(16.0)
    trips.measured("ben", 20, 40.0)
    assert trips.due is None
    trips.measured("ben", 90, 50.0)
    assert trips.due == 50.0
