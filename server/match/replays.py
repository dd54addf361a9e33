"""Replays, made at the end of a match from its log, with the stream of every audience."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from engine.core.match.causes import Seats
from engine.core.match.hash_chain import first_head, log_of, next_head, proof_of
from engine.core.rules.dice import MatchDice
from protocol.fairness.replay import Header, Replay, SeatHeader, write
from protocol.fairness.replay_sections import SIGN_SECTION, signed_bytes
from protocol.ids import BEGINNING, MatchId
from protocol.limits import Limits
from protocol.proof.signed_texts import SIGNATURE_BYTES, replay_text
from protocol.wire.from_server import Delta, Snapshot
from server.match.frames import PUBLIC
from server.match.playback import STREAM, Playback, played
from server.match.stored_causes import causes_in
from server.runtime.version import program_version

if TYPE_CHECKING:
    from protocol.scene.nodes import Result
    from server.content.systems import Installed
    from server.lobby.table.table_record import TableRecord
    from server.runtime.signing import HostKey

ANY_SIZE: Final = Limits(replay_bytes=1 << 31, replay_records=1 << 31)
"""Of files that this host has written itself."""
_HIDDEN: Final = msgspec.msgpack.Decoder(
    tuple[int, msgspec.Raw, list[msgspec.Raw], msgspec.Raw, dict[int, tuple[int, ...]]]
)


def make(
    installed: Installed,
    table: TableRecord,
    secret: bytes,
    steps: Sequence[bytes],
    result: Result | None,
    now: int,
    key: HostKey,
    playback: Playback | None = None,
) -> bytes:
    """Make the signed file of a finished match. `now`: unix seconds; `playback`: what the rules tell of these steps,
    None to ask them here. Raises LogDamaged, and whatever the rules raise."""
    found = playback or played(installed.system, table.match, secret, steps)
    dice = MatchDice(secret, table.match)
    first = key.sign_head(table.match, 1, LogHeads(table.match, len(table.seats), dice).add(steps[0]))
    header = _header(installed, table, steps, result, now)
    first_one, *others = map(installed.catalogue, installed.languages)
    # an id stands for the same form in each
    catalogues = (first_one, *(msgspec.structs.replace(other, forms=()) for other in others))
    replay = Replay(header, dice.commitment, secret, tuple(steps), {}, catalogues, found.head, first)
    return write(replay, key, found.streams)


class LogHeads:
    """The heads of a match's log, worked out without its rules."""

    def __init__(self, match: MatchId, seats: int, dice: MatchDice) -> None:
        self.head = first_head(match)
        self._seats = seats
        self._dice = dice
        self._version = self._log = 0

    def add(self, step: bytes) -> bytes:
        """Return the head after the next step. Raises msgspec.MsgspecError, UnicodeDecodeError, IndexError."""
        hidden = _HIDDEN.decode(step)[-1]
        self._log = self._log or log_of(step)
        self._version += 1
        proof = proof_of(step, self._seats, hidden, self._dice, self._log)
        self.head = next_head(self.head, self._version, proof)
        return self.head


def make_bare(table: TableRecord, secret: bytes, steps: Iterable[bytes], now: int, key: HostKey) -> bytes:
    """Make the signed file of a match that these rules cannot play: its steps up to the first that cannot be read, and
    its secret, so that its dice can be checked; nothing to look at. Empty where no step can be read."""
    dice = MatchDice(secret, table.match)
    chain, first, kept = LogHeads(table.match, len(table.seats), dice), b"", []
    for data in steps:
        try:
            head = chain.add(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, IndexError):
            break
        first = first or key.sign_head(table.match, 1, head)
        kept.append(data)
    if not kept:
        return b""
    streams: dict[str, tuple[Snapshot | Delta, ...]] = {PUBLIC: (Snapshot(PUBLIC, STREAM, BEGINNING, {}, 0),)}
    header = _header(None, table, kept, None, now)
    return write(Replay(header, dice.commitment, secret, tuple(kept), streams, (), chain.head, first), key)


def _header(
    installed: Installed | None, table: TableRecord, steps: Sequence[bytes], result: Result | None, now: int
) -> Header:
    """Make the header of a file, without any name of people: those are filled in as it is sent."""
    scenario = installed.scenarios.get(table.scenario) if installed is not None else None
    factions = {info.id: info.name for info in scenario.factions} if scenario is not None else {}
    people = _people_in(steps)
    return Header(
        system=table.system,
        scenario=table.scenario,
        match=table.match,
        host="eschaton-server",
        version=program_version(),
        seats=tuple(
            SeatHeader("", seat.faction, factions.get(seat.faction), seat.bot, people.get(number, b""))
            for number, seat in enumerate(table.seats)
        ),
        scenario_name=scenario.name if scenario is not None else None,
        when=now,
        result=result,
    )


def _people_in(steps: Sequence[bytes]) -> dict[int, bytes]:
    """Return by seat the id of the last person who held it, as a log has it."""
    causes = causes_in(steps, Seats)
    return {seat: person for cause in causes for seat, person in enumerate(cause.get("people", ())) if person}


def signed_by(data: bytes, key: bytes) -> bool:
    """Return True where the bytes of a readable replay carry this key's signature."""
    body = signed_bytes(data)
    signature = data[len(body) :][:SIGN_SECTION][-SIGNATURE_BYTES:]
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, replay_text(sha256(body).digest()))
    except (InvalidSignature, ValueError):
        return False
    return True


def save(path: Path, data: bytes) -> None:
    """Write a file whole, or leave what was there. Raises OSError."""
    fresh = path.with_suffix(f".{secrets.token_hex(4)}")
    try:
        with fresh.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError:
        # on a full disk half a file at each try would keep it full
        with suppress(OSError):
            fresh.unlink()
        raise
    make_durable(path)


def make_durable(path: Path) -> None:
    """Return when this file and its name are on the disk. Raises OSError."""
    for place, flags in ((path, os.O_RDONLY), (path.parent, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))):
        with suppress(PermissionError):  # Windows opens no folders, and needs no such care for names
            handle = os.open(place, flags)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
