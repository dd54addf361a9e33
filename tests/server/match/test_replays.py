"""A finished match: listed with its result, its replay sent to whoever may have it, and held to the rules."""

import asyncio
import gc
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any

import msgspec
import pytest

from client.fairness import verify
from protocol.fairness.replay import Names, Replay, read
from protocol.fairness.replay_sections import signed_bytes
from protocol.ids import MatchId, TableId
from protocol.limits import Limits
from protocol.scene.nodes import RESULT_NODE, Result
from protocol.wire import from_client as say
from protocol.wire.from_server import FilePart, Problem, Renamed, TableView
from server.accounts.display_names import DELETED
from server.match.checking import DoesNotHold, check
from server.match.replays import save
from server.match.sent_replays import with_names
from server.store.port import LogEntry
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.doubles.memory_store import MemoryStore
from tests.support.runs.patience import PATIENCE
from tests.support.systems.duel import Duel


@asynccontextmanager
async def finished(tmp_path: Path) -> AsyncIterator[tuple[Running, Client, Client]]:
    """Ann and Ben have rested all their turns."""
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        for turn in range(6):
            player = (ann, ben)[turn % 2]
            await player.my_turn()
            assert await player.intend("focus" if turn == 3 else "rest") == ""
            if turn == 3:
                assert await player.intend("rest") == ""
        for player in (ann, ben):
            await player.until(lambda player=player: player.state == "finished")  # type: ignore[misc]  # a default has no type
        yield run, ann, ben


class SlowToRead(MemoryStore):
    """A store whose steps cannot be read while `gate` is closed: a replay takes as long as a test wants."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()

    async def read(self, match: MatchId, after: int = 0, most: int | None = None) -> list[LogEntry]:
        await self.gate.wait()
        return await super().read(match, after, most)


async def test_until_the_replay_is_written_the_table_and_whoever_asks_are_told_that_it_is_on_its_way(
    tmp_path: Path,
) -> None:
    store = SlowToRead()
    async with running(tmp_path, store=store) as run:
        ann, ben = await two_players(run)
        for turn in range(6):
            player = (ann, ben)[turn % 2]
            await player.my_turn()
            assert not any(seen(one).replay_coming for one in (ann, ben))
            if turn == 5:
                store.gate.clear()
            assert await player.intend("rest") == ""
        await ann.until(lambda: "result" in ann.scene.nodes)
        for one in (ann, ben):
            await one.until(lambda one=one: seen(one).replay_coming)  # type: ignore[misc]  # a default has no type
            assert not seen(one).replay
            await one.say(say.GetReplay(table=seen(one).id))
            assert (await one.hear(Problem)).code == "replay/coming"
        store.gate.set()
        for one in (ann, ben):
            await one.until(lambda one=one: seen(one).replay)  # type: ignore[misc]  # a default has no type
            assert not seen(one).replay_coming
            assert await fetch(one, seen(one).id)


def seen(client: Client) -> TableView:
    assert client.talk.table is not None
    return client.talk.table


async def fetch(client: Client, table: TableId) -> bytes:
    await client.say(say.GetReplay(table=table))
    first = await client.hear(FilePart)
    parts = [first, *[await client.hear(FilePart) for _ in range(1, first.parts)]]
    assert [part.part for part in parts] == list(range(first.parts))
    return b"".join(part.data for part in parts)


async def test_the_result_is_shown_and_listed_and_the_replay_sent(tmp_path: Path) -> None:
    async with finished(tmp_path) as (run, ann, ben):
        assert isinstance(ann.scene.nodes[RESULT_NODE], Result)
        assert await ann.intend("rest") == "match/over"
        eve = await run.client("Eve")
        assert eve.talk.lobby is not None
        [row] = eve.talk.lobby.tables
        assert row.state == "finished"
        assert row.result is not None
        assert row.result.k == "duel.over"
        data = await fetch(eve, row.id)
        replay = read(data, Limits())
        check(replay, Duel())
        assert [seat.name for seat in replay.header.seats] == ["Ann", "Ben"]
        assert sorted(replay.streams) == ["public", "seat/0", "seat/1"]
        assert await fetch(ben, row.id) == data


async def test_names_of_now_stand_beside_what_is_sent_and_nowhere_in_what_is_kept(tmp_path: Path) -> None:
    async with finished(tmp_path) as (run, ann, ben):
        table = seen(ann).id
        [file] = (tmp_path / "replays").iterdir()
        stored = file.read_bytes()
        first = await fetch(ben, table)
        assert [seat.name for seat in read(stored, Limits()).header.seats] == ["", ""]
        assert verify.check(first)
        assert signed_bytes(first) == signed_bytes(stored)
        await ann.say(say.Rename(name="Xerxes"))
        await ann.hear(Renamed)
        renamed = read(await fetch(ben, table), Limits())
        assert [seat.name for seat in renamed.header.seats] == ["Xerxes", "Ben"]
        assert renamed.log == read(stored, Limits()).log
        assert file.read_bytes() == stored
        await ann.say(say.DeleteAccount())
        await ann.until(lambda: ann.closed is not None)
        await until(lambda: not run.server._account_expiry._soon, 20)
        left = read(await fetch(ben, table), Limits())
        assert [seat.name for seat in left.header.seats] == [DELETED, "Ben"]
        assert file.read_bytes() == stored


async def test_a_file_that_is_written_anew_while_it_is_sent_is_not_sent_half(tmp_path: Path) -> None:
    async with finished(tmp_path) as (_, _, _):
        pass
    [file] = (tmp_path / "replays").iterdir()
    sent = with_names(file, Names("Friday", ("Ann", "Ben")))
    whole = b"".join(sent.part(start, 1000) for start in range(0, sent.size, 1000))
    assert read(whole, Limits()).header.table == "Friday"
    assert sent.part(sent.size, 1000) == b""
    assert with_names(_written(tmp_path / "named.replay", whole), Names("Monday", ("Ann", "Ben"))).size == sent.size
    save(file, file.read_bytes())
    with pytest.raises(OSError, match="written anew"):
        sent.part(0, 1000)


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


async def test_who_leaves_in_the_middle_of_a_replay_is_sent_no_more_of_it(tmp_path: Path) -> None:
    async with finished(tmp_path) as (run, ann, _):
        eve = await run.client("Eve")
        assert ann.talk.table is not None
        assert eve._socket is not None
        # more than any buffer between the two takes
        (tmp_path / "replays" / f"{ann.talk.table.id}.replay").write_bytes(bytes(16 * 1024 * 1024))
        eve._socket.transport.pause_reading()
        await eve.say(say.GetReplay(table=ann.talk.table.id))
        files, links = run.server._router._files._sending, run.server._gateway._links
        async with asyncio.timeout(PATIENCE):
            await until(lambda: any(session.conversation.queued_bytes for session in files), pause=0)
            (sending,) = files.values()
            await eve.cut()
            await until(lambda: len(links) != 3)
            await asyncio.wait([sending])
        assert sending.cancelled()
        assert not files


async def test_who_leaves_while_a_replay_is_opened_leaves_no_open_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread opens the file when nobody waits for it any more; an unclosed one is a warning, and so a failure."""
    async with finished(tmp_path) as (run, ann, _):
        eve = await run.client("Eve")
        assert ann.talk.table is not None
        asked, gate, opened = threading.Event(), threading.Event(), threading.Event()
        plainly = Path.open

        def slowly(path: Path, mode: str = "r") -> IO[Any]:
            asked.set()
            gate.wait(PATIENCE)
            opened.set()
            return plainly(path, mode)

        monkeypatch.setattr(Path, "open", slowly)
        await eve.say(say.GetReplay(table=ann.talk.table.id))
        async with asyncio.timeout(PATIENCE):
            await until(asked.is_set, pause=0)
            (sending,) = run.server._router._files.tasks()
            await eve.cut()
            await asyncio.wait([sending])
            gate.set()
            await until(opened.is_set, pause=0)
        monkeypatch.undo()
    gc.collect()
    assert sending.cancelled()


async def test_a_finished_match_is_shown_again_after_a_restart(tmp_path: Path) -> None:
    async with finished(tmp_path) as (_, ann, _):
        assert ann.talk.table is not None
        table = ann.talk.table.id
    before = [path.read_bytes() for path in (tmp_path / "replays").iterdir()]
    async with running(tmp_path) as run:
        eve = await run.client("Eve")
        for _ in range(2):
            await eve.say(say.WatchTable(table=table))
            await eve.until(lambda: eve.talk.scene is not None and "result" in eve.scene.nodes)
            await eve.say(say.LeaveTable())
            assert await eve.left() == "left"
        await fetch(eve, table)
    assert [path.read_bytes() for path in (tmp_path / "replays").iterdir()] == before


async def test_the_replay_of_a_private_table_is_for_those_who_were_there(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client()
        await ann.create("two", private=True)
        assert ann.talk.table is not None
        eve = await run.client("Eve")
        await eve.say(say.GetReplay(table=ann.talk.table.id))
        assert (await eve.hear(Problem)).code == "table/unknown"
        await ann.say(say.GetReplay(table=ann.talk.table.id))
        assert (await ann.hear(Problem)).code == "replay/none"


async def kept(tmp_path: Path) -> Replay:
    async with finished(tmp_path):
        [file] = (tmp_path / "replays").iterdir()
        return read(file.read_bytes(), Limits())


async def test_any_change_of_the_record_is_found(tmp_path: Path) -> None:
    replay = await kept(tmp_path)
    check(replay, Duel())
    public = replay.streams["public"]
    changed = {
        "dropped step": replay._replace(log=replay.log[:-1]),
        "other order": replay._replace(log=(*replay.log[:2], replay.log[3], replay.log[2], *replay.log[4:])),
        "other secret": replay._replace(secret=bytes(32)),
        "no secret": replay._replace(secret=b""),
        "other frame": replay._replace(
            streams={**replay.streams, "public": (*public[:-1], msgspec.structs.replace(public[-1], hash=1))}
        ),
        "missing stream": replay._replace(streams={"public": public}),
        "other result": replay._replace(header=msgspec.structs.replace(replay.header, result=None)),
    }
    for name, bad in changed.items():
        with pytest.raises(DoesNotHold):
            check(bad, Duel())
        assert name


async def test_other_rules_are_named(tmp_path: Path) -> None:
    replay = await kept(tmp_path)
    other = Duel()
    other.RULES = 2
    with pytest.raises(DoesNotHold, match="another version of the rules"):
        check(replay, other)
