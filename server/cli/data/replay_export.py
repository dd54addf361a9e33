"""`eschaton-server export --match ID --out FILE.replay`: the replay of a match, with the names of now beside it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from protocol.ids import MatchId, table_of
from protocol.limits import Limits
from server.accounts.identities import ACCOUNTS, read_account
from server.cli.data.command_inputs import open_reader
from server.cli.new_file import making
from server.lobby.matches.replay_names import names_beside
from server.lobby.table.table_record import TABLES, TableRecord
from server.match.sent_replays import SentReplay, with_names
from server.runtime.errors import CommandError
from server.store.port import StoreError
from server.store.record_form import read_record
from server.store.sqlite.reader import ReadableStore


def run(data: Path, place: str, match: MatchId, out: Path) -> int:
    """Run the command. Raises CommandError."""
    source = data / "replays" / f"{match}.replay"
    if "/" in match or not source.is_file():
        raise CommandError(f"The match {match!r} has no replay here: only a finished match does.", 1)
    try:
        sent = asyncio.run(_named(data, place, match, source))
        whole = sent.part(0, sent.size)
    except OSError as problem:
        raise CommandError(f"{source} cannot be read: {problem.strerror or problem}.", 1) from problem
    with making(out), out.open("xb") as file:
        file.write(whole)
    return 0


async def _named(data: Path, place: str, match: MatchId, source: Path) -> SentReplay:
    opened = await open_reader(data, place)
    try:
        record = await opened.find_record(TABLES, table_of(match))
        if record is None:
            raise CommandError(f"No table has the match {match!r}.", 1)
        table = read_record(TABLES, record.key, record.data, TableRecord)

        async def name_of(who: str) -> str:
            return await _name_of(opened, who)

        return with_names(source, await names_beside(table, name_of, Limits().name_length))
    except (StoreError, msgspec.MsgspecError) as problem:
        raise CommandError(f"The store cannot be read: {problem}. `eschaton-server fsck` says more.", 1) from problem
    finally:
        await opened.close()


async def _name_of(store: ReadableStore, who: str) -> str:
    """Return the name of a person now, empty where they are deleted."""
    found = await store.find_record(ACCOUNTS, who)
    account = read_account(found.data) if found is not None else None
    return account.name if account is not None and not account.gone else ""
