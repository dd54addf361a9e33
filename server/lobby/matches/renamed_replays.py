"""Replays of version 1, which have names in what is signed: those of deleted people are overwritten, and the file is
signed anew by its host."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

import msgspec

from engine.core.rules.dice import MatchDice
from protocol.fairness.replay import Header, read_log
from protocol.fairness.replay_sections import FIRST_VERSION, bad_section, read_sections, section, signed_file
from protocol.proof.signed_texts import KEY_BYTES
from server.accounts.display_names import DELETED, UNNAMED
from server.match.replays import ANY_SIZE, LogHeads, signed_by
from server.runtime.signing import HostKey

SEALED: Final = 160
"""Bytes of the section "seal" of a match whose secret is open."""
ENDING: Final = (b"sign", b"hash")
"""The sections that are made anew."""


def without_people(
    data: bytes, seats: Collection[int], is_theirs: Callable[[str], bool], key: HostKey, former: Collection[bytes]
) -> bytes:
    """Return a replay of version 1 with the names of these seats overwritten, and that of the table where it holds the
    name of one who sat there, signed anew; as it is, where none of them stands there. `former`: the public keys that
    the host had before. Raises BadReplay, also for a file that this host has not signed."""
    sections = read_sections(data, ANY_SIZE)
    header, log = read_log(data, ANY_SIZE)
    signer = sections[b"sign"][0][:KEY_BYTES]
    if signer not in (key.public, *former) or not signed_by(data, signer):
        raise bad_section("sign")
    named = [seat for seat in seats if seat < len(header.seats) and header.seats[seat].name != DELETED]
    if not named and not is_theirs(header.table):
        return data
    # what this program does not know stays as it was read
    head: dict[str, Any] = msgspec.msgpack.decode(sections[b"head"][0])
    for seat in named:
        head["seats"][seat]["name"] = DELETED
    if is_theirs(header.table):
        head["table"] = UNNAMED
    sections[b"head"] = [msgspec.msgpack.encode(head)]
    sections[b"seal"] = [_sealed(sections[b"seal"][0], header, log, key)]
    kept = ((name, content) for name, found in sections.items() if name not in ENDING for content in found)
    return signed_file(FIRST_VERSION, [section(*each) for each in kept], key)


def _sealed(seal: bytes, header: Header, log: Collection[bytes], key: HostKey) -> bytes:
    """Return the seal with the head of the first step under this key: another one than before, where the host has
    changed it since."""
    if len(seal) != SEALED or not log:
        raise bad_section("seal")
    heads = LogHeads(header.match, len(header.seats), MatchDice(seal[128:], header.match))
    try:
        first = heads.add(next(iter(log)))
    except (msgspec.MsgspecError, UnicodeDecodeError, IndexError):
        raise bad_section("tlog") from None
    return seal[:64] + key.sign_head(header.match, 1, first) + seal[128:]
