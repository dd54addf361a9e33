"""Checks of a Redis that keeps the matches: each yields the words of one sentence for everything that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from server.store.redis import keys
from server.store.redis.durability import EVICTION, NEEDED, REPLICAS
from server.store.redis.folder_claim import FILE

if TYPE_CHECKING:
    from server.cli.doctor.facts import Facts, Words

KEEPS: Final = "noeviction"
APART_SECONDS: Final = 5.0
"""By which two clocks may differ."""
HELD_SECONDS: Final = 10.0
"""After which a server that holds the store counts as gone."""
FULL: Final = 0.9
"""Part of its memory that a Redis may use."""


def away(facts: Facts) -> Iterator[Words]:
    if facts.redis is not None and facts.redis.problem:
        yield {"label": facts.redis.label, "problem": facts.redis.problem}


def weaker_than_asked(facts: Facts) -> Iterator[Words]:
    if facts.redis is None:
        return
    asked = facts.settings.durability_class or "disk"
    for needed in NEEDED[asked]:
        found = facts.redis.settings.get(needed.name)
        if found is not None and not needed.is_good(found):
            yield {"name": needed.name, "found": found, "good": needed.good, "asked": asked}


def evicts(facts: Facts) -> Iterator[Words]:
    policy = facts.redis.settings.get(EVICTION, KEEPS) if facts.redis is not None else KEEPS
    if policy != KEEPS:
        yield {"name": EVICTION, "found": policy, "good": KEEPS}


def nearly_full(facts: Facts) -> Iterator[Words]:
    if facts.redis is None:
        return
    most, used = int(facts.redis.info.get("maxmemory", 0)), int(facts.redis.info.get("used_memory", 0))
    if most and used > FULL * most:
        yield {"used": f"{used / 1e6:.0f}", "most": f"{most / 1e6:.0f}"}


def cannot_write(facts: Facts) -> Iterator[Words]:
    info = facts.redis.info if facts.redis is not None else {}
    for name in ("aof_last_write_status", "aof_last_bgrewrite_status", "rdb_last_bgsave_status"):
        if info.get(name, "ok") != "ok":
            yield {"name": name, "found": info[name]}


def no_replica(facts: Facts) -> Iterator[Words]:
    if facts.redis is None or facts.redis.problem or facts.settings.durability_class != "replica":
        return
    if int(facts.redis.info.get("connected_slaves", 0)) < REPLICAS:
        yield {"label": facts.redis.label}


def clock_apart(facts: Facts) -> Iterator[Words]:
    if facts.redis is not None and abs(facts.redis.ahead) > APART_SECONDS:
        side = "before" if facts.redis.ahead > 0 else "behind"
        yield {"seconds": round(abs(facts.redis.ahead)), "side": side}


def held_by_another(facts: Facts) -> Iterator[Words]:
    if facts.redis is None or not facts.redis.holder or facts.redis.silent > HELD_SECONDS:
        return
    name = ""
    with suppress(OSError):
        name = (facts.folder / FILE).read_text("ascii").partition(" ")[0]
    if name.strip() != facts.redis.holder:
        yield {"label": facts.redis.label}


def layout_newer(facts: Facts) -> Iterator[Words]:
    if facts.redis is not None and facts.redis.layout > keys.LAYOUT_NUMBER:
        yield {"what": facts.redis.label}
