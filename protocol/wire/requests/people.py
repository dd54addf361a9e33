"""Requests about people: relations, presence, history and ratings."""

from __future__ import annotations

from typing import Literal

from protocol.wire.client_message import Count, Id, Message, Name, WireTableId

PeopleList = Literal["friends", "asking", "asked", "muted", "blocked", "recent"]
PeopleChange = Literal["ask", "take_back", "accept", "decline", "end", "mute", "unmute", "block", "unblock"]


class GetPeople(Message, frozen=True, tag="get_people"):
    """Request for a page of one of the sender's lists of people, from place `first` on: friends, requests to them
    (`asking`) and of theirs (`asked`), people they have muted, blocked, or played with of late. From then on this
    connection is told of requests and consents as they come."""

    list: PeopleList
    first: Count = 0


class GetPerson(Message, frozen=True, tag="get_person"):
    """Request for a person, and for the sender's lists that they are in."""

    who: Id


class Relate(Message, frozen=True, tag="relate"):
    """Change of the sender's lists about one person: `ask` for friendship and `take_back` that request, `accept` or
    `decline` one of theirs, `end` a friendship; `mute` (their chat) and `block` (all that comes from them) and back. To
    ask, `name` may stand for `who`."""

    what: PeopleChange
    who: Id | None = None
    name: Name | None = None


class ShowPresence(Message, frozen=True, tag="show_presence"):
    """Choice that the sender's friends see when they are here, and at which table, or that they do not."""

    shown: bool


class GetHistory(Message, frozen=True, tag="get_history"):
    """Request for the page of a table's history before entry number `before`, or the newest, with the newest lines of
    chat."""

    table: WireTableId
    before: Count | None = None


class GetResults(Message, frozen=True, tag="get_results"):
    """Request for the ratings of a person and a page of their results: those before number `before`, or the newest.
    Without `who`: the sender's own."""

    who: Id | None = None
    before: Count | None = None


class GetLeaders(Message, frozen=True, tag="get_leaders"):
    """Request for those who are rated best at a system."""

    system: Id
