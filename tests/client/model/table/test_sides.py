"""The number of players of a table and their sides, in words."""

from __future__ import annotations

from client.model.table.sides import in_words, side_name


def test_how_many_play_and_how_they_stand_is_said_in_words() -> None:
    assert in_words(1, ()) == "1 seat"
    assert in_words(3, ()) == "3 seats"
    assert in_words(3, (0, 0, 1)) == "2 v 1"
    assert (side_name(1), side_name(-1)) == ("Side B", "")
