"""The memo: results kept for the very objects that they were made of."""

from __future__ import annotations

import gc
import weakref

import msgspec

from engine.core.rules.implements import rules_changed
from engine.core.rules.memo import MatchContent, Memo


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
    memo, count, board = Memo(most=8), Count(), Board()
    assert [memo.get("ways", (board, 1), count) for _ in range(3)] == [1, 1, 1]
    assert memo.get("sights", (board, 1), count) == 2
    assert memo.get("ways", (board, 2), count) == 3


def test_equal_objects_are_not_the_same() -> None:
    memo, count = Memo(most=8), Count()
    one, other = Board(), Board()
    assert one == other
    assert (memo.get("ways", (one,), count), memo.get("ways", (other,), count)) == (1, 2)


def test_nothing_is_kept_as_a_result_too() -> None:
    memo, made = Memo(most=8), list[None]()
    for _ in range(2):
        assert memo.get("none", (), lambda: made.append(None)) is None
    assert len(made) == 1


def test_the_oldest_result_gives_way() -> None:
    memo, count = Memo(most=2), Count()
    for name in "abc":
        memo.get(name, (), count)
    assert [memo.get(name, (), count) for name in "cba"] == [3, 2, 4]


def test_a_result_that_is_asked_for_again_stays() -> None:
    memo, count = Memo(most=4), Count()
    for name in "abacadaeaf":
        memo.get(name, (), count)
    assert memo.recall("a", ()) == 1
    assert [memo.recall(name, ()) for name in "bcd"] == [None, None, None]
    assert count.made == 6


def test_no_more_results_are_kept_than_allowed() -> None:
    memo, boards = Memo(most=8), [Board() for _ in range(20)]
    for board in boards:
        memo.get("ways", (board,), int)
        memo.get("first", (), int)
        assert sum(memo.recall("ways", (one,)) is not None for one in boards) <= 8


def test_objects_live_as_long_as_what_was_made_of_them() -> None:
    """Otherwise another object could be taken for them by its identity."""
    memo, board = Memo(most=2), Board()
    living = weakref.ref(board)
    memo.get("ways", (board,), int)
    del board
    gc.collect()
    assert living() is not None
    for name in ("other", "another"):
        memo.get(name, (), int)
    gc.collect()
    assert living() is None


def test_a_result_is_renewed_from_the_last_one_under_its_name() -> None:
    memo = Memo()
    assert [memo.renew("sum", lambda last: (last or 0) + 2) for _ in range(3)] == [2, 4, 6]
    assert memo.renew("other", lambda last: last is None)


def test_what_is_recalled_is_not_made() -> None:
    memo, board = Memo(), Board()
    assert memo.recall("ways", (board,)) is None
    memo.get("ways", (board,), lambda: 3)
    assert (memo.recall("ways", (board,)), memo.recall("ways", (Board(),))) == (3, None)


def test_an_arrangement_has_a_memo_of_its_own_until_eight_newer_ones() -> None:
    memo, parts = Memo(), [(Board(),) for _ in range(9)]
    first = memo.about(parts[0], Memo)
    assert first.parts == parts[0]
    assert [memo.about(one, Memo) is first for one in (parts[0], parts[1], parts[0])] == [True, False, True]
    for one in parts[1:]:
        memo.about(one, Memo)
    assert memo.about(parts[0], Memo) is not first


def test_results_of_other_rules_are_forgotten() -> None:
    memo, count, parts = Memo(), Count(), (Board(),)
    before = memo.about(parts, Memo)
    assert [memo.get("ways", (), count) for _ in range(2)] == [1, 1]
    rules_changed(None)
    assert memo.recall("ways", ()) is None
    assert memo.about(parts, Memo) is not before
    assert [memo.get("ways", (), count) for _ in range(2)] == [2, 2]


class Content(MatchContent, frozen=True):
    """Content of a match that has a name."""

    name: str


def test_content_owns_a_memo_that_is_no_part_of_its_value() -> None:
    one, other = Content("a"), Content("a")
    one.memo.get("ways", (), int)
    assert one.memo is one.memo
    assert one == other
    assert msgspec.msgpack.encode(one) == msgspec.msgpack.encode(other)
    copy = msgspec.structs.replace(one)
    assert copy.memo is not one.memo
