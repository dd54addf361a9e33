"""Tampered replay files, opened by all three of our readers.

`python -m tests.support.faults.hostile.hostile_files GOOD SEED FIRST COUNT` (in a process of its own, whose memory and
time are bounded) prints the outcomes."""

from __future__ import annotations

import json
import random
import resource
import struct
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgpack

from client.fairness import verify
from protocol.errors import BadReplay
from protocol.fairness.replay import Replay, read
from protocol.fairness.replay_sections import MAGIC, VERSION
from protocol.limits import Limits
from protocol.proof.signed_texts import replay_text
from server.match.checking import DoesNotHold, check
from tests.support.fairness.sealing import heads_of
from tests.support.faults.hostile.forger import FORGER
from tests.support.systems.duel import Duel

MEMORY: Final = 512 * 1024 * 1024
SECONDS: Final = 120
PATHS: Final = ("../../../escaped", "/tmp/escaped", "..\\escaped", "con", "a\x00b", "~/escaped", "x" * 300, ".")
LIMITS: Final = Limits()


def bend(chance: random.Random, data: bytes) -> tuple[str, bytes]:
    """Return a kind of change, and the file changed."""
    kind = chance.choice((*_BLIND, *_CAREFUL))
    made = _BLIND[kind](chance, data) if kind in _BLIND else _CAREFUL[kind](chance, _sections(data))
    return kind, made


def _flip(chance: random.Random, data: bytes) -> bytes:
    bent = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 8))):
        bent[chance.randrange(len(bent))] ^= 1 << chance.randrange(8)
    return bytes(bent)


def _cut(chance: random.Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data))]


def _append(chance: random.Random, data: bytes) -> bytes:
    return data + chance.randbytes(chance.randrange(1, 200))


def _remove(chance: random.Random, data: bytes) -> bytes:
    start = chance.randrange(len(data) - 1)
    return data[:start] + data[start + chance.randrange(1, 300) :]


def _length(chance: random.Random, data: bytes) -> bytes:
    place = chance.randrange(len(MAGIC), len(data) - 4)
    return data[:place] + struct.pack(">I", chance.choice((0, 1, 2**16, 2**31, 2**32 - 1))) + data[place + 4 :]


def _grow(chance: random.Random, data: bytes) -> bytes:
    place = chance.randrange(len(data))
    return data[:place] + bytes(9 * len(data)) + data[place:]


def _garbage(chance: random.Random, data: bytes) -> bytes:
    return MAGIC + chance.randbytes(chance.randrange(400))


_BLIND: Final[dict[str, Callable[[random.Random, bytes], bytes]]] = {
    "bits flipped": _flip,
    "cut short": _cut,
    "appended to": _append,
    "bytes removed": _remove,
    "length changed": _length,
    "ten times as large": _grow,
    "garbage": _garbage,
}

# Consistent changes: heads, signature (by the forger's own key) and final hash are right again

Parts = list[tuple[bytes, bytes]]


def _sections(data: bytes) -> Parts:
    found, place = [], len(MAGIC) + 4
    while place < len(data):
        end = place + 8 + int.from_bytes(data[place + 4 : place + 8], "big")
        found.append((data[place : place + 4], data[place + 8 : end]))
        place = end
    return [part for part in found if part[0] not in (b"sign", b"name", b"hash")]


def sealed(parts: Parts) -> bytes:
    """Return a file of these sections, signed by its forger and with the right hash."""
    body = MAGIC + VERSION.to_bytes(4, "big") + b"".join([_section(*part) for part in parts])
    body += _section(b"sign", FORGER.public + FORGER.sign(replay_text(sha256(body).digest())))
    return body + _section(b"hash", sha256(body).digest())


def _section(name: bytes, content: bytes) -> bytes:
    return name + len(content).to_bytes(4, "big") + content


def _with_log(parts: Parts, steps: list[bytes]) -> bytes:
    """Return a file with another log, and the head that belongs to it."""
    header = msgpack.unpackb(parts[0][1])
    match, seal = header["match"], parts[1][1]
    log = b"".join([len(step).to_bytes(4, "big") + step for step in steps])
    heads = heads_of(match, seal[128:], steps, len(header["seats"]))
    first = FORGER.sign_head(match, 1, heads[1]) if len(heads) > 1 else bytes(64)
    return sealed([parts[0], (b"seal", seal[:32] + heads[-1] + first + seal[128:]), (b"tlog", log), *parts[3:]])


def _steps(parts: Parts) -> list[bytes]:
    log, place, steps = parts[2][1], 0, []
    while place < len(log):
        end = place + 4 + int.from_bytes(log[place : place + 4], "big")
        steps.append(log[place + 4 : end])
        place = end
    return steps


def _step_bent(chance: random.Random, parts: Parts) -> bytes:
    steps = _steps(parts)
    place = chance.randrange(len(steps))
    honest = steps[place]
    for _ in range(100):
        steps[place] = _flip(chance, honest)
        if _without_id(steps[place]) != _without_id(honest):
            break
    return _with_log(parts, steps)


def _without_id(step: bytes) -> object:
    """Return a step without the 16 random bytes by which its sender named it: only a signature can vouch for those."""
    try:
        version, cause, *rest = msgpack.unpackb(step)
        return version, {key: value for key, value in cause.items() if key != "id"}, rest
    except (msgpack.UnpackException, ValueError, TypeError, AttributeError):
        return step


def _step_moved(chance: random.Random, parts: Parts) -> bytes:
    steps = _steps(parts)
    place = chance.randrange(1, len(steps) - 1)
    match chance.randrange(4):
        case 0:
            del steps[place]
        case 1:
            steps.insert(place, steps[place])
        case 2:
            steps[place], steps[place + 1] = steps[place + 1], steps[place]
        case _:
            del steps[place:]
    return _with_log(parts, steps)


def _other_rules(chance: random.Random, parts: Parts) -> bytes:
    steps = _steps(parts)
    first = msgpack.unpackb(steps[0])
    first[2][0]["rules"] = chance.choice((0, 2, 99, -1))
    return _with_log(parts, [msgpack.packb(first), *steps[1:]])


def _other_secret(chance: random.Random, parts: Parts) -> bytes:
    seal = parts[1][1]
    return sealed([parts[0], (b"seal", seal[:128] + chance.randbytes(32)), *parts[2:]])


def _section_bent(chance: random.Random, parts: Parts) -> bytes:
    # a flipped bit in words that only describe the match is nothing that rules or dice could tell: not "head"
    place = chance.randrange(1, len(parts) - 1)
    name, content = parts[place]
    return sealed([*parts[:place], (name, _flip(chance, content)), *parts[place + 1 :]])


def _paths(chance: random.Random, parts: Parts) -> bytes:
    head = msgpack.unpackb(parts[0][1])
    head[chance.choice(("system", "match"))] = chance.choice(PATHS)
    return sealed([(b"head", msgpack.packb(head)), *parts[1:]])


def _stream_named(chance: random.Random, parts: Parts) -> bytes:
    name = chance.choice(PATHS).encode()
    place = next(n for n, (section, _) in enumerate(parts) if section == b"strm")
    content = parts[place][1]
    rest = content[4 + int.from_bytes(content[:4], "big") :]
    return sealed([*parts[:place], (b"strm", len(name).to_bytes(4, "big") + name + rest), *parts[place + 1 :]])


def _stream_added(chance: random.Random, parts: Parts) -> bytes:
    place = next(n for n, (section, _) in enumerate(parts) if section == b"strm")
    name = chance.choice(("seat/9", "watchers", "escaped")).encode()
    content = parts[place][1]
    rest = content[4 + int.from_bytes(content[:4], "big") :]
    added = (b"strm", len(name).to_bytes(4, "big") + name + rest)
    return sealed([*parts[:place], added, *parts[place:]])


_CAREFUL: Final[dict[str, Callable[[random.Random, Parts], bytes]]] = {
    "a step bent": _step_bent,
    "a step moved": _step_moved,
    "other rules": _other_rules,
    "other secret": _other_secret,
    "a section bent": _section_bent,
    "paths for names": _paths,
    "a stream named after a path": _stream_named,
    "a stream added": _stream_added,
}


def judge(data: bytes) -> str:
    """Return the way in which the change was noticed, empty where it was not."""
    try:
        replay: Replay = read(data, LIMITS)
    except BadReplay as bad:
        return bad.code
    if replay.header.system != "duel":
        return "no such rules"
    try:
        check(replay, Duel())
    except DoesNotHold:
        return "refolding"
    try:
        verify.check(data)
    except verify.VerificationFailed:
        return "checker"
    return ""


def main(good: Path, seed: int, first: int, count: int) -> None:
    """Change and judge a number of files. Only the readers' own errors may come out of them."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    data = good.read_bytes()
    assert not judge(data), "the honest file must hold"
    found: Counter[str] = Counter()
    for number in range(first, first + count):
        chance = random.Random(f"{seed}/{number}")
        kind, made = bend(chance, data)
        noticed = judge(made) if made != data else "unchanged"
        # the checker stands alone: it must refuse in its own way, whatever the others have said
        with suppress(verify.VerificationFailed):
            verify.check(made)
        if not noticed:
            print(json.dumps({"missed": kind, "number": number}))
        found[kind] += 1
        found["noticed"] += bool(noticed)
    print(json.dumps({"files": count, **found}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
