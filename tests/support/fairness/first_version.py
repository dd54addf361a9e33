"""Replays as servers of before wrote them: of version 1, with names in what is signed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgpack

from protocol.fairness.replay_sections import FIRST_VERSION, read_sections, section, signed_file
from protocol.limits import Limits
from protocol.proof.signed_texts import Signer


def as_first_version(data: bytes, names: Sequence[str], table: str, signer: Signer) -> bytes:
    """Return a file of today as it was written before, with these names of its seats and its table."""
    sections = read_sections(data, Limits())
    head: dict[str, Any] = msgpack.unpackb(sections[b"head"][0])
    for seat, name in zip(head["seats"], names, strict=True):
        seat["name"] = name
        seat.pop("person", None)
    sections[b"head"] = [msgpack.packb({**head, "table": table})]
    signed = [name for name in sections if name not in (b"sign", b"name", b"hash")]
    return signed_file(FIRST_VERSION, [section(name, content) for name in signed for content in sections[name]], signer)
