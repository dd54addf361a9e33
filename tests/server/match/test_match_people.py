"""Ids of people in matches: no log, proof or file of a match leads to an account, nor to another match."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from client.fairness import verify
from engine.core.match.causes import Seats
from protocol.fairness.replay import read
from protocol.ids import MatchId, TableId
from protocol.limits import Limits
from protocol.proof.facts import Held
from protocol.wire import from_client as say
from protocol.wire.from_server import Proof
from server.match.checking import check
from server.match.stored_causes import causes_in
from server.runtime.match_people import MatchPeople
from tests.support.clients.wire import Client, Running, rest_to_the_end, running, two_players
from tests.support.reference import second_checker
from tests.support.systems.duel import Duel

pytestmark = pytest.mark.waits

NAMES = ("Xanthippe", "Zebedee")


class Told(NamedTuple):
    """All bytes of a match: its steps as stored, its file, the facts told of it; and by seat the ids in it."""

    data: bytes
    people: tuple[bytes, ...]
    accounts: tuple[str, ...]


async def told_of_a_match(run: Running, folder: Path) -> Told:
    """Play a match of two people who bear NAMES to its end."""
    ann, ben = await two_players(run, names=NAMES, name=f"The table of {NAMES[0]}")
    table = table_of(ann)
    await ann.say(say.GetProof(table=table))
    proof = await ann.hear(Proof, lambda proof: any(isinstance(fact, Held) for fact in proof.facts))
    steps = b"".join([step.step for step in await run.server.store.read(MatchId(table))])
    await rest_to_the_end(ann, ben)
    file = (folder / "replays" / f"{table}.replay").read_bytes()
    replay = read(file, Limits())
    [seats] = [tuple(cause["people"]) for cause in causes_in(replay.log, Seats)]
    assert tuple(fact.person for fact in proof.facts if isinstance(fact, Held)) == seats
    assert tuple(seat.person for seat in replay.header.seats) == seats
    return Told(steps + file + repr(proof.facts).encode(), seats, (ann.talk.you, ben.talk.you))


def table_of(client: Client) -> TableId:
    assert client.talk.table is not None
    return client.talk.table.id


async def test_neither_name_nor_account_stands_in_a_match_and_ids_lead_to_no_other(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        one = await told_of_a_match(run, tmp_path)
        other = await told_of_a_match(run, tmp_path)
    for told in (one, other):
        planted = [planted.encode() for planted in (*NAMES, *told.accounts)]
        assert [one for one in (*planted, *map(bytes.fromhex, told.accounts)) if one in told.data] == []
    assert len({*one.people, *other.people}) == 4


async def test_a_match_that_was_begun_without_ids_names_its_people_from_the_next_start_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(MatchPeople, "id_of", lambda *_: b"")
        async with running(tmp_path) as run:
            ann, ben = await two_players(run, names=NAMES)
            tokens, table = (ann.talk.token, ben.talk.token), table_of(ann)
    async with running(tmp_path) as run:
        again = [await run.client(name, token) for name, token in zip(NAMES, tokens, strict=True)]
        for client in again:
            await client.say(say.OpenTable(table=table))
        await rest_to_the_end(again[0], again[1])
    data = (tmp_path / "replays" / f"{table}.replay").read_bytes()
    replay = read(data, Limits())
    without, named = [tuple(cause.get("people", ())) for cause in causes_in(replay.log, Seats)]
    assert not any(without)
    assert tuple(seat.person for seat in replay.header.seats) == named
    assert all(map(len, named))
    check(replay, Duel())
    for checker in (verify.check, second_checker.check):
        checker(data)


def test_the_same_person_has_one_id_in_a_match_and_another_one_in_each_other() -> None:
    people, others = MatchPeople(b"k" * 32), MatchPeople(b"x" * 32)
    ids = [people.id_of(MatchId(match), who) for match in ("m1", "m2", "m") for who in ("ann", "ben", "1ann")]
    assert len({*ids, others.id_of(MatchId("m1"), "ann")}) == 10
    assert ids[0] == people.id_of(MatchId("m1"), "ann")
    assert {len(id) for id in ids} == {16}
    assert people.id_of(MatchId("m1"), "") == b""
