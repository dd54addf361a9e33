"""Replays, made at the end of a match from its log, with the stream of every audience."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec.structs import replace

from engine.core.match.hash_chain import first_head, log_of, next_head, proof_of
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import RuleDiverged
from engine.core.view.projection import Projector
from protocol.fairness.replay import Header, Replay, SeatHeader, write
from protocol.ids import BEGINNING
from protocol.proof.signed_texts import KEY_BYTES, SIGNATURE_BYTES, replay_text
from protocol.scene.template_filling import TemplateFilling
from protocol.wire.from_server import Delta, Snapshot
from server.match.frames import PRIVATE, PUBLIC, delta, private_snapshot, public_snapshot
from server.runtime.version import program_version

if TYPE_CHECKING:
    from engine.core.match.folded_match import Step
    from protocol.scene.nodes import Result
    from server.content.systems import Installed
    from server.lobby.table.table_record import TableRecord
    from server.runtime.signing import HostKey

STREAM: Final = "replay"
LANGUAGE: Final = "en"
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
) -> bytes:
    """Make the signed file of a finished match. `now`: unix seconds."""
    match: Match[Any] = Match(installed.system, table.match, MatchDice(secret, table.match))
    first: list[bytes] = []

    def take(match: Match[Any], data: bytes) -> Step[Any]:
        step = fold(match, data)
        if not first:
            first.append(key.sign_head(match.id, match.version, match.head))
        return step

    streams = shown(match, steps, take)
    catalogues = (installed.catalogue(LANGUAGE),)
    header = _header(installed, table, result, now)
    replay = Replay(header, match.dice.commitment, secret, tuple(steps), streams, catalogues, match.head, first[0])
    return write(replay, key)


def make_bare(table: TableRecord, secret: bytes, steps: Iterable[bytes], now: int, key: HostKey) -> bytes:
    """Make the signed file of a match that these rules cannot play: its steps up to the first that cannot be read, and
    its secret, so that its dice can be checked; nothing to look at. Empty where no step can be read."""
    dice = MatchDice(secret, table.match)
    head, first, kept, log = first_head(table.match), b"", [], 0
    for version, data in enumerate(steps, start=1):
        try:
            hidden = _HIDDEN.decode(data)[-1]
            log = log or log_of(data)
            head = next_head(head, version, proof_of(data, len(table.seats), hidden, dice, log))
        except (msgspec.MsgspecError, UnicodeDecodeError, IndexError):
            break
        first = first or key.sign_head(table.match, version, head)
        kept.append(data)
    if not kept:
        return b""
    streams: dict[str, tuple[Snapshot | Delta, ...]] = {PUBLIC: (Snapshot(PUBLIC, STREAM, BEGINNING, {}, 0),)}
    header = _header(None, table, None, now)
    return write(Replay(header, dice.commitment, secret, tuple(kept), streams, (), head, first), key)


def _header(installed: Installed | None, table: TableRecord, result: Result | None, now: int) -> Header:
    scenario = installed.scenarios.get(table.scenario) if installed is not None else None
    factions = {info.id: info.name for info in scenario.factions} if scenario is not None else {}
    return Header(
        system=table.system,
        scenario=table.scenario,
        match=table.match,
        host="eschaton-server",
        version=program_version(),
        seats=tuple(SeatHeader(s.name, s.faction, factions.get(s.faction), s.bot) for s in table.seats),
        table=table.name,
        scenario_name=scenario.name if scenario is not None else None,
        when=now,
        result=result,
    )


def signed_by(data: bytes, key: bytes) -> bool:
    """Return True where the bytes of a readable replay carry this key's signature."""
    # the last sections are fixed: sign (8 + 96 bytes) and hash (8 + 32)
    body = data[: -(8 + KEY_BYTES + SIGNATURE_BYTES + 8 + 32)]
    signature = data[len(body) + 8 + KEY_BYTES :][:SIGNATURE_BYTES]
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, replay_text(sha256(body).digest()))
    except (InvalidSignature, ValueError):
        return False
    return True


def fold(match: Match[Any], data: bytes) -> Step[Any]:
    """Fold one stored step, and make a waiting procedure again. Raises LogDamaged."""
    step = match.replay(data)
    # what older rules asked cannot be asked again; the rest of the picture is whole
    with suppress(RuleDiverged):
        match.resume()
    return step


def shown(
    match: Match[Any], steps: Iterable[bytes], take: Callable[[Match[Any], bytes], Step[Any]]
) -> dict[str, tuple[Snapshot | Delta, ...]]:
    """Return the frames that each audience ("public", "seat/0", ...) sees of these steps; `take` carries each out on
    `match`."""
    remaining = iter(steps)
    take(match, next(remaining))
    projector = Projector(match, STREAM)
    streams: dict[str, list[Snapshot | Delta]] = {PUBLIC: [public_snapshot(projector)]}
    for seat in projector.private:
        streams[f"seat/{seat}"] = [private_snapshot(projector, seat)]
    forms = {form.id: form.template for form in match.system.cue_templates}
    views = {PUBLIC: projector.public, **{f"seat/{seat}": view for seat, view in projector.private.items()}}
    nodes = {audience: view.hashed.nodes for audience, view in views.items()}
    for data in remaining:
        frames = projector.advance(take(match, data))
        changes = {f"seat/{seat}": delta(PRIVATE, change) for seat, change in frames.private.items()}
        if frames.public is not None:
            changes[PUBLIC] = delta(PUBLIC, frames.public)
        # the nodes of whom nothing is told are what they were
        after = nodes | {audience: views[audience].hashed.nodes for audience in changes}
        for audience, change in changes.items():
            names = (nodes[audience], after[audience], after[PUBLIC])
            cues = TemplateFilling(forms, names).cues(change.told, change.of)
            acts = TemplateFilling({}, names[1:]).acts(change.acts)
            streams[audience].append(replace(change, told=cues, of=(), acts=acts))
        nodes = after
    return {audience: tuple(messages) for audience, messages in streams.items()}


def save(path: Path, data: bytes) -> None:
    """Write a file whole, or leave what was there. Raises OSError."""
    fresh = path.with_suffix(f".{secrets.token_hex(4)}")
    with fresh.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
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
