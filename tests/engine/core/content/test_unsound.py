"""Values that could not be read: they pass from hand to hand, and whoever looks at one ends there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from engine.core.content.unsound import Unsound, is_unsound, needed, part, sound
from engine.core.rules.errors import UnsoundValue

VALUE: Any = Unsound("bad.toml")


class Box(msgspec.Struct, frozen=True):
    size: int


@pytest.mark.parametrize(
    "look",
    [
        bool,
        hash,
        str,
        len,
        iter,
        int,
        abs,
        lambda value: value == 3,
        lambda value: value != 3,
        lambda value: value < 3,
        lambda value: value >= 3,
        lambda value: value + 1,
        lambda value: 1 - value,
        lambda value: value[0],
        lambda value: 3 in value,
        lambda value: value.size,
        lambda value: f"{value}",
        lambda value: {value},
        lambda value: range(value),
        lambda value: {**value},
        lambda value: max(3, value),
    ],
)
def test_whoever_looks_at_it_ends_there(look: Callable[[Any], object]) -> None:
    with pytest.raises(UnsoundValue) as raised:
        look(VALUE)
    assert raised.value.file == "bad.toml"


def test_it_passes_through_hands_that_do_not_look() -> None:
    box = msgspec.structs.replace(Box(VALUE))
    assert is_unsound(box.size)
    assert box.size is VALUE
    assert part(VALUE, "size") is VALUE
    assert part(Box(3), "size") == 3
    assert not is_unsound(3)
    assert not isinstance(VALUE, Box)


def test_a_check_ends_and_the_next_one_goes_on() -> None:
    def check(*values: Any) -> Iterator[int]:
        for value in values:
            yield value + 1

    assert list(sound(check(1, VALUE, 2), check(3), [9], check(VALUE))) == [2, 4, 9]
    assert list(sound()) == []


def test_what_a_name_stands_for_is_needed() -> None:
    assert needed({"a": 1}, "a") == 1
    with pytest.raises(UnsoundValue):
        needed({"a": 1}, "b")
