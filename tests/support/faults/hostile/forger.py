"""A forger: changes the record of a finished match, and repairs every hash, with all but the host's key.

The forger knows the opened secret, so that salts, leaves, heads, roots and the file's SHA-256 come out right again, and
signs with another key, or keeps the host's signatures in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from hashlib import sha256
from typing import Any, Final

import msgpack

from protocol.fairness.replay import Replay
from protocol.fairness.replay_sections import HASH_SECTION, SIGN_SECTION, hash_section, signed_bytes
from server.runtime.signing import HostKey
from tests.support.fairness.sealing import packed, replay_of, sealed
from tests.support.fairness.signing import HOST

FORGER: Final = HostKey(b"forger" * 5 + b"s!")
Step = list[Any]
Log = list[Step]
Forgery = Callable[[Log], object]


def places(log: Log, kind: str) -> Iterator[tuple[int, int]]:
    """Return step and place of all entries of a kind."""
    for number, step in enumerate(log):
        for place, entry in enumerate(step[2]):
            if entry["e"] == kind:
                yield number, place


def first(log: Log, kind: str) -> dict[str, Any]:
    number, place = next(places(log, kind))
    entry: dict[str, Any] = log[number][2][place]
    return entry


def renumbered(log: Log) -> None:
    for number, step in enumerate(log, start=1):
        step[0] = number


def changed_face(log: Log) -> None:
    roll = first(log, "core.dice")
    roll["faces"][0] = roll["faces"][0] % roll["sides"] + 1


def swapped_card(log: Log) -> None:
    draws = list(places(log, "core.card"))
    one = log[draws[0][0]][2][draws[0][1]]
    other = next(e for e in (log[s][2][p] for s, p in draws) if e["card"] != one["card"])
    for name in ("card", "salt", "path"):
        one[name], other[name] = other[name], one[name]


def dropped_event(log: Log) -> None:
    number, place = next(places(log, "core.dice"))
    del log[number][2][place]


def repeated_event(log: Log) -> None:
    number, place = next(places(log, "core.dice"))
    log[number][2].append(deepcopy(log[number][2][place]))


def reordered_steps(log: Log) -> None:
    log[-1], log[-2] = log[-2], log[-1]
    renumbered(log)


def changed_seat(log: Log) -> None:
    for step in log[1:]:
        if "seat" in step[1]:
            step[1]["seat"] = (step[1]["seat"] + 1) % 2
            return


def other_link(log: Log) -> None:
    number, place = next(places(log, "core.round"))
    links = [sha256(b"mine").digest(), *log[number][2][place].get("links", [b"", b""])[1:]]
    log[number][1]["links"] = log[number][2][place]["links"] = links


def other_root(log: Log) -> None:
    first(log, "core.deck")["root"] = sha256(b"mine").digest()


def truncated_tail(log: Log) -> None:
    del log[-1]


def extended_tail(log: Log) -> None:
    log.append([len(log) + 1, {"c": "table", "kind": "seat", "seat": 0}, [], None, {}])


FORGERIES: Final[tuple[Forgery, ...]] = (
    changed_face,
    swapped_card,
    dropped_event,
    repeated_event,
    reordered_steps,
    changed_seat,
    other_link,
    other_root,
    truncated_tail,
    extended_tail,
)


def forged(replay: Replay, forge: Forgery) -> Iterator[tuple[str, bytes]]:
    """Return the forged files: signed by the forger, and with the host's old signatures."""
    log: Log = [msgpack.unpackb(step, strict_map_key=False) for step in replay.log]
    forge(log)
    made = [packed(step) for step in log]
    own = replay_of(replay.header, replay.secret, made, replay.streams, FORGER)
    yield "own key", sealed(own, FORGER)
    yield "host's signatures", _with_signatures(sealed(replay, HOST), sealed(own._replace(first=replay.first), HOST))


def _with_signatures(honest: bytes, file: bytes) -> bytes:
    """Return the body of one file with the signature of another, and its SHA-256 made right."""
    signed, kept = len(signed_bytes(file)), len(signed_bytes(honest))
    body = file[:signed] + honest[kept : kept + SIGN_SECTION] + file[signed + SIGN_SECTION : -HASH_SECTION]
    return body + hash_section(sha256(body).digest())
