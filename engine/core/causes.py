"""Causes: what can move a match on. One cause with all that follows is a step."""

from __future__ import annotations

import msgspec

from engine.core.record import SeatSettings
from protocol.scene import Reply


class Cause(msgspec.Struct, frozen=True, tag_field="c", omit_defaults=True):
    """Base of all causes."""


class Start(Cause, frozen=True, tag="start"):
    """The first cause. `resolved` is the system's content by value, as msgpack."""

    match: str
    seats: int
    resolved: bytes


class RoundOpened(Cause, frozen=True, tag="round"):
    """The host has collected the links for the round that a step stopped for."""

    links: tuple[bytes, ...] = ()


class Intended(Cause, frozen=True, tag="intent"):
    """A player's act. `id` is the 16 bytes that his client chose; `intent` the system's typed intent, as msgpack."""

    seat: int
    id: bytes
    intent: bytes


class Answered(Cause, frozen=True, tag="answer"):
    """The answer that closes a choice question (its last one, where several seats are asked)."""

    seat: int
    id: bytes
    question: int
    reply: Reply


class Expiry(Cause, frozen=True, tag="expiry"):
    """A window closed or time ran out: of question `question`, or (-1) of the turn of `seat`."""

    question: int = -1
    seat: int = -1


class Conceded(Cause, frozen=True, tag="conceded"):
    """All that is this seat's leaves the table, as its player has asked; at a quiescent match, whoever's turn it is."""

    seat: int


class Undo(Cause, frozen=True, tag="undo"):
    """A seat takes its last act back."""

    seat: int
    id: bytes


class Aside(Cause, frozen=True, tag="aside"):
    """A seat changes its own settings; nothing else moves."""

    seat: int
    id: bytes
    settings: SeatSettings


class Void(Cause, frozen=True, tag="void"):
    """The host gives a procedure up after every answer, the default too, has met a bug. `error`: the log's id of it."""

    error: str


class Tip(Cause, frozen=True, tag="tip"):
    """The tip of the chain of links that this seat's program opens from now on (protocol/links.py)."""

    seat: int
    tip: bytes


class TableEvent(Cause, frozen=True, tag="table"):
    """A public fact of the table that the rules are not shown: who sits where, clocks, votes, links."""

    kind: str
    seat: int = -1
    detail: str = ""


AnyCause = Start | RoundOpened | Intended | Answered | Expiry | Conceded | Undo | Aside | Void | Tip | TableEvent
