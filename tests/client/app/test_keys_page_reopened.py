"""The page of the keys, opened once more."""

from __future__ import annotations

from arcade import key as keys

from tests.support.clients.sessions import Table
from tests.support.systems.hand import Hand


def test_it_begins_at_its_top_again(table: Table, hand: Hand) -> None:
    def shown() -> set[str]:
        return set(table.app.labels())

    hand.press(keys.K, keys.MOD_CTRL)
    top = shown()
    hand.press(keys.PAGEDOWN)
    assert shown() != top
    hand.press(keys.ESCAPE)
    hand.press(keys.K, keys.MOD_CTRL)
    assert shown() == top
