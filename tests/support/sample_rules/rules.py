"""Rules carried by functions, a coroutine function, a class and a table of TOML."""

import functools
import tomllib
from importlib import resources
from typing import Any

from engine.core.implements import implements, without_disabled


@functools.cache
def content() -> dict[str, Any]:
    """The weapons by name. Raises KeyError when the one that everyone has is missing."""
    text = resources.files(__package__).joinpath("weapons.toml").read_text("utf-8")
    weapons: dict[str, Any] = without_disabled(tomllib.loads(text))["weapons"]
    return {"fist": weapons["fist"], **weapons}


@implements("SA-GOOD-01")
def doubled(number: int) -> int:
    return 2 * number


@implements("SA-GOOD-02")
async def tripled(number: int) -> int:
    return 3 * number


class Counter:
    """Counts what it is told of; its limit is a rule."""

    def __init__(self) -> None:
        self.count = 0

    @implements("SA-GOOD-03", "SA-BAD-01")
    def add(self, number: int) -> None:
        self.count = min(self.count + number, 10)


@implements("SA-BAD-02")
def never_tested() -> int:
    return 0
