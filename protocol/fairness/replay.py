"""Replay files: a finished match that can be watched without its rules and checked without its host.

The layout of the bytes: protocol/fairness/replay_sections.py. Reading checks it and the SHA-256; signatures, heads and
dice are checked by client/fairness/verify.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from protocol.errors import BadFrame
from protocol.fairness.replay_sections import (
    VERSION,
    bad_section,
    read_sections,
    record_bytes,
    records_in,
    section,
    signed_file,
)
from protocol.ids import MatchId
from protocol.limits import Limits
from protocol.proof.signed_texts import KEY_BYTES, SIGNATURE_BYTES, Signer
from protocol.scene.nodes import Cue, Result
from protocol.text import Text
from protocol.wire.codec import decode_message, encode
from protocol.wire.from_server import Catalogue, Delta, FromServer, Snapshot

Frame = Snapshot | Delta
T = TypeVar("T")


class SeatHeader(msgspec.Struct, frozen=True, omit_defaults=True):
    """Holder of a seat, with their faction. `bot`: its kind, empty for a person; `person`: the id of the person in this
    match alone, by which the log names them (empty in version 1)."""

    name: str = ""
    faction: str = ""
    faction_name: Text | None = None
    bot: str = ""
    person: bytes = b""


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    """Line of a list of replays. `when`: unix seconds of the end; `result`: None for an abandoned match. The names of
    seats and table stand in the section "name", and are empty where a file has none."""

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


class Names(msgspec.Struct, frozen=True, omit_defaults=True):
    """Names that stand beside a match: of its table, and of the holder of each seat. No host vouches for them."""

    table: str = ""
    seats: tuple[str, ...] = ()


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
_NAMES: Final[msgspec.msgpack.Decoder[Names]] = msgspec.msgpack.Decoder(Names)


def write(replay: Replay, signer: Signer, streams: bytes | None = None) -> bytes:
    """Return the bytes of a file that `read` takes, signed but for the names of its header. `streams`: those of the
    replay, as `stream_sections` gives them, where they are at hand. Raises ValueError for a secret or commitment of
    another size."""
    if {len(replay.commitment), len(replay.head), len(replay.secret) or 32} != {32}:
        raise ValueError("commitment, head and secret are 32 bytes each")
    sections = [section(b"head", msgspec.msgpack.encode(_with_names(replay.header, Names())))]
    sections.append(section(b"seal", replay.commitment + replay.head + replay.first + replay.secret))
    sections.append(section(b"tlog", record_bytes(replay.log)))
    sections.append(stream_sections(replay.streams) if streams is None else streams)
    if replay.catalogues:
        sections.append(section(b"text", record_bytes(map(encode, replay.catalogues))))
    names = names_of(replay.header)
    has_names = names.table or any(names.seats)
    return signed_file(VERSION, sections, signer, names_section(names) if has_names else b"")


def names_of(header: Header) -> Names:
    """Return the names in a header."""
    return Names(header.table, tuple(seat.name for seat in header.seats))


def _with_names(header: Header, names: Names) -> Header:
    """Return the header with these names, and no others; seats that they do not name have none."""
    named = dict(enumerate(names.seats))
    seats = tuple(replace(seat, name=named.get(number, "")) for number, seat in enumerate(header.seats))
    return replace(header, table=names.table, seats=seats)


def names_section(names: Names) -> bytes:
    """Return the section of a file that holds these names: it stands right before the last one."""
    return section(b"name", msgspec.msgpack.encode(names))


def stream_sections(streams: Mapping[str, Sequence[Frame]]) -> bytes:
    """Return the sections of a file that hold the frames of each audience."""
    return b"".join(
        section(b"strm", record_bytes([name.encode(), *(msgspec.msgpack.encode(frame_map(frame)) for frame in frames)]))
        for name, frames in streams.items()
    )


def frame_map(frame: Frame) -> dict[str, object]:
    """Return a frame as files have it: with the name of its part, which checkers of every age look for."""
    return {**msgspec.to_builtins(frame), "part": frame.part}


def read(data: bytes, limits: Limits) -> Replay:
    """Return the replay in a file. Raises BadReplay, and nothing else, whatever the bytes are."""
    sections = read_sections(data, limits)
    streams: dict[str, tuple[Frame, ...]] = {}
    for records in sections[b"strm"]:
        name, frames = _stream(records, limits)
        if name in streams:
            raise bad_section("strm")
        streams[name] = frames
    catalogues = [
        _catalogue(record, limits) for part in sections[b"text"] for record in records_in(part, "text", limits)
    ]
    header = _header(sections)
    commitment, head, first, secret = _seal(sections[b"seal"][0])
    log = tuple(records_in(sections[b"tlog"][0], "tlog", limits))
    if len(sections[b"sign"][0]) != KEY_BYTES + SIGNATURE_BYTES:
        raise bad_section("sign")
    key = sections[b"sign"][0][:KEY_BYTES]
    return Replay(header, commitment, secret, log, streams, tuple(catalogues), head, first, key)


def read_log(data: bytes, limits: Limits) -> tuple[Header, tuple[bytes, ...]]:
    """Return the header and the steps of a replay in a file, without its pictures, which take ten times the memory of
    the file. Raises BadReplay, and nothing else, whatever the bytes are."""
    sections = read_sections(data, limits)
    return _header(sections), tuple(records_in(sections[b"tlog"][0], "tlog", limits))


def _header(sections: Mapping[bytes, list[bytes]]) -> Header:
    """Return the header with the names that stand beside it, or of a file of version 1 in it."""
    header = _decoded(_HEADER, "head", sections[b"head"][0])
    if b"name" not in sections:
        return header
    names = Names()
    for content in sections[b"name"]:
        names = _decoded(_NAMES, "name", content)
        if len(names.seats) != len(header.seats):
            raise bad_section("name")
    return _with_names(header, names)


def _decoded(decoder: msgspec.msgpack.Decoder[T], name: str, content: bytes) -> T:
    try:
        return decoder.decode(content)
    except Exception:  # noqa: BLE001 - wrong UTF-8, deep nesting and huge numbers raise others than MsgspecError
        raise bad_section(name) from None


def _seal(content: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    if len(content) not in (128, 160):
        raise bad_section("seal")
    return content[:32], content[32:64], content[64:128], content[128:]


def _stream(content: bytes, limits: Limits) -> tuple[str, tuple[Frame, ...]]:
    records = records_in(content, "strm", limits)
    try:
        name = next(records, b"").decode("ascii")
    except UnicodeDecodeError:
        raise bad_section("strm") from None
    frames = tuple(_frame(record, limits) for record in records)
    if not name or len(name) > 64 or not frames or not isinstance(frames[0], Snapshot):
        raise bad_section("strm")
    return name, frames


def _frame(record: bytes, limits: Limits) -> Frame:
    message = _message(record, "strm", limits)
    if isinstance(message, Snapshot) or (isinstance(message, Delta) and all(isinstance(c, Cue) for c in message.told)):
        return message
    raise bad_section("strm")


def _catalogue(record: bytes, limits: Limits) -> Catalogue:
    message = _message(record, "text", limits)
    if not isinstance(message, Catalogue):
        raise bad_section("text")
    return message


def _message(record: bytes, section: str, limits: Limits) -> FromServer:
    try:
        return decode_message(record, limits)
    except BadFrame:
        raise bad_section(section) from None
