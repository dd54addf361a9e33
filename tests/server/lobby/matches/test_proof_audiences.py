"""Facts told in pages to a spectator who may no longer see what a seat sees."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from protocol.proof.facts import AnyFact, Drawn
from protocol.wire import from_client as say
from protocol.wire.from_server import Proof, Role
from server.match import proof_plane
from tests.server.lobby.table.test_roles import look, role, told_of, watching
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.runs.patience import PATIENCE


class SlowReader:
    """The connection of a client, which takes the facts that are queued when the gate opens."""

    def __init__(self, run: Running, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        [self._session] = run.server.lobby.connections(client.talk.you)
        self._drained = self._session.drained
        self.gate, self.reached = asyncio.Event(), asyncio.Event()
        monkeypatch.setattr(self._session, "drained", self.drained)

    async def drained(self) -> None:
        """Wait for the gate, then until all that was queued is on its way."""
        self.reached.set()
        await self.gate.wait()
        await self._drained()

    async def waiting(self) -> None:
        """Return when a page is queued."""
        async with asyncio.timeout(PATIENCE):
            await self.reached.wait()


async def looking_in(run: Running) -> tuple[Client, Client]:
    """Return Ann, and Eve, who looks into her seat."""
    ann, _ = await two_players(run)
    eve = await watching(run, ann)
    assert await look(eve, "seat", 0) == ""
    await ann.until(lambda: told_of(ann, eve).wants == 0)
    await ann.say(say.Consent(who=eve.talk.you, allow=True))
    await eve.until(lambda: role(eve) == Role("seat", 0))
    return ann, eve


async def ask(client: Client) -> None:
    assert client.talk.table is not None
    client.heard.clear()
    await client.say(say.GetProof(table=client.talk.table.id))


async def all_facts(client: Client) -> list[tuple[int, AnyFact]]:
    """Return the facts that are told until all are, each with the audience of its page."""
    told = list[tuple[int, AnyFact]]()
    while True:
        page = await client.hear(Proof)
        told += [(page.seat, fact) for fact in page.facts]
        if not page.more:
            return told


def hidden(told: list[tuple[int, AnyFact]]) -> list[AnyFact]:
    return [fact for _, fact in told if isinstance(fact, Drawn) and fact.private]


async def test_facts_of_a_seat_end_with_the_look_into_it_and_those_of_all_begin_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof_plane, "PAGE", 1)
    async with running(tmp_path) as run:
        ann, eve = await looking_in(run)
        await ask(eve)
        assert hidden(await all_facts(eve)), "she may know the card of that seat"
        reader = SlowReader(run, eve, monkeypatch)
        await ask(eve)
        await reader.waiting()
        await ann.say(say.Consent(who=eve.talk.you, allow=False))
        await eve.until(lambda: role(eve) == Role())
        reader.gate.set()
        first, *others = await all_facts(eve)
        assert first[0] == 0
        assert {seat for seat, _ in others} == {-1}
        fay = await watching(run, ann, "Fay")
        await ask(fay)
        assert others == await all_facts(fay)
        assert not hidden(others)


async def test_whoever_has_left_the_table_is_told_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_plane, "PAGE", 1)
    async with running(tmp_path) as run:
        _, eve = await looking_in(run)
        reader = SlowReader(run, eve, monkeypatch)
        await ask(eve)
        await reader.waiting()
        await eve.say(say.LeaveTable())
        assert await eve.left() == "left"
        [telling] = run.server.lobby.proofs.tasks()
        reader.gate.set()
        await telling
        await eve.pinged()
        assert not [message for message in eve.heard if isinstance(message, Proof)]
