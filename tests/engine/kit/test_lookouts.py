"""The bases that look out for a group."""

from __future__ import annotations

from engine.kit.board.lookouts import MOST, lookouts


def test_the_leader_looks_out_then_those_who_stand_farthest_apart() -> None:
    row = [(100 * n, 0) for n in range(9)]
    assert lookouts(row) == ((0, 0), (800, 0), (400, 0), (200, 0))
    assert len(lookouts(row)) == MOST


def test_who_stands_at_one_place_looks_out_once() -> None:
    assert lookouts([(5, 5)] * 6) == ((5, 5),)
    assert lookouts([]) == ()
