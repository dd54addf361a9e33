"""The commands of people about each other: lists, requests, muting and blocking, and who of their friends is here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from protocol.wire.people import PeoplePage, PersonCard, PersonRow
from server.accounts.current_names import CurrentNames
from server.lobby.table.table_names import title_of
from server.lobby.table.table_record import OPEN
from server.lobby.table.views import may_see
from server.people.contacts import CONSENT, TOLD, Contact, Contacts, List, Person, has
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from protocol.wire import from_client as said
    from server.accounts.identities import Account, Identities
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session

SILENCING: Final = ("mute", "unmute", "block", "unblock")
"""Changes after which the sender reads other lines of chat."""


class PeopleCommands:
    """Methods, one for each message, called for the session that has sent it. One that raises Refused or StoreError has
    changed nothing."""

    def __init__(self, services: Services, lobby: Lobby, identities: Identities) -> None:
        self._services = services
        self._people = services.people
        self._lobby = lobby
        self._identities = identities

    async def page(self, session: Session, asked: said.GetPeople) -> None:
        session.follows_people = True
        contacts = await self._people.contacts(session.who)
        held: List = getattr(contacts, asked.list)[::-1]
        if asked.list == "friends":
            held = tuple(sorted(held, key=lambda friend: (not self._is_seen(friend.who), friend.name.casefold())))
        shown = held[asked.first : asked.first + self._services.limits.people_page]
        names = CurrentNames(self._identities)
        named = [replace(one, name=await names.of(one.who)) for one in shown]
        rows = [self._friend(session.who, one) if asked.list == "friends" else _row(one) for one in named]
        session.say(PeoplePage(asked.list, tuple(rows), asked.first, len(held), contacts.hidden))

    async def card(self, session: Session, asked: said.GetPerson) -> None:
        person, is_kept = await self._person(asked.who, session.who)
        session.say(_card(await self._people.contacts(session.who), person, is_kept=is_kept))

    async def relate(self, session: Session, asked: said.Relate) -> None:
        them, is_kept = await self._other(session, asked)
        mine = await self._identities.account(session.who)
        if asked.what in CONSENT and not mine.password:
            raise Refused("people/no-name")
        if asked.what in CONSENT and not is_kept:
            raise Refused("people/guest", name=them.name)
        if asked.what == "ask":
            self._services.bounds.afford("requests", session.asker)
        me = Person(mine.id, mine.name)
        both = await self._people.relate(asked.what, me, them)
        if asked.what == "ask":
            self._services.bounds.charge("requests", session.asker, 1)
        session.say(_card(both.mine, them, is_kept=is_kept))
        if asked.what in TOLD and not has(both.theirs.blocked, me.who):
            self._tell(them.who, _card(both.theirs, me, is_kept=True, news=True))
        if asked.what in SILENCING and session.table is not None:
            session.table.past.tell_chat(session, anew=True)

    async def show_presence(self, session: Session, asked: said.ShowPresence) -> None:
        await self._people.hide(session.who, hidden=not asked.shown)

    def _tell(self, who: str, card: PersonCard) -> None:
        for other in self._lobby.connections(who):
            if other.follows_people:
                other.say(card)

    async def _other(self, session: Session, asked: said.Relate) -> tuple[Person, bool]:
        """Return the person whom this is about, and if they keep their name. Raises Refused, StoreError."""
        if asked.who is None:
            account = await self._identities.keeper(asked.name or "") if asked.what == "ask" else None
            found = _found(account) if account is not None else None
        else:
            found = await self._person(asked.who, session.who)
        if found is None:
            raise Refused("people/unknown")
        if found[0].who == session.who:
            raise Refused("people/self")
        return found

    async def _person(self, who: str, viewer: str) -> tuple[Person, bool]:
        """Return a person and if they keep their name; one who is gone, without a name, where they are in a list of the
        viewer. Raises Refused where they are in none, StoreError."""
        account = await self._identities.find(who)
        if account is not None:
            return _found(account)
        contacts = await self._people.contacts(viewer)
        lists = (contacts.friends, contacts.asked, contacts.asking, contacts.muted, contacts.blocked, contacts.recent)
        if not any(has(held, who) for held in lists):
            raise Refused("people/unknown")
        return Person(who, ""), False

    def _is_seen(self, friend: str) -> bool:
        """Return True where a friend is here, and shows it."""
        return self._lobby.is_here(friend) and not self._people.is_hidden(friend)

    def _friend(self, viewer: str, friend: Contact) -> PersonRow:
        """Return the row of a friend: where they are, too, if they show it and the viewer may come there."""
        row = _row(friend)
        if not self._is_seen(friend.who):
            return row
        row = replace(row, here=True)
        holder = self._lobby.holder(friend.who)
        live = holder.table if holder is not None else None
        if live is None or not may_see(live.record, viewer):
            return row
        record = live.record
        free = record.state == OPEN and any(seat.is_open_to(viewer) for seat in record.seats)
        return replace(row, table=record.id, table_name=title_of(record), state=record.state, free=free)


def _row(contact: Contact) -> PersonRow:
    return PersonRow(contact.who, contact.name, contact.at)


def _found(account: Account) -> tuple[Person, bool]:
    return Person(account.id, account.name), bool(account.password)


def _card(contacts: Contacts, them: Person, *, is_kept: bool, news: bool = False) -> PersonCard:
    """Return a person, with the lists of these contacts that they are in."""
    return PersonCard(
        them.who,
        them.name,
        is_kept,
        friend=has(contacts.friends, them.who),
        asking=has(contacts.asking, them.who),
        asked=has(contacts.asked, them.who),
        muted=has(contacts.muted, them.who),
        blocked=has(contacts.blocked, them.who),
        news=news,
    )
