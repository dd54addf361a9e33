"""Causes, which move a match on. One cause with all that follows is a step."""

from __future__ import annotations

import msgspec

from engine.core.rules.record import SeatSettings
from protocol.ids import MatchId
from protocol.scene.nodes import Reply


class Cause(msgspec.Struct, frozen=True, tag_field="c", omit_defaults=True):
    """Base of all causes."""


class Start(Cause, frozen=True, tag="start"):
    """The first cause. `resolved` is the system's content by value, as msgpack; `parts`: programs may add to dice;
    `strict`: they do so before each step that rolls; `version` and `code`: the rule code by name (rule_code.py), as the
    host states it; `options` the values of the rules' options that are not at their default."""

    match: MatchId
    seats: int
    resolved: bytes
    parts: bool = False
    version: str = ""
    code: bytes = b""
    options: dict[str, bool | int | str] = {}
    strict: bool = False


class Seats(Cause, frozen=True, tag="seats"):
    """The holders of all seats, by seat: "person", "bot" or "empty" (protocol/fairness/entropy_record.py). `people`: by
    seat the id of the person in this match alone, empty for others; without any in older logs."""

    holders: tuple[str, ...]
    people: tuple[bytes, ...] = ()


class EntropyCall(Cause, frozen=True, tag="call"):
    """The host's call to the programs whose turn it is to add to the round that a step stopped for."""


class RoundOpened(Cause, frozen=True, tag="round"):
    """The parts that the host has collected for the round that a step stopped for: by seat a link, and the program's
    signature of it, empty for those without; both empty where the table runs without parts."""

    links: tuple[bytes, ...] = ()
    proofs: tuple[bytes, ...] = ()


class Intended(Cause, frozen=True, tag="intent"):
    """A player's act. `id` is the 16 bytes that their client chose; `intent` the system's typed intent, as msgpack;
    `said` the digest of what they filled in (protocol.proof.signed_texts.said_digest), empty where they are given no
    receipt."""

    seat: int
    id: bytes
    intent: bytes
    said: bytes = b""


class Answered(Cause, frozen=True, tag="answer"):
    """The answer that closes a choice question (its last one, where several seats are asked)."""

    seat: int
    id: bytes
    question: int
    reply: Reply


class Expiry(Cause, frozen=True, tag="expiry"):
    """The end of a window or of a seat's time: of question `question`, or (-1) of the turn of `seat`."""

    question: int = -1
    seat: int = -1


class Conceded(Cause, frozen=True, tag="conceded"):
    """A concession: all that is this seat's leaves the table, as its player has asked; at a quiescent match, at any
    seat's turn."""

    seat: int


class Deferred(Cause, frozen=True, tag="deferred"):
    """A step of a strict table that rolls, put off until the other seats' programs have added to its dice: `cause` is
    final from here on, and carried out as soon as their parts are open."""

    cause: Intended | Answered | Expiry | Conceded


class PartsOpened(Cause, frozen=True, tag="opened"):
    """The parts that the host has collected for a deferred step; both as of RoundOpened."""

    links: tuple[bytes, ...]
    proofs: tuple[bytes, ...]


class Undo(Cause, frozen=True, tag="undo"):
    """An act that takes the seat's last act back. `said`: as of an act."""

    seat: int
    id: bytes
    said: bytes = b""


class Aside(Cause, frozen=True, tag="aside"):
    """A change of a seat's own settings; nothing else moves. `said`: as of an act."""

    seat: int
    id: bytes
    settings: SeatSettings
    said: bytes = b""


class Void(Cause, frozen=True, tag="void"):
    """The end of a procedure that the host gives up after every answer, the default too, has met a bug. `error`: the
    log's id of it. Where the bug was met as a round opened, that round is spent: `links` and `proofs` as of
    RoundOpened."""

    error: str
    links: tuple[bytes, ...] = ()
    proofs: tuple[bytes, ...] = ()


class EntropyTip(Cause, frozen=True, tag="tip"):
    """The tip of the entropy chain of this seat's program, and its key (protocol/fairness/entropy_chain.py; in matches
    of dice 1 without a key)."""

    seat: int
    tip: bytes
    key: bytes = b""


class TableEvent(Cause, frozen=True, tag="table"):
    """A public fact of the table that the rules do not see: seating, clocks, votes, connections."""

    kind: str
    seat: int = -1
    detail: str = ""


AnyCause = (
    Start
    | Seats
    | EntropyCall
    | RoundOpened
    | Intended
    | Answered
    | Expiry
    | Conceded
    | Deferred
    | PartsOpened
    | Undo
    | Aside
    | Void
    | EntropyTip
    | TableEvent
)
