"""The proof plane: every client at a table, players and spectators, checks each round of dice as soon as it ends."""

from __future__ import annotations

import asyncio
import weakref
from pathlib import Path

import pytest

from client.fairness.dice_round_check import Verdict
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from protocol.ids import MatchId, table_of
from server.match.proof_plane import HostEnded, ProofPlane
from server.match.spectator_queue import SpectatorGate
from tests.support.clients.people import Person, duellists, strike, visitor
from tests.support.clients.wire import running, two_players
from tests.support.doubles.supervisor import supervisor
from tests.support.fairness.signing import HOST
from tests.support.runs.patience import PATIENCE
from tests.support.systems.duel import Duel


async def round_of_blows(ann: Person, ben: Person) -> None:
    await strike(ann, ben, 1)
    await ben.act("draw")
    await strike(ben, ann, 0)


def words(person: Person) -> dict[int, str]:
    return {check.round: check.word for check in person.check.rounds.values() if check.word}


async def test_players_and_a_late_spectator_check_every_round(tmp_path: Path) -> None:
    async with running(tmp_path) as run, duellists(run, tmp_path) as (ann, ben):
        assert ann.verdict is Verdict.RUNNING
        await round_of_blows(ann, ben)
        for person in (ann, ben):
            await person.until(lambda person=person: person.verdict is Verdict.CHECKED)  # type: ignore[misc]  # a default has no type
            first = person.check.rounds[1]
            assert [len(roll.faces) for roll in first.rolls if hasattr(roll, "faces")] == [2, 2]
            assert first.shown == {0, 1}
            # two open cards, and the one that was dealt to this seat alone
            assert first.cards == 3
            assert person.check.parts.rounds[1].given() == (0, 1)
        assert any("Dice of round 1 checked: 2 rolls, 3 cards" in line for line in ann.log)
        async with visitor(run, tmp_path, table_of(ann.check.match)) as eve:
            assert eve.verdict is Verdict.CHECKED
            assert eve.check.rounds[1].shown == set()
            assert eve.check.rounds[1].cards == 2
            told = [line for line in eve.log if "checked" in line]
            assert told == ["One round before you came: dice checked from the host's record."]
            await round_of_blows(ann, ben)
            for person in (ann, ben, eve):
                await person.until(lambda person=person: 2 in words(person))  # type: ignore[misc]  # a default has no type
            assert eve.check.rounds[2].shown == {0, 1}
            assert words(ann) == words(ben) == words(eve)


async def test_after_a_restart_of_the_server_the_check_goes_on_where_it_was(tmp_path: Path) -> None:
    async with running(tmp_path) as run, duellists(run, tmp_path) as (ann, ben):
        await round_of_blows(ann, ben)
        await ann.until(lambda: ann.verdict is Verdict.CHECKED)
        known, before, table = ann.check.count, words(ann), ann.check.match
    async with running(tmp_path) as run, visitor(run, tmp_path, table_of(table)) as eve:
        assert eve.check.count <= known
        assert words(eve) == before
        assert eve.verdict is Verdict.CHECKED


async def test_who_asks_just_as_a_host_ends_is_told_so_and_does_not_wait_for_ever(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        await two_players(run)
        host = next(live.host for live in run.server.lobby.tables())
        assert host is not None
        waiting = asyncio.create_task(host.proofs())
        await asyncio.sleep(0)
        host.finish()
        behind = asyncio.create_task(host.proofs())
        async with asyncio.timeout(PATIENCE):
            # both were asked before the end had come, and the facts are made for all who wait
            await waiting
            await behind
            with pytest.raises(HostEnded):
                await host.proofs()


async def test_who_waits_while_a_host_is_stopped_is_told_so(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        await two_players(run, mail=True)
        host = next(live.host for live in run.server.lobby.tables())
        assert host is not None
        asked = asyncio.create_task(host.proofs())
        await asyncio.sleep(0)
        host.stop()
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(HostEnded):
                await asked


class Asker:
    """A connection that has asked."""

    def offer(self, *parts: bytes, droppable: bool = False) -> None:
        """Ignore what is told."""

    async def drained(self) -> None:
        """Return at once."""


async def test_who_has_asked_and_left_is_not_kept_until_the_next_fact() -> None:
    plane = ProofPlane(
        Match(Duel(), MatchId("m"), MatchDice(bytes(32), MatchId("m"))), HOST, SpectatorGate(supervisor())
    )
    asker = Asker()
    kept = weakref.ref(asker)
    await plane.tell(asker, None, 0)
    del asker
    assert kept() is None
