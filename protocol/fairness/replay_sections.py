"""Sections of replay files: how the bytes of a file are cut, and what each holds.

Layout, all numbers big-endian: the 16 bytes of MAGIC, a version (4 bytes), then sections. A section is a name of 4
ASCII letters, the length of its content (4 bytes) and the content. In this order:

    head    once       msgpack map of `Header`, in version 2 without names of people and tables
    seal    once       the commitment s_0, the log's last head (32 bytes each), the host's signature of the first step's
                       head (64 bytes), then the match secret M (32 bytes; absent where it is not opened)
    tlog    once       records: the stored steps of the match, from the first
    strm    any times  records: the name of an audience ("public", "seat/0", ...), then its frames as on the wire:
                       a Snapshot of the beginning (or of the moment after a restart), Deltas; but with all cues
                       whole, since a file is read without what a live connection has, and `part` always there
    text    any times  records: the Catalogue messages of the system, so that the file is readable alone
    sign    once       the host's public key (32 bytes) and its signature (64 bytes) of all before
                       (protocol/proof/signed_texts.py)
    name    at most    version 2 alone: msgpack map of `Names`, as whoever sent the file knew them then; not signed
            once
    hash    once       SHA-256 over all bytes before this section

A record is its length (4 bytes) and its bytes. Steps: engine/core/match/log.py; heads: engine/core/match/hash_chain.py.
What the sections hold: protocol/fairness/replay.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final

from protocol.errors import BadReplay
from protocol.limits import Limits
from protocol.proof.signed_texts import KEY_BYTES, SIGNATURE_BYTES, Signer, replay_text
from protocol.text import text

MAGIC: Final = b"eschaton replay\n"
VERSION: Final = 2
"""The version that is written. The one before, which has names in its head, is read for ever."""
FIRST_VERSION: Final = 1
SECTIONS: Final = (b"head", b"seal", b"tlog", b"strm", b"text", b"sign", b"name", b"hash")
BEGINNING_BYTES: Final = len(MAGIC) + 4
"""Bytes before the first section."""
SIGN_SECTION: Final = 8 + KEY_BYTES + SIGNATURE_BYTES
HASH_SECTION: Final = 40
"""Bytes of the section that ends a file."""
REPEATED: Final = (b"strm", b"text")


def section(name: bytes, content: bytes) -> bytes:
    """Return the bytes of a section."""
    return name + len(content).to_bytes(4, "big") + content


def record_bytes(records: Iterable[bytes]) -> bytes:
    """Return the content of a section of records."""
    return b"".join([len(record).to_bytes(4, "big") + record for record in records])


def signed_file(version: int, sections: Iterable[bytes], signer: Signer, names: bytes = b"") -> bytes:
    """Return the whole file of these sections. `names`: the section of names, which the signature leaves out."""
    body = b"".join((MAGIC, version.to_bytes(4, "big"), *sections))
    signature = signer.sign(replay_text(sha256(body).digest()))
    body = b"".join((body, section(b"sign", signer.public + signature), names))
    return body + hash_section(sha256(body).digest())


def hash_section(digest: bytes) -> bytes:
    """Return the section that ends a file, of which `digest` is the SHA-256 up to there."""
    return section(b"hash", digest)


def bad_section(name: str) -> BadReplay:
    """Return the refusal of a file for one of its sections."""
    return BadReplay("replay/bad-section", text("replay.bad_section", section=name))


def version_of(data: bytes) -> int:
    """Return the version that the beginning of a file names, 0 where it is no replay."""
    return int.from_bytes(data[len(MAGIC) : BEGINNING_BYTES], "big") if data.startswith(MAGIC) else 0


def read_sections(data: bytes, limits: Limits) -> dict[bytes, list[bytes]]:
    """Return the contents of all sections that its version has by name, in the order of a file, after a check of the
    file's size, its order and its hash. Raises BadReplay, and nothing else, whatever the bytes are."""
    if len(data) > limits.replay_bytes:
        raise BadReplay("replay/too-large", text("replay.too_large", most=limits.replay_bytes))
    if not data.startswith(MAGIC):
        code = "truncated" if MAGIC.startswith(data) and data else "not-a-replay"
        raise BadReplay(f"replay/{code}", text(f"replay.{code.replace('-', '_')}"))
    version = version_of(data)
    if len(data) >= BEGINNING_BYTES and not FIRST_VERSION <= version <= VERSION:
        raise BadReplay("replay/wrong-version", text("replay.wrong_version"))
    found: dict[bytes, list[bytes]] = {name: [] for name in SECTIONS if name != b"name" or version != FIRST_VERSION}
    place, last, body = BEGINNING_BYTES, -1, 0
    count = 0
    while not found[b"hash"]:
        name, content, after = next_section(data, place)
        if name not in found:
            raise BadReplay("replay/damaged", text("replay.damaged"))
        order = SECTIONS.index(name)
        if order < last or (order == last and name not in REPEATED):
            raise BadReplay("replay/damaged", text("replay.damaged"))
        found[name].append(content)
        place, last, body = after, order, place
        count += 1
        if count > limits.array:
            raise BadReplay("replay/too-many", text("replay.too_many", most=limits.array))
    if place != len(data) or found[b"hash"][0] != sha256(memoryview(data)[:body]).digest():
        raise BadReplay("replay/damaged", text("replay.damaged"))
    for name in (b"head", b"seal", b"tlog", b"sign"):
        if not found[name]:
            raise bad_section(name.decode())
    return found


def next_section(data: bytes, place: int) -> tuple[bytes, bytes, int]:
    """Return the name and the content of the section that begins at this place, and the place behind it. Raises
    BadReplay."""
    start = place + 8
    end = start + int.from_bytes(data[place + 4 : start], "big")
    if start > len(data) or end > len(data):
        raise BadReplay("replay/truncated", text("replay.truncated"))
    return data[place : place + 4], data[start:end], end


def records_in(content: bytes, name: str, limits: Limits) -> Iterator[bytes]:
    """Yield the records of a section of this name. Raises BadReplay."""
    place = count = 0
    while place < len(content):
        start = place + 4
        place = start + int.from_bytes(content[start - 4 : start], "big")
        count += 1
        if start > len(content) or place > len(content):
            raise bad_section(name)
        if count > limits.replay_records:
            raise BadReplay("replay/too-many", text("replay.too_many", most=limits.replay_records))
        yield content[start:place]


def signed_bytes(data: bytes) -> bytes:
    """Return all bytes of a readable file that its signature is of. Raises BadReplay."""
    place = BEGINNING_BYTES
    while True:
        name, _, after = next_section(data, place)
        if name == b"sign":
            return data[:place]
        place = after
