"""A consent to a spectator's wish that is being stored while the wish, or the seat, changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.wire import from_client as say
from protocol.wire.from_server import Problem, Role
from server.lobby.table.table_record import TABLES
from tests.server.lobby.table.test_roles import look, role, told_of, watching
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.doubles.gated_records import GatedRecords


async def asked(run: Running) -> tuple[Client, Client, Client]:
    """Return Ann and Ben, who play, and Eve, who watches and wishes to look into the seat of Ann."""
    ann, ben = await two_players(run)
    eve = await watching(run, ann)
    assert await look(eve, "seat", 0) == ""
    await ann.until(lambda: told_of(ann, eve).wants == 0)
    return ann, ben, eve


def problems(client: Client) -> list[str]:
    return [message.code for message in client.heard if isinstance(message, Problem)]


@pytest.mark.parametrize(
    ("sees", "seat", "then"),
    [("seat", 1, Role(wants=1)), ("seat", 0, Role(wants=0)), ("public", None, Role())],
    ids=["another seat", "the same anew", "no more"],
)
async def test_a_wish_that_changes_while_the_consent_is_stored_is_not_granted(
    tmp_path: Path, sees: str, seat: int | None, then: Role
) -> None:
    store = GatedRecords(tmp_path, TABLES)
    async with running(tmp_path, store=store) as run:
        ann, ben, eve = await asked(run)
        with store.shut():
            await ann.say(say.Consent(who=eve.talk.you, allow=True))
            await store.waiting()
            assert await look(eve, sees, seat) == ""
        await ann.pinged()
        assert problems(ann) == ["watch/not-asked"]
        await eve.pinged()
        assert role(eve) == then
        assert not eve.scene.private.nodes
        [live] = run.server.lobby.tables()
        assert live.record.looked == (), "who has seen nothing may sit down"
        await look(eve, "seat", 1)
        await ben.until(lambda: told_of(ben, eve).wants == 1)
        await ben.say(say.Consent(who=eve.talk.you, allow=True))
        await eve.until(lambda: role(eve) == Role("seat", 1))


async def test_whoever_is_being_removed_consents_to_nothing_more(tmp_path: Path) -> None:
    store = GatedRecords(tmp_path, TABLES)
    async with running(tmp_path, store=store) as run:
        ann, ben = await two_players(run)
        eve = await watching(run, ann)
        assert await look(eve, "seat", 1) == ""
        [removed] = run.server.lobby.connections(ben.talk.you)
        with store.shut():
            await ann.say(say.RemoveSeat(seat=1))
            await store.waiting()
            run.clock.advance(1)
            before = removed.spoke_at
            await ben.say(say.Consent(who=eve.talk.you, allow=True))
            await until(lambda: removed.spoke_at > before)
        assert await ben.left() == "removed"
        await ben.pinged()
        assert problems(ben) == ["match/no-seat"]
        await eve.pinged()
        assert role(eve) == Role(wants=1)
