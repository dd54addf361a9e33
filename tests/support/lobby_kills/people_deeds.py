"""Deeds of people about each other and themselves: friends, blocks, words in the lobby, reports, names, webhooks."""

from __future__ import annotations

from typing import Any, Final

from protocol.limits import Limits
from protocol.wire import from_client as say
from protocol.wire.webhooks import SetWebhook
from server.people.contacts import CHANGES, CONSENT, BothContacts, Meeting, Person
from server.runtime.refusals import Refused
from tests.support.faults.kills.crash_server import HOOKS
from tests.support.lobby_kills.ledger import Key
from tests.support.lobby_kills.notes import Notes
from tests.support.lobby_kills.standing import lists_of
from tests.support.lobby_kills.visitor import Visitor

PASSWORD: Final = "three hares in a boat"
KINDS: Final[tuple[say.PeopleChange, ...]] = (
    *("ask", "ask", "ask", "accept", "accept", "take_back", "decline"),
    *("end", "mute", "unmute", "block", "unblock", "unblock"),
)


async def relate(notes: Notes, me: Visitor, them: Visitor) -> None:
    """Ask for friendship, consent, mute, block and so on, as far as server/people/contacts.py lets it be."""
    what = notes.chance.choice(KINDS)
    if what in CONSENT and not (notes.keeps_name(me.who) and notes.keeps_name(them.who)):
        [code] = await me.done(say.Relate(what=what, who=them.who))
        assert code in ("people/no-name", "people/guest")
        return
    before = BothContacts(notes.contacts(me.who), notes.contacts(them.who))
    after, code = _after(what, before, Meeting(Person(me.who, ""), Person(them.who, ""), 0, Limits()))
    both: dict[Key, Any] = {("contacts", me.who): lists_of(after.mine), ("contacts", them.who): lists_of(after.theirs)}
    if code:
        told = await me.done(say.Relate(what=what, who=them.who))
        assert told == [code], f"to {what} was refused as {told}, not {code}"
    else:
        await notes.must_change(me, say.Relate(what=what, who=them.who), both)
        notes.relate((me.who, after.mine), (them.who, after.theirs))


def _after(what: str, before: BothContacts, meeting: Meeting) -> tuple[BothContacts, str]:
    """Return the contacts of two people after a change, or as before with the code of its refusal."""
    try:
        return CHANGES[what](before, meeting), ""
    except Refused as refused:
        return before, refused.code


async def speak(notes: Notes, person: Visitor) -> None:
    """Say something in the lobby."""
    words = notes.fresh("In the lobby")
    await notes.change(person, say.Chat(text=words, where="lobby"), {("line", person.who, words): 1})


async def report(notes: Notes, person: Visitor, other: Visitor) -> None:
    """Report somebody."""
    words = notes.fresh("They shout")
    message = say.Report(who=other.who, reason="abuse", words=words)
    refused = await notes.change(person, message, {("report", person.who, words): 1})
    assert refused == (["people/self"] if person is other else [])


async def keep_name(notes: Notes, person: Visitor) -> None:
    """Keep one's name by a password."""
    await notes.must_change(person, say.KeepName(password=PASSWORD), {("keeps", person.who): True})


async def set_webhook(notes: Notes, person: Visitor) -> None:
    """Be told elsewhere, at another place than before, or no more."""
    has_one = bool(notes.ledger.known.get(("webhook", person.who)))
    path = "" if has_one and notes.chance.random() < 0.3 else f"/{notes.fresh('hook').replace(' ', '/')}"
    address = f"https://{HOOKS}{path}" if path else ""
    message = SetWebhook(address=address, place="127.0.0.1")
    await notes.must_change(person, message, {("webhook", person.who): path})


async def rename(notes: Notes, person: Visitor) -> None:
    """Be called otherwise."""
    name = notes.fresh("Name")
    await notes.must_change(person, say.Rename(name=name), {("name", person.who): name})
