"""Names that were meant by misspelt ones."""

from __future__ import annotations

import pytest

from protocol.near_names import meant, nearest

KNOWN = ("building", "wall", "start", "sight")


@pytest.mark.parametrize(
    ("name", "found"), [("biulding", "building"), ("wal", "wall"), ("strat", "start"), ("zebra", None), ("", None)]
)
def test_the_nearest_name_is_offered_where_one_is_near(name: str, found: str | None) -> None:
    assert nearest(name, KNOWN) == found
    assert meant(name, KNOWN) == (f"; did you mean {found}?" if found else "")


def test_how_near_may_be_said() -> None:
    assert nearest("sta", KNOWN) == "start"
    assert nearest("sta", KNOWN, 0.9) is None
    assert nearest("start", ()) is None
