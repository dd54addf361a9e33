"""The copy of one's data: all that both stores keep of a person, over real sockets and by the operator's command."""

from __future__ import annotations

import ast
import asyncio
import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from protocol.wire import from_client as say
from protocol.wire.from_server import ReportTaken
from protocol.wire.own_data import GetOwnData, OwnDataPart
from server.accounts.identities import ACCOUNTS
from server.accounts.name_keepers import LOOKS, NAMES
from server.accounts.uptime import UPTIME
from server.cli.main import main
from server.lobby.personal_data import CHAT, SECTIONS, TOLD_ELSEWHERE, personal_data
from server.lobby.seat_codes import SEAT_CODES
from server.lobby.table.table_record import TABLES
from server.match.stored_log import CLOSED_ANSWERS
from server.net.health import PROBE
from server.order.announcements import ANNOUNCEMENTS
from server.order.audit import AUDIT
from server.order.sanctions import SANCTIONS, StoredSanction
from server.results.result_book import LAST
from server.store.host_keys import HOST
from server.store.port import Store
from server.store.redis.store import RedisStore
from server.store.sqlite.store import SqliteStore
from server.talk.lobby_lines import LINES
from server.talk.private_words import HAD, WORDS
from server.talk.reports import REPORTS
from server.webhooks.address import WebhookAddress
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, rest_to_the_end, two_players
from tests.support.doubles.redis_server import RedisServer
from tests.support.doubles.stored import records_of
from tests.support.servers.registration import PASSWORD, cheaply, keeps

pytestmark = pytest.mark.waits

SERVER: Final = Path(__file__).resolve().parents[3] / "server"
WRITERS: Final = {"StoredRecord": 0, "put_record": 0, "NumberedRecords": 1}
"""Calls that write records, with the place of the kind among their arguments."""
HANDED_ON: Final = {
    "server.accounts.name_keepers": (NAMES, LOOKS),
    **dict.fromkeys(
        (f"server.store.{name}" for name in ("numbered_records", "measured", "sqlite.store", "redis.store")), ()
    ),
}
"""The modules whose calls are handed the kind, with the kinds that are named nowhere else."""
OF_NOBODY: Final = {
    UPTIME: "seconds of the server",
    PROBE: "an empty record that tells whether the store writes",
    LAST: "a number",
    HOST: "public keys of the host",
    CLOSED_ANSWERS: "answers by seat, until the match is over",
    ANNOUNCEMENTS: "words to everybody; who said them stands in the audit list",
}
"""The kinds whose records name no person, with what they hold."""


def kinds_written() -> Iterator[str]:
    """Yield the kinds of all records that the server's code writes, and the modules of calls that do not name one."""
    for path in SERVER.rglob("*.py"):
        module = ".".join(path.relative_to(SERVER.parent).with_suffix("").parts)
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            if name in WRITERS and len(call.args) > WRITERS[name]:
                kind = call.args[WRITERS[name]]
                is_named = isinstance(kind, ast.Name) and kind.id.isupper()
                yield getattr(importlib.import_module(module), ast.unparse(kind)) if is_named else module


async def own_data(client: Client) -> dict[str, Any]:
    await client.say(GetOwnData())
    parts = [await client.hear(OwnDataPart)]
    while len(parts) < parts[0].parts:
        parts.append(await client.hear(OwnDataPart))
    found: dict[str, Any] = json.loads(b"".join(part.data for part in parts))
    return found


async def words_are_gone(store: Store) -> bool:
    """Return True once the words of a match that is over are deleted, the keys that led to them last."""
    return not await records_of(store, HAD)


async def live_a_life(run: Running) -> tuple[Client, Client]:
    """Have two people do all that leaves a record with their names."""
    ann, ben = await two_players(run, adds=True)
    await keeps(ann)
    await keeps(ben)
    await ben.say(say.Relate(what="ask", who=ann.talk.you))
    await ben.pinged()
    await ann.say(say.Relate(what="accept", who=ben.talk.you))
    await ann.say(say.GetSeatCode())
    await ann.say(say.Chat(text="Words of Ann"))
    await ann.say(say.Chat(text="Whispered by Ann", to=1))
    await ben.say(say.Chat(text="Answer of Ben"))
    for client in (ann, ben):
        await client.say(say.Chat(text=f"Lobby words of {client.talk.you}", where="lobby"))
        await client.pinged()
    await ben.say(say.Report(who=ann.talk.you, reason="abuse", words="Ben says why"))
    await ben.hear(ReportTaken)
    order, account = run.server._router._services.order, await run.server._identities.account(ann.talk.you)
    await order.moderators.appoint(account, 1)
    await run.server.webhook_book.put(ann.talk.you, WebhookAddress("discord.com", "/x"), "play.example.org")
    await order.impose(StoredSanction("s1", "mute", account.id, "Ann", "spam", 1, by=ben.talk.you, by_name="Ben"))
    return ann, ben


def test_every_kind_of_record_that_the_server_writes_is_in_the_copy_or_names_nobody() -> None:
    written = {kind for found in kinds_written() for kind in HANDED_ON.get(found, (found,))}
    assert written == {*SECTIONS, *TOLD_ELSEWHERE, *OF_NOBODY} - {CHAT}
    assert {*TOLD_ELSEWHERE.values()} <= {*SECTIONS}


@pytest.mark.parametrize("kind", ["sqlite", "redis"])
async def test_everything_that_names_a_person_is_in_their_copy(
    tmp_path: Path, kind: str, redis_server: RedisServer
) -> None:
    store: Store = SqliteStore(tmp_path / "a.db") if kind == "sqlite" else await RedisStore.open(redis_server.place())
    async with cheaply(tmp_path, store=store) as run:
        ann, ben = await live_a_life(run)
        during = await own_data(ann)
        assert [line["text"] for [lines] in [during[WORDS].values()] for line in lines] == ["Whispered by Ann"]
        assert len(during[SEAT_CODES]) == 1
        await rest_to_the_end(ann, ben)
        await until(lambda: words_are_gone(store))
        found = await own_data(ann)
        for name in await store.kinds():
            records = await records_of(store, name)
            if any(ann.talk.you in f"{key} {data!r}" for key, data in records.items()):
                assert found[TOLD_ELSEWHERE.get(name, name)], name
        account = found[ACCOUNTS]
        assert (account["id"], account["name"], account["password"]) == (ann.talk.you, "Ann", True)
        assert [line["text"] for lines in found[CHAT].values() for line in lines] == ["Words of Ann"]
        assert [line["text"] for line in found[LINES]] == [f"Lobby words of {ann.talk.you}"]
        assert {"seats", "owner", "sat"} <= {*found[TABLES][0]["named_in"]}
        assert [friend["name"] for friend in found["contacts"]["friends"]] == ["Ben"]
        assert found[REPORTS]["about"][0]["reason"] == "abuse"
        acts = [*found[SANCTIONS], *found[AUDIT]["about"]]
        assert [act.get("by", "") for act in acts] == ["", "", ""]
        whole = json.dumps(found)
        assert not [word for word in ("Ben says why", "Answer of Ben", "argon2", PASSWORD) if word in whole]


async def test_the_copy_is_made_three_times_a_day(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann = await run.client("Ann")
        for _ in range(3):
            assert (await own_data(ann))["person"] == ann.talk.you
            await ann.pinged()
        await ann.say(GetOwnData())
        assert await ann.problem() == "bound/exports-person"


async def test_the_host_copies_the_same_by_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with cheaply(tmp_path) as run:
        ann, _ = await live_a_life(run)
        wanted = await personal_data(
            run.server.store, run.server._router._services.sealing_key, ann.talk.you, run.clock.wall()
        )
    out = tmp_path / "ann.json"
    assert await asyncio.to_thread(main, ["export", "--data", str(tmp_path), "--person", "ANN", "--out", str(out)]) == 0
    found = json.loads(out.read_text("utf-8"))
    assert {**found, "made": 0} == {**json.loads(wanted), "made": 0, ACCOUNTS: found[ACCOUNTS]}
    assert await asyncio.to_thread(main, ["export", "--data", str(tmp_path), "--person", "Nobody"]) == 1
    assert "nobody with the id or the kept name" in capsys.readouterr().err
