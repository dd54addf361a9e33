"""Rules carried by functions, a coroutine function, a class and a table of TOML."""

import functools
import tomllib
from importlib import resources
from typing import Any

from engine.core.rules.implements import document_now, implements


@functools.cache
def content() -> dict[str, Any]:
    """Return the weapons by name. Raises KeyError without the one that every model has."""
    text = resources.files(__package__).joinpath("weapons.toml").read_text("utf-8")
    weapons: dict[str, Any] = document_now(tomllib.loads(text))["weapons"]
    return {"fist": weapons["fist"], **weapons}


@implements("SA-GOOD-01")
def doubled(number: int) -> int:
    return 2 * number


@implements("SA-GOOD-02")
async def tripled(number: int) -> int:
    return 3 * number


class Counter:
    """Counter with a limit that is a rule."""

    def __init__(self) -> None:
        self.count = 0

    @implements("SA-GOOD-03", "SA-BAD-01")
    def add(self, number: int) -> None:
        self.count = min(self.count + number, 10)


class Refused(Exception):
    """Refusal for want of the thing asked for."""


@implements("SA-GOOD-06")
def spent(had: int, cost: int) -> int:
    if cost > had:
        raise Refused
    return had - cost


@implements("SA-GOOD-07")
def halved(number: int) -> int:
    return (number + 1) // 2


@implements("SA-BAD-04")
def greatest(numbers: list[int]) -> int:
    if not numbers:
        raise ValueError("of nothing")
    return max(numbers[0], numbers[-1])


@implements("SA-BAD-05")
def largest(one: int, other: int) -> int:
    return max(one, other)


@implements("SA-BAD-05")
def never_called(one: int, other: int) -> int:
    return min(one, other)


@implements("SA-BAD-06")
def clamped(number: int) -> int:
    return 10 if number > 10 else number


@implements("SA-BAD-08")
def lower(one: int, other: int) -> int:
    return min(one, other)


@implements("SA-BAD-08")
def lowest(one: int, other: int) -> int:
    return min(one, other)


@implements("SA-BAD-02")
def never_tested() -> int:
    return 0
