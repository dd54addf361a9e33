"""Pages of factions: who one of them is, how it plays and what it has, for those who choose."""

from __future__ import annotations

import msgspec

from protocol.text import Text
from protocol.wire.client_message import Id, Message
from protocol.wire.server_message import ServerMessage


class GetFaction(Message, frozen=True, tag="get_faction"):
    """Request for the page of a faction. `known`: the hash of the page of it that the sender has already."""

    system: Id
    faction: Id
    known: Id | None = None


class FactionUnit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A group, unit, vehicle or kind of figure that a faction can have. `glyph`: of its token; `note`: what it costs;
    `lines`: its numbers, weapons and rules."""

    name: Text
    glyph: str = ""
    note: Text | None = None
    lines: tuple[Text, ...] = ()


class FactionRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """A special rule of a faction. `says`: what it does, where its name has no explanation in the catalogue; `rule`:
    the id under which the rulebook tells more of it."""

    name: Text
    says: Text | None = None
    rule: str = ""


class ReadyList(msgspec.Struct, frozen=True, omit_defaults=True):
    """An army list that a faction brings where nobody makes one: its total, and its lines."""

    name: Text
    lines: tuple[Text, ...] = ()


class FactionSheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that a page tells. `glyph`: the emblem; `about`: who they are, the last paragraph how they play; `strong`,
    `weak`: what they are good and bad at; `numbers`: of the faction as a whole."""

    name: Text
    glyph: str = ""
    about: tuple[Text, ...] = ()
    strong: Text | None = None
    weak: Text | None = None
    numbers: tuple[Text, ...] = ()
    units: tuple[FactionUnit, ...] = ()
    rules: tuple[FactionRule, ...] = ()
    lists: tuple[ReadyList, ...] = ()


class FactionShown(ServerMessage, frozen=True, tag="faction_shown"):
    """Answer to GetFaction, with what was asked for. `sheet`: absent where `hash`, which names it, was `known`. `code`,
    `text`: why there is no page."""

    system: str
    faction: str
    hash: str = ""
    sheet: FactionSheet | None = None
    code: str = ""
    text: Text | None = None
