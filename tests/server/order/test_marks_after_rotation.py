"""Marks of addresses stay known when the signing key is rotated, and those that hung on it, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.ids import TableId
from protocol.wire import from_client as say
from server.accounts.identities import Account
from server.cli.data.keys import run_rotate
from server.order.audit import HOST
from server.runtime.former_keys import KEY
from server.runtime.sealing import SealingKey
from server.runtime.signing import HostKey
from server.store import former_marks
from tests.server.lobby.commands.test_removed_for_good import from_address, outcome, removed
from tests.support.clients.wire import Running, running

AWAY, ELSEWHERE = "127.0.0.2", "127.0.0.3"


async def banned_and_removed(run: Running) -> TableId:
    """Ban somebody with the address AWAY, and remove somebody at ELSEWHERE from a table, which is returned."""
    evi = await from_address(run, "Evi", AWAY)
    await run.server.order.judge(Account(evi.talk.you, "Evi"), "ban", 0, "spam", ("address",), HOST)
    await evi.close()
    return await removed(run, await run.client("Ann"), ELSEWHERE)


async def check(run: Running, table: TableId) -> None:
    """Check that nobody new comes in from there."""
    eva = await from_address(run, "Eva", AWAY)
    assert eva.talk.ended is not None
    assert eva.talk.ended.code == "session/banned"
    ada = await from_address(run, "Ada", ELSEWHERE)
    assert await outcome(ada, say.WatchTable(table=table)) == "table/removed-address"


async def test_bans_and_removals_hold_after_rotations(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        table = await banned_and_removed(run)
    for _ in range(2):
        assert await run_rotate(tmp_path, "") == 0
        async with running(tmp_path) as run:
            await check(run, table)


async def test_marks_that_an_older_program_made_hold_whatever_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(SealingKey, "derive", lambda key, label: HostKey.at(tmp_path / KEY).derive(label))
        older.setattr(former_marks, "MARKS", "unknown then")
        async with running(tmp_path) as run:
            table = await banned_and_removed(run)
    assert await run_rotate(tmp_path, "") == 0
    async with running(tmp_path) as run:
        await check(run, table)
