"""Classes of durability: what an acknowledged write has reached, and what is asked of Redis for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple

from server.store.port import StoreUnavailable

Durability = Literal["disk", "replica", "second"]
REPLICAS: Final = 1
"""Replicas that must have a write before it is acknowledged, in the class "replica"."""
EVICTION: Final = "maxmemory-policy"
EVICTING: Final = "allkeys"


class Needed(NamedTuple):
    """One needed setting of Redis. `good`: the recommended value, for people."""

    name: str
    good: str
    is_good: Callable[[str], bool]


def _one_of(name: str, *values: str) -> Needed:
    return Needed(name, values[0], lambda value: value in values)


def _at_least_one(name: str, good: str) -> Needed:
    return Needed(name, good, lambda value: value.isdecimal() and int(value) >= 1)


_FILE: Final = (_one_of("appendonly", "yes"), _one_of("no-appendfsync-on-rewrite", "no"))
NEEDED: Final[Mapping[Durability, tuple[Needed, ...]]] = {
    "disk": (_FILE[0], _one_of("appendfsync", "always"), _FILE[1]),
    "second": (_FILE[0], _one_of("appendfsync", "everysec", "always"), _FILE[1]),
    "replica": (_at_least_one("min-replicas-to-write", "1"), _at_least_one("min-replicas-max-lag", "10")),
}
PROMISES: Final[Mapping[Durability, str]] = {
    "disk": "",
    "replica": "Told as soon as one replica has it; gone only with the primary and that replica.",
    "second": "Up to about a second of play may be gone after a crash of Redis or a fail-over.",
}
SECOND: Final = (
    "\nOr start this server with --durability second: when Redis or its computer then crashes, up to about a second of "
    "play that people have seen is gone. They are told, and play on from before it."
)


def names(durability: Durability) -> tuple[str, ...]:
    """Return the settings to ask Redis for."""
    return (*(needed.name for needed in NEEDED[durability]), EVICTION)


def check(label: str, durability: Durability, found: Mapping[str, str], refusal: str) -> tuple[str, ...]:
    """Return the settings that Redis does not tell, which are taken on the host's word.

    found: what it tells, by name. refusal: why it does not answer at all, empty where it does. Raises StoreUnavailable
    where it does not keep what it acknowledges; in the class "disk" also where it does not tell.
    """
    if refusal and durability == "disk":
        raise StoreUnavailable(
            f"{label} does not tell whether it keeps what it acknowledges ({refusal}). "
            "Allow its user the command CONFIG GET (ACL: +config|get), or, where its host does not let you, start this "
            "server with --durability replica, if it has a replica, or with --durability second."
        )
    is_strict = durability == "disk"
    wrong = [
        f"{needed.name} is {found.get(needed.name, 'unknown')}"
        for needed in NEEDED[durability]
        if not needed.is_good(found.get(needed.name, "")) and (is_strict or needed.name in found)
    ]
    if wrong:
        raise StoreUnavailable(_advice(label, durability, wrong))
    if found.get(EVICTION, "").startswith(EVICTING):
        raise StoreUnavailable(
            f"{label} throws out data when its memory is full ({EVICTION} is {found[EVICTION]}). "
            f"Set {EVICTION} noeviction in its redis.conf and restart it."
        )
    return tuple(name for name in names(durability) if name not in found)


def _advice(label: str, durability: Durability, wrong: list[str]) -> str:
    lines = "".join(f"\n  {needed.name} {needed.good}" for needed in NEEDED[durability])
    text = f"{label} may lose what it has acknowledged: {', '.join(wrong)}. Set in its redis.conf{lines}\n"
    text += "and restart it."
    if durability == "disk" and all(problem.startswith("appendfsync ") for problem in wrong):
        text += SECOND
    return text


def promise(durability: Durability, on_word: tuple[str, ...]) -> str:
    """Return what the host must know of what is kept, empty where an acknowledged write is on the disk. `on_word`: the
    settings that Redis does not tell."""
    told = [PROMISES[durability]] if PROMISES[durability] else []
    if on_word:
        told.append(f"Redis does not tell {', '.join(on_word)}: taken on your word.")
    return " ".join(told)
