"""Deeds of people who look for players: the server puts two together, and they begin at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from protocol.wire import from_client as say
from protocol.wire.quick_match import MatchOffered, Seeking
from server.lobby.table.table_record import LIVE
from tests.support.lobby_kills.notes import Notes
from tests.support.lobby_kills.visitor import Visitor

WISH: Final = say.SeekMatch(systems=["duel"], seats=[2], rated=True)


def may_find(notes: Notes, one: Visitor, other: Visitor) -> bool:
    """Return True where nobody else looks for players, and these two have not blocked each other."""
    people = ((one, other), (other, one))
    return not notes.seeks and not any(them.who in notes.blocked(me.who) for me, them in people)


async def find_a_match(notes: Notes, one: Visitor, other: Visitor) -> None:
    """Look for players until the server offers these two a match, and begin it. Raises LinkLost."""
    notes.seeks = True
    # whoever waits longest owns the table
    notes.creating.append(one.who)
    people = (one, other)
    for person in people:
        refused = await person.done(WISH)
        assert not refused, f"{person.talk.name} may not look for players: {refused}"
    for person in people:
        await _wait(person, lambda person=person: bool(_offers(person)))  # type: ignore[misc]  # a default has no type
    for person in people:
        refused = await person.done(say.ConfirmMatch(match=_offers(person)[0].id))
        assert not refused, f"{person.talk.name} may not confirm: {refused}"
    for person in people:
        await _wait(person, lambda person=person: person.state == LIVE and not notes.knows(person.place))  # type: ignore[misc]  # a default has no type
    notes.creating.remove(one.who)
    notes.opened(one)
    notes.seeks = False


async def _wait(person: Visitor, condition: Callable[[], bool]) -> None:
    """Wait until this holds. Raises LinkLost, and AssertionError where the server looks for nobody any more."""
    await person.wait(lambda: condition() or bool(_ends(person)))
    assert condition(), f"{person.talk.name} looks for players no more: {_ends(person)}"


def _ends(person: Visitor) -> list[Seeking]:
    return [one for one in person.heard if isinstance(one, Seeking) and one.why is not None]


def _offers(person: Visitor) -> list[MatchOffered]:
    return [one for one in person.heard if isinstance(one, MatchOffered)]
