"""The memo: results kept for the very objects that they were made of."""

from __future__ import annotations

import gc
import weakref

from engine.core.rules.memo import Memo


class Board:
    """A value that equals every other one of its type."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board)

    def __hash__(self) -> int:
        return 0


class Count:
    """A counter of calls."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> int:
        self.made += 1
        return self.made


def test_a_result_is_made_once_for_the_same_name_and_objects() -> None:
    memo, count, board = Memo(8), Count(), Board()
    assert [memo.get("ways", (board, 1), count) for _ in range(3)] == [1, 1, 1]
    assert memo.get("sights", (board, 1), count) == 2
    assert memo.get("ways", (board, 2), count) == 3


def test_equal_objects_are_not_the_same() -> None:
    memo, count = Memo(8), Count()
    one, other = Board(), Board()
    assert one == other
    assert (memo.get("ways", (one,), count), memo.get("ways", (other,), count)) == (1, 2)


def test_nothing_is_kept_as_a_result_too() -> None:
    memo, made = Memo(8), list[None]()
    for _ in range(2):
        assert memo.get("none", (), lambda: made.append(None)) is None
    assert len(made) == 1


def test_the_oldest_result_gives_way() -> None:
    memo, count = Memo(2), Count()
    for name in "abc":
        memo.get(name, (), count)
    assert [memo.get(name, (), count) for name in "cba"] == [3, 2, 4]


def test_objects_live_as_long_as_what_was_made_of_them() -> None:
    """Otherwise another object could be taken for them by its identity."""
    memo, board = Memo(1), Board()
    living = weakref.ref(board)
    memo.get("ways", (board,), int)
    del board
    gc.collect()
    assert living() is not None
    memo.get("other", (), int)
    gc.collect()
    assert living() is None
