"""A player's program, or a spectator's, at a match of `EntropyMatch`, and its mark of the dice. Without a window."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from client.fairness.dice_mark import DiceMark
from client.model.session import ClientSession
from client.net.connection import Up
from client.storage.profile import UserProfile
from protocol.fairness.contributor import ChainStore, MemoryChains
from protocol.ids import TableId
from protocol.limits import Limits
from protocol.proof.facts import AnyFact
from protocol.wire.codec import decode_message, encode
from protocol.wire.from_server import Proof, TableView, Welcome
from tests.support.clients.dice.opener import Opener
from tests.support.clients.sessions import ADDRESS, Wire
from tests.support.examples import scenes
from tests.support.fairness.entropy_match import EntropyMatch
from tests.support.fairness.signing import HOST

NAMES = ("Ada", "Bea", "Cyd", "Dee", "Eve", "Fay")


def frames(seat: int, names: tuple[str, ...] = NAMES) -> list[bytes]:
    """Return the frames for a program that comes to the table of a `EntropyMatch` match, whose host has a key."""
    heard = []
    for message in (decode_message(frame, Limits()) for frame in scenes.table_frames(seat)):
        if isinstance(message, Welcome):
            message = replace(message, key=HOST.public)
        if isinstance(message, TableView):
            seats = tuple(replace(one, name=names[one.seat], bot="") for one in message.seats)
            message = replace(message, id="m1", seats=seats)
        heard.append(encode(message))
    return heard


def chains_of(program: Opener | None) -> ChainStore:
    """Return the store of a program that has drawn this chain before."""
    chains = MemoryChains()
    if program is not None:
        chains.save(HOST.public, program.kept, None)
    return chains


def told(match: EntropyMatch, seat: int, facts: list[AnyFact] | None = None) -> Proof:
    """Return all facts so far, as told to this seat, or others in their place."""
    return Proof(TableId("m1"), 0, tuple(match.facts(seat) if facts is None else facts), seat=seat)


def seen(
    match: EntropyMatch,
    seat: int,
    own: Opener | None = None,
    facts: list[AnyFact] | None = None,
    names: tuple[str, ...] = NAMES,
    receipts: Path | None = None,
) -> DiceMark:
    """Return the mark at `seat` (-1: a spectator's) after all events; `own`: the program's chain."""
    session = ClientSession(
        ADDRESS, UserProfile("Bertram"), lambda: True, lambda: 100.0, Wire, receipts, chains=chains_of(own)
    )
    assert isinstance(session.link, Wire)
    session.link.waiting = [Up()]
    session.pump()
    for frame in [*frames(seat, names), encode(told(match, seat, facts))]:
        session.receive(frame)
    return DiceMark(session.table_check)
