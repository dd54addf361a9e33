"""Contacts of a person, and their changes between two people. Pure: nothing here reads, writes or tells.

Friendship is by request and consent, and stands in the contacts of both. Muting and blocking are one person's own: the
other is never told, and a request of somebody who is blocked looks to them like any that nobody has answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from protocol.limits import Limits
from server.runtime.refusals import Refused


class Person(NamedTuple):
    """An account, by its id and the name that it has now."""

    who: str
    name: str


class Contact(msgspec.Struct, frozen=True):
    """A person in a list of another; `at`: Unix seconds. `name`: what they were called then, of friends and requests
    alone: those who are deleted are taken out of these, but not out of all other lists."""

    who: str
    name: str
    at: int


List = tuple[Contact, ...]


class Contacts(msgspec.Struct, frozen=True):
    """All lists of one person, the newest last. `asked`: requests of theirs that are open, `asking`: those of others to
    them; `hidden`: no friend sees whether they are here."""

    friends: List = ()
    asked: List = ()
    asking: List = ()
    muted: List = ()
    blocked: List = ()
    recent: List = ()
    hidden: bool = False


NO_CONTACTS: Final = Contacts()


class BothContacts(NamedTuple):
    """The contacts of two people: of the one who acts, and of the other."""

    mine: Contacts
    theirs: Contacts


class Meeting(NamedTuple):
    """Two people, the one who acts first, at a time in Unix seconds."""

    me: Person
    them: Person
    at: int
    limits: Limits


def has(contacts: List, who: str) -> bool:
    """Return True where this person is in a list."""
    return any(contact.who == who for contact in contacts)


def without(contacts: List, who: str) -> List:
    """Return a list without this person."""
    return tuple(contact for contact in contacts if contact.who != who)


def ask(pair: BothContacts, meeting: Meeting) -> BothContacts:
    """Ask for friendship; where the other has asked already, both are friends. Raises Refused."""
    (mine, theirs), (me, them, at, limits) = pair, meeting
    if has(mine.blocked, them.who):
        raise Refused("people/blocked", name=them.name)
    if has(mine.friends, them.who):
        raise Refused("people/friends", name=them.name)
    if has(theirs.asked, me.who):
        return _befriended(pair, meeting)
    if has(mine.asked, them.who):
        raise Refused("people/asked", name=them.name)
    _check_room(pair, meeting)
    if len(mine.asked) >= limits.requests_open:
        raise Refused("people/too-many-requests", most=limits.requests_open)
    if len(theirs.asking) >= limits.requests_received:
        raise Refused("people/too-many-to-them", name=them.name, most=limits.requests_received)
    mine = replace(mine, asked=(*mine.asked, _contact(them, at)))
    if not has(theirs.blocked, me.who):
        theirs = replace(theirs, asking=(*theirs.asking, _contact(me, at)))
    return BothContacts(mine, theirs)


def accept(pair: BothContacts, meeting: Meeting) -> BothContacts:
    """Accept a request: both are friends. Raises Refused."""
    _check_asking(pair, meeting.them)
    return _befriended(pair, meeting)


def _befriended(pair: BothContacts, meeting: Meeting) -> BothContacts:
    me, them, at, _ = meeting
    _check_room(pair, meeting)
    mine, theirs = _without_requests(pair, me, them)
    mine = replace(mine, friends=(*mine.friends, _contact(them, at)))
    return BothContacts(mine, replace(theirs, friends=(*theirs.friends, _contact(me, at))))


def decline(pair: BothContacts, meeting: Meeting) -> BothContacts:
    """Decline a request. Raises Refused."""
    _check_asking(pair, meeting.them)
    return _without_requests(pair, meeting.me, meeting.them)


def take_back(pair: BothContacts, meeting: Meeting) -> BothContacts:
    """Take a request of one's own back. Raises Refused."""
    if not has(pair.mine.asked, meeting.them.who):
        raise Refused("people/no-request")
    return _without_requests(pair, meeting.me, meeting.them)


def end(pair: BothContacts, meeting: Meeting) -> BothContacts:
    """End a friendship; without one nothing changes."""
    mine, theirs = pair
    mine = replace(mine, friends=without(mine.friends, meeting.them.who))
    return BothContacts(mine, replace(theirs, friends=without(theirs.friends, meeting.me.who)))


def mute(pair: BothContacts, meeting: Meeting) -> BothContacts:
    """Read no chat of the other any more. Raises Refused where too many are muted."""
    return pair._replace(mine=replace(pair.mine, muted=_added(pair.mine.muted, meeting, "people/too-many-muted")))


def unmute(pair: BothContacts, meeting: Meeting) -> BothContacts:
    """Read the other's chat again."""
    return pair._replace(mine=replace(pair.mine, muted=without(pair.mine.muted, meeting.them.who)))


def block(pair: BothContacts, meeting: Meeting) -> BothContacts:
    """Block the other: a friendship and the requests to and from them end, but their own request looks open to them.
    Raises Refused where too many are blocked."""
    blocked = _added(pair.mine.blocked, meeting, "people/too-many-blocked")
    mine, theirs = end(pair, meeting)
    asking, asked = (without(found, meeting.them.who) for found in (mine.asking, mine.asked))
    theirs = replace(theirs, asking=without(theirs.asking, meeting.me.who))
    return BothContacts(replace(mine, blocked=blocked, asking=asking, asked=asked), theirs)


def unblock(pair: BothContacts, meeting: Meeting) -> BothContacts:
    """Block the other no more. A request of theirs that was not shown meanwhile ends as if it were declined: nothing
    here would lead to it when this account is deleted."""
    mine, theirs = pair
    if not has(mine.asking, meeting.them.who):
        theirs = replace(theirs, asked=without(theirs.asked, meeting.me.who))
    return BothContacts(replace(mine, blocked=without(mine.blocked, meeting.them.who)), theirs)


CHANGES: Final[Mapping[str, Callable[[BothContacts, Meeting], BothContacts]]] = {
    "ask": ask,
    "take_back": take_back,
    "accept": accept,
    "decline": decline,
    "end": end,
    "mute": mute,
    "unmute": unmute,
    "block": block,
    "unblock": unblock,
}
"""The changes that one person may make about another, by name on the wire (`from_client.Relate`)."""
CONSENT: Final = ("ask", "accept")
"""Those of them for which both need a name of their own."""
TOLD: Final = (*CONSENT, "take_back")
"""Those of which the other is told, unless they have blocked the person."""


def met(mine: Contacts, others: Iterable[Person], at: int, most: int) -> Contacts:
    """Note people that have been played with; the oldest fall off."""
    recent = mine.recent
    for other in others:
        recent = (*without(recent, other.who), Contact(other.who, "", at))
    return replace(mine, recent=recent[-most:])


def forgotten(mine: Contacts, who: str) -> Contacts:
    """Return contacts without an account that is gone, as far as it shared in them."""
    friends, asked, asking = (without(found, who) for found in (mine.friends, mine.asked, mine.asking))
    return replace(mine, friends=friends, asked=asked, asking=asking)


def _contact(person: Person, at: int) -> Contact:
    return Contact(person.who, person.name, at)


def _added(contacts: List, meeting: Meeting, full: str) -> List:
    if has(contacts, meeting.them.who):
        return contacts
    if len(contacts) >= meeting.limits.silenced:
        raise Refused(full, most=meeting.limits.silenced)
    return (*contacts, Contact(meeting.them.who, "", meeting.at))


def _check_asking(pair: BothContacts, them: Person) -> None:
    if not has(pair.mine.asking, them.who):
        raise Refused("people/no-request")


def _check_room(pair: BothContacts, meeting: Meeting) -> None:
    """Raise Refused where one of the two has as many friends as one may have."""
    most = meeting.limits.friends
    if len(pair.mine.friends) >= most:
        raise Refused("people/too-many-friends", most=most)
    if len(pair.theirs.friends) >= most:
        raise Refused("people/too-many-of-theirs", name=meeting.them.name, most=most)


def _without_requests(pair: BothContacts, me: Person, them: Person) -> BothContacts:
    """Return the contacts of both without a request between them."""
    mine, theirs = (
        replace(found, asked=without(found.asked, who), asking=without(found.asking, who))
        for found, who in zip(pair, (them.who, me.who), strict=True)
    )
    return BothContacts(mine, theirs)
