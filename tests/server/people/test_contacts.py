"""Contacts: requests and consent, friendships that end silently, muting and blocking, and that nothing grows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocol.limits import Limits
from server.people.contacts import (
    CHANGES,
    NO_CONTACTS,
    BothContacts,
    Contact,
    Contacts,
    List,
    Meeting,
    Person,
    forgotten,
    met,
)
from server.runtime.refusals import Refused

ANN, BEN = Person("a", "Ann"), Person("b", "Ben")
LIMITS = Limits(friends=3, requests_open=2, requests_received=3, silenced=2)
STRANGERS = BothContacts(NO_CONTACTS, NO_CONTACTS)


def ann(pair: BothContacts, what: str) -> BothContacts:
    """Let Ann do this about Ben; her contacts stand first."""
    return CHANGES[what](pair, Meeting(ANN, BEN, 7, LIMITS))


def ben(pair: BothContacts, what: str) -> BothContacts:
    """Let Ben do this about Ann."""
    theirs, mine = CHANGES[what](BothContacts(pair.theirs, pair.mine), Meeting(BEN, ANN, 8, LIMITS))
    return BothContacts(mine, theirs)


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as told:
        act()
    return told.value.code


def ids(contacts: List) -> list[str]:
    return [contact.who for contact in contacts]


def others(count: int) -> List:
    return tuple(Contact(f"o{number}", f"Other {number}", 0) for number in range(count))


FRIENDS = ben(ann(STRANGERS, "ask"), "accept")


def test_a_friendship_needs_a_request_and_consent() -> None:
    asked = ann(STRANGERS, "ask")
    assert (ids(asked.mine.asked), ids(asked.theirs.asking)) == (["b"], ["a"])
    assert not asked.mine.friends + asked.theirs.friends
    assert refused(lambda: ann(asked, "accept")) == "people/no-request"
    assert refused(lambda: ann(asked, "ask")) == "people/asked"
    assert BothContacts(Contacts((Contact("b", "Ben", 8),)), Contacts((Contact("a", "Ann", 8),))) == FRIENDS
    assert refused(lambda: ann(FRIENDS, "ask")) == "people/friends"
    assert ann(FRIENDS, "end") == STRANGERS


def test_a_request_is_taken_back_or_declined_once() -> None:
    asked = ann(STRANGERS, "ask")
    assert ann(asked, "take_back") == ben(asked, "decline") == STRANGERS
    assert refused(lambda: ann(STRANGERS, "take_back")) == refused(lambda: ben(STRANGERS, "decline"))
    assert ben(asked, "ask") == FRIENDS, "both have asked"


def test_blocking_ends_a_friendship_and_the_blocked_one_learns_no_more_than_of_its_end() -> None:
    blocked = ann(FRIENDS, "block")
    assert ids(blocked.mine.blocked) == ["b"]
    assert blocked.theirs == ann(FRIENDS, "end").theirs == NO_CONTACTS
    assert refused(lambda: ann(blocked, "ask")) == "people/blocked"
    asks_again, asks_a_stranger = ben(blocked, "ask"), ben(STRANGERS, "ask")
    assert asks_again.theirs == asks_a_stranger.theirs
    assert asks_again.mine == blocked.mine
    assert ann(asks_again, "unblock") == STRANGERS, "as if she had declined"


def test_a_request_of_one_who_is_blocked_looks_open_to_them_and_is_gone_for_the_other() -> None:
    asked = ben(STRANGERS, "ask")
    blocked = ann(asked, "block")
    assert blocked.theirs == asked.theirs
    assert not blocked.mine.asking
    assert ben(blocked, "take_back").mine == blocked.mine
    mine = ann(ann(STRANGERS, "ask"), "block")
    assert not mine.mine.asked + mine.theirs.asking


def test_muting_and_blocking_are_ones_own_and_count_once() -> None:
    muted = ann(ann(STRANGERS, "mute"), "mute")
    assert (ids(muted.mine.muted), muted.theirs) == (["b"], NO_CONTACTS)
    assert ann(muted, "unmute") == STRANGERS
    assert ids(ann(ann(STRANGERS, "block"), "block").mine.blocked) == ["b"]
    assert ann(ann(STRANGERS, "block"), "unblock") == STRANGERS
    asked = ben(STRANGERS, "ask")
    assert ann(asked, "unblock") == asked, "she has not blocked him"


@pytest.mark.parametrize(
    ("what", "pair", "code"),
    [
        ("ask", BothContacts(Contacts(asked=others(2)), NO_CONTACTS), "people/too-many-requests"),
        ("ask", BothContacts(Contacts(friends=others(3)), NO_CONTACTS), "people/too-many-friends"),
        ("ask", BothContacts(NO_CONTACTS, Contacts(friends=others(3))), "people/too-many-of-theirs"),
        ("ask", BothContacts(NO_CONTACTS, Contacts(asking=others(3))), "people/too-many-to-them"),
        ("mute", BothContacts(Contacts(muted=others(2)), NO_CONTACTS), "people/too-many-muted"),
        ("block", BothContacts(Contacts(blocked=others(2)), NO_CONTACTS), "people/too-many-blocked"),
    ],
)
def test_no_list_grows_beyond_its_bound(what: str, pair: BothContacts, code: str) -> None:
    assert refused(lambda: ann(pair, what)) == code


def test_a_request_is_accepted_only_while_both_have_room() -> None:
    asked = ann(STRANGERS, "ask")
    full = others(3)
    mine = Contacts(friends=full, asked=asked.mine.asked)
    assert refused(lambda: ben(asked._replace(mine=mine), "accept")) == "people/too-many-of-theirs"
    theirs = Contacts(friends=full, asking=asked.theirs.asking)
    assert refused(lambda: ben(asked._replace(theirs=theirs), "accept")) == "people/too-many-friends"


def test_the_people_played_with_last_are_remembered_each_once() -> None:
    once = met(NO_CONTACTS, [BEN, Person("c", "Cid")], 1, 3)
    again = met(once, [BEN._replace(name="Benno")], 2, 3)
    assert [(contact.who, contact.name, contact.at) for contact in again.recent] == [("c", "", 1), ("b", "", 2)]
    assert ids(met(again, [Person("d", "Dot"), Person("e", "Eve")], 3, 3).recent) == ["b", "d", "e"]


def test_an_account_that_is_gone_is_in_no_friendship_or_request() -> None:
    one = (Contact("b", "Ben", 0),)
    assert forgotten(Contacts(one, one, one, one, one, one), "b") == Contacts(muted=one, blocked=one, recent=one)
