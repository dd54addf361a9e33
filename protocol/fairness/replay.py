"""Replay files: a finished match that can be watched without its rules and checked without its host.

Layout, all numbers big-endian: the 16 bytes of MAGIC, a version (4 bytes), then sections. A section is a name of 4
ASCII letters, the length of its content (4 bytes) and the content. In this order:

    head    once       msgpack map of `Header`
    seal    once       the commitment s_0, the log's last head (32 bytes each), the host's signature of the first step's
                       head (64 bytes), then the match secret M (32 bytes; absent where it is not opened)
    tlog    once       records: the stored steps of the match, from the first
    strm    any times  records: the name of an audience ("public", "seat/0", ...), then its frames as on the wire:
                       a Snapshot of the beginning (or of the moment after a restart), Deltas; but with all cues
                       whole, since a file is read without what a live connection has, and `part` always there
    text    any times  records: the Catalogue messages of the system, so that the file is readable alone
    sign    once       the host's public key (32 bytes) and its signature (64 bytes) of all before
                       (protocol/proof/signed_texts.py)
    hash    once       SHA-256 over all bytes before this section

A record is its length (4 bytes) and its bytes. Steps: engine/core/match/log.py; heads: engine/core/match/hash_chain.py.
Reading checks the layout and the SHA-256; signatures, heads and dice are checked by client/fairness/verify.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec

from protocol.errors import BadFrame, BadReplay
from protocol.ids import MatchId
from protocol.limits import Limits
from protocol.proof.signed_texts import KEY_BYTES, SIGNATURE_BYTES, Signer, replay_text
from protocol.scene.nodes import Cue, Result
from protocol.text import Text, text
from protocol.wire.codec import decode_message, encode
from protocol.wire.from_server import Catalogue, Delta, FromServer, Snapshot

MAGIC: Final = b"eschaton replay\n"
VERSION: Final = 1
SECTIONS: Final = (b"head", b"seal", b"tlog", b"strm", b"text", b"sign", b"hash")
REPEATED: Final = (b"strm", b"text")

Frame = Snapshot | Delta


class SeatHeader(msgspec.Struct, frozen=True, omit_defaults=True):
    """Holder of a seat, with their faction. `bot`: its kind, empty for a person."""

    name: str
    faction: str
    faction_name: Text | None = None
    bot: str = ""


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    """Line of a list of replays. `when`: unix seconds of the end; `result`: None for an abandoned match."""

    system: str
    scenario: str
    match: MatchId
    host: str
    version: str
    seats: tuple[SeatHeader, ...]
    table: str = ""
    scenario_name: Text | None = None
    when: int = 0
    result: Result | None = None


class Replay(NamedTuple):
    """Whole content of a replay file. `secret` is empty where the host has not opened it: such a match reads
    "unproven".

    `head` is the log's last head, `first` the host's signature of its first, `key` the host's public key: empty before
    the replay is written.
    """

    header: Header
    commitment: bytes
    secret: bytes
    log: tuple[bytes, ...]
    streams: Mapping[str, tuple[Frame, ...]]
    catalogues: tuple[Catalogue, ...]
    head: bytes = bytes(32)
    first: bytes = bytes(SIGNATURE_BYTES)
    key: bytes = b""


_HEADER: Final[msgspec.msgpack.Decoder[Header]] = msgspec.msgpack.Decoder(Header)


def write(replay: Replay, signer: Signer, streams: bytes | None = None) -> bytes:
    """Return the bytes of a file that `read` takes, signed. `streams`: those of the replay, as `stream_sections` gives
    them, where they are at hand. Raises ValueError for a secret or commitment of another size."""
    if {len(replay.commitment), len(replay.head), len(replay.secret) or 32} != {32}:
        raise ValueError("commitment, head and secret are 32 bytes each")
    parts = [MAGIC, VERSION.to_bytes(4, "big")]
    parts.append(_section(b"head", msgspec.msgpack.encode(replay.header)))
    parts.append(_section(b"seal", replay.commitment + replay.head + replay.first + replay.secret))
    parts.append(_section(b"tlog", _records(replay.log)))
    parts.append(stream_sections(replay.streams) if streams is None else streams)
    if replay.catalogues:
        parts.append(_section(b"text", _records(map(encode, replay.catalogues))))
    signature = signer.sign(replay_text(sha256(b"".join(parts)).digest()))
    parts.append(_section(b"sign", signer.public + signature))
    body = b"".join(parts)
    return body + _section(b"hash", sha256(body).digest())


def stream_sections(streams: Mapping[str, Sequence[Frame]]) -> bytes:
    """Return the sections of a file that hold the frames of each audience."""
    return b"".join(
        _section(b"strm", _records([name.encode(), *(msgspec.msgpack.encode(frame_map(frame)) for frame in frames)]))
        for name, frames in streams.items()
    )


def frame_map(frame: Frame) -> dict[str, object]:
    """Return a frame as files have it: with the name of its part, which checkers of every age look for."""
    return {**msgspec.to_builtins(frame), "part": frame.part}


def _section(name: bytes, content: bytes) -> bytes:
    return name + len(content).to_bytes(4, "big") + content


def _records(records: Iterable[bytes]) -> bytes:
    return b"".join([len(record).to_bytes(4, "big") + record for record in records])


def read(data: bytes, limits: Limits) -> Replay:
    """Return the replay in a file. Raises BadReplay, and nothing else, whatever the bytes are."""
    sections = _sections(data, limits)
    streams: dict[str, tuple[Frame, ...]] = {}
    for records in sections[b"strm"]:
        name, frames = _stream(records, limits)
        if name in streams:
            raise _bad("strm")
        streams[name] = frames
    catalogues = [_catalogue(record, limits) for part in sections[b"text"] for record in _split(part, "text", limits)]
    header = _header(sections[b"head"][0])
    commitment, head, first, secret = _seal(sections[b"seal"][0])
    log = tuple(_split(sections[b"tlog"][0], "tlog", limits))
    if len(sections[b"sign"][0]) != KEY_BYTES + SIGNATURE_BYTES:
        raise _bad("sign")
    key = sections[b"sign"][0][:KEY_BYTES]
    return Replay(header, commitment, secret, log, streams, tuple(catalogues), head, first, key)


def read_log(data: bytes, limits: Limits) -> tuple[Header, tuple[bytes, ...]]:
    """Return the header and the steps of a replay in a file, without its pictures, which take ten times the memory of
    the file. Raises BadReplay, and nothing else, whatever the bytes are."""
    sections = _sections(data, limits)
    return _header(sections[b"head"][0]), tuple(_split(sections[b"tlog"][0], "tlog", limits))


def _bad(section: str) -> BadReplay:
    return BadReplay("replay/bad-section", text("replay.bad_section", section=section))


def _sections(data: bytes, limits: Limits) -> dict[bytes, list[bytes]]:
    """Return the contents of all sections by name, after a check of the file's size, its order and its hash."""
    if len(data) > limits.replay_bytes:
        raise BadReplay("replay/too-large", text("replay.too_large", most=limits.replay_bytes))
    if not data.startswith(MAGIC):
        code = "truncated" if MAGIC.startswith(data) and data else "not-a-replay"
        raise BadReplay(f"replay/{code}", text(f"replay.{code.replace('-', '_')}"))
    found: dict[bytes, list[bytes]] = {name: [] for name in SECTIONS}
    place, last, body = len(MAGIC) + 4, -1, 0
    if len(data) >= place and data[len(MAGIC) : place] != VERSION.to_bytes(4, "big"):
        raise BadReplay("replay/wrong-version", text("replay.wrong_version"))
    count = 0
    while not found[b"hash"]:
        name, content, after = _next_section(data, place)
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
            raise _bad(name.decode())
    return found


def _next_section(data: bytes, place: int) -> tuple[bytes, bytes, int]:
    start = place + 8
    end = start + int.from_bytes(data[place + 4 : start], "big")
    if start > len(data) or end > len(data):
        raise BadReplay("replay/truncated", text("replay.truncated"))
    return data[place : place + 4], data[start:end], end


def _split(content: bytes, section: str, limits: Limits) -> Iterator[bytes]:
    place = count = 0
    while place < len(content):
        start = place + 4
        place = start + int.from_bytes(content[start - 4 : start], "big")
        count += 1
        if start > len(content) or place > len(content):
            raise _bad(section)
        if count > limits.replay_records:
            raise BadReplay("replay/too-many", text("replay.too_many", most=limits.replay_records))
        yield content[start:place]


def _header(content: bytes) -> Header:
    try:
        return _HEADER.decode(content)
    except Exception:  # noqa: BLE001 - wrong UTF-8, deep nesting and huge numbers raise others than MsgspecError
        raise _bad("head") from None


def _seal(content: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    if len(content) not in (128, 160):
        raise _bad("seal")
    return content[:32], content[32:64], content[64:128], content[128:]


def _stream(content: bytes, limits: Limits) -> tuple[str, tuple[Frame, ...]]:
    records = _split(content, "strm", limits)
    try:
        name = next(records, b"").decode("ascii")
    except UnicodeDecodeError:
        raise _bad("strm") from None
    frames = tuple(_frame(record, limits) for record in records)
    if not name or len(name) > 64 or not frames or not isinstance(frames[0], Snapshot):
        raise _bad("strm")
    return name, frames


def _frame(record: bytes, limits: Limits) -> Frame:
    message = _message(record, "strm", limits)
    if isinstance(message, Snapshot) or (isinstance(message, Delta) and all(isinstance(c, Cue) for c in message.told)):
        return message
    raise _bad("strm")


def _catalogue(record: bytes, limits: Limits) -> Catalogue:
    message = _message(record, "text", limits)
    if not isinstance(message, Catalogue):
        raise _bad("text")
    return message


def _message(record: bytes, section: str, limits: Limits) -> FromServer:
    try:
        return decode_message(record, limits)
    except BadFrame:
        raise _bad(section) from None
