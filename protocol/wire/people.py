"""People in the lists of the receiver: friends, requests, muted, blocked, and played with of late."""

from __future__ import annotations

import msgspec

from protocol.ids import NO_TABLE, TableId
from protocol.wire.server_message import ServerMessage


class PersonRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """Person in a list of the receiver since `at` (unix seconds). `name`: theirs now, empty where they are deleted. Of
    friends who show it: `here`: they are connected; `table`: where they are, if the receiver may come there, with its
    name and `state`; `free`: there is a seat to take."""

    who: str
    name: str
    at: int = 0
    here: bool = False
    table: TableId = NO_TABLE
    table_name: str = ""
    state: str = ""
    free: bool = False


class PeoplePage(ServerMessage, frozen=True, tag="people"):
    """Answer to GetPeople: the page of this list from place `first` on, of `total` people; those who are here first,
    else the newest. `hidden`: the receiver's friends do not see whether they are here."""

    list: str
    rows: tuple[PersonRow, ...] = ()
    first: int = 0
    total: int = 0
    hidden: bool = False


class PersonCard(ServerMessage, frozen=True, tag="person"):
    """Person, and the receiver's lists that they are in now. `kept`: the name is theirs by a password; `asking`: they
    ask the receiver for friendship, `asked`: the receiver asks them. `news`: it has just become so by what they did:
    they ask, have accepted, or have taken a request back."""

    who: str
    name: str
    kept: bool = False
    friend: bool = False
    asking: bool = False
    asked: bool = False
    muted: bool = False
    blocked: bool = False
    news: bool = False
