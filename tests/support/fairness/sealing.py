"""A replay sealed as its host would seal it: heads, signatures and hashes of any log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgpack

from engine.core.match.hash_chain import first_head, log_of, next_head, proof_of
from engine.core.rules.dice import MatchDice
from protocol.fairness.replay import Frame, Header, Replay, write
from protocol.ids import MatchId
from server.runtime.signing import HostKey
from tests.support.fairness.signing import HOST


def heads_of(match: MatchId, secret: bytes, log: Sequence[bytes], seats: int) -> list[bytes]:
    """Return the heads after each step, from that before the first; they end where a step has no form."""
    heads = [first_head(match)]
    dice = MatchDice(secret, match)
    with suppress(Exception):
        for version, data in enumerate(log, start=1):
            hidden = msgpack.unpackb(data, strict_map_key=False)[4]
            heads.append(next_head(heads[-1], version, proof_of(data, seats, hidden, dice, log_of(log[0]))))
    return heads


def replay_of(
    header: Header, secret: bytes, log: Sequence[bytes], streams: Mapping[str, tuple[Frame, ...]], host: HostKey = HOST
) -> Replay:
    """Return the whole replay of this log, with the heads that it leads to."""
    heads = heads_of(header.match, secret, log, len(header.seats))
    first = host.sign_head(header.match, 1, heads[1]) if len(heads) > 1 else bytes(64)
    commitment = MatchDice(secret, header.match).commitment
    return Replay(header, commitment, secret, tuple(log), streams, (), heads[-1], first, host.public)


def sealed(replay: Replay, host: HostKey = HOST) -> bytes:
    """Return the sealed file."""
    return write(replay, host)


def packed(step: list[Any]) -> bytes:
    """Return a step as stored."""
    data: bytes = msgpack.packb(step)
    return data
