"""Requests to a person whose account is deleted, who had blocked the one who made them for a while."""

from __future__ import annotations

from protocol.limits import Limits
from server.people.contacts import Person
from server.people.people import People
from tests.support.doubles.memory_store import MemoryStore

ANN, BEN = Person("a", "Ann"), Person("b", "Ben")


async def test_no_request_outlives_the_account_that_it_was_made_to() -> None:
    people = People(MemoryStore(), Limits(), lambda: 7)
    await people.relate("ask", ANN, BEN)
    for what in ("block", "unblock"):
        await people.relate(what, BEN, ANN)
    await people.forget(BEN.who)
    assert not (await people.contacts(ANN.who)).asked
