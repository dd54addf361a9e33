"""Requests of a person: to come, to be known again, and to be forgotten."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from protocol.wire.client_message import Count, Id, Language, Message, Name, Password, WireSeq, WireTableId


class Resume(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Last numbers that a returning client has of a table's stream; see `Snapshot.stream`."""

    table: WireTableId
    stream: Id
    public: WireSeq
    private: WireSeq


class Hello(Message, frozen=True, tag="hello"):
    """First message, within `handshake_seconds`: the person, and the place where they left off. With `token` the person
    it was given to, with `password` the one who keeps `name` with it (then the token says nothing), else a new guest.
    `adds`: the program adds to the dice wherever the person has a seat."""

    version: Count
    name: Name
    token: Annotated[str, Meta(max_length=128)] | None = None
    password: Password | None = None
    language: Language = "en"
    catalogues: Annotated[list[Id], Meta(max_length=32)] = msgspec.field(default_factory=list)
    resume: Resume | None = None
    adds: bool = False


class Speak(Message, frozen=True, tag="speak"):
    """Request for the catalogues of all systems in this language, which is that of the sender from now on."""

    language: Language


class TokenKept(Message, frozen=True, tag="kept"):
    """Note that the client has kept the token of the Welcome; the one that it came with may be forgotten."""


class Logout(Message, frozen=True, tag="logout"):
    """Request to forget all tokens of the sender on all devices and to close their connections. Seats are kept, but
    only a seat code leads back to them, or the password of a name that is kept."""


class KeepName(Message, frozen=True, tag="keep_name"):
    """Request to keep the sender's name on this server, so that they can sign in with it and `password` anywhere.
    Whoever keeps it already changes the password, which needs the `old` one and ends their sessions on all other
    devices."""

    password: Password
    old: Password | None = None


class Rename(Message, frozen=True, tag="rename"):
    """Request to be called otherwise from now on. A match that is on keeps the name with which it began. A name that
    was kept by a password is kept from others for 30 days after."""

    name: Name


class DeleteAccount(Message, frozen=True, tag="delete_account"):
    """Request to delete the sender's account with all that is kept of it, and to close all their connections; whoever
    keeps their name needs its `password`. Matches stay, without the name."""

    password: Password | None = None


class GetSeatCode(Message, frozen=True, tag="seat_code"):
    """Player: request for a code by which their seat at this table passes to another device, once and soon."""


class UseSeatCode(Message, frozen=True, tag="use_seat_code"):
    """Request to take over the seat of a seat code from its holder, whose connection is closed."""

    code: Annotated[str, Meta(min_length=1, max_length=16)]


class Ping(Message, frozen=True, tag="ping"):
    """Request for a Pong with the same number."""

    n: Count
