"""Talk at a table by role: to one's side, between two people, and among spectators, with its history for each."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.ids import TableId
from protocol.limits import DAY, HOUR
from protocol.wire import from_client as say
from protocol.wire.from_server import ChatHistory, ChatLine
from server.lobby.table.table_chat import TO_ALL, list_of
from server.talk.lobby_lines import KEPT_SECONDS
from server.talk.private_words import HAD, WORDS
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, rest_to_the_end, running, two_players
from tests.support.doubles.stored import records_of
from tests.support.twins.games import installed

pytestmark = pytest.mark.waits

SECRET = "the bridge at dusk"


async def allies(run: Running) -> tuple[Client, Client, Client]:
    """Ann and Ben are of one side at an open table, Cid is of the other."""
    ann, ben, cid = [await run.client(name) for name in ("Ann", "Ben", "Cid")]
    await ann.say(say.CreateTable(system="proving", scenario="allies", name="Ground"))
    await ann.arrived()
    assert ann.talk.table is not None
    for client in (ben, cid):
        await client.join(ann.talk.table.code)
    return ann, ben, cid


def table_of(client: Client) -> TableId:
    assert client.talk.table is not None
    return client.talk.table.id


async def chat(client: Client, text: str, **how: object) -> None:
    await client.say(say.Chat(text=text, **how))  # type: ignore[arg-type]  # as each test says it
    await client.pinged()


async def heard(client: Client) -> list[str]:
    await client.pinged()
    return [message.text for message in client.heard if isinstance(message, ChatLine)]


async def history(run: Running, client: Client, table: TableId) -> list[str]:
    """Connect anew, come to the table, and return the texts that are told unasked, at last."""
    await client.connect()
    client.heard.clear()
    await client.say(say.OpenTable(table=table))
    await client.pinged()
    past = run.server.lobby.table(table).past
    await until(lambda: not past._telling, 10)
    await client.pinged()
    pages = [message for message in client.heard if isinstance(message, ChatHistory)]
    return [line.text for line in pages[-1].lines] if pages else []


async def test_words_to_ones_side_are_heard_and_read_later_by_its_people_alone(tmp_path: Path) -> None:
    async with running(tmp_path, systems=installed("proving")) as run:
        ann, ben, cid = await allies(run)
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=table_of(ann)))
        await eve.arrived()
        await chat(ann, SECRET, where="side")
        line = await ben.hear(ChatLine)
        assert (line.text, line.where, line.to, line.name) == (SECRET, "side", -1, "Ann")
        assert await heard(ann) == [SECRET]
        assert await heard(cid) == await heard(eve) == []
        await chat(ann, "Hello all")
        for client, texts in ((ben, [SECRET, "Hello all"]), (cid, ["Hello all"]), (eve, ["Hello all"])):
            assert sorted(await history(run, client, table_of(ann))) == sorted(texts)
        for client, code in ((eve, "talk/watching"), (cid, "talk/no-side")):
            await chat(client, SECRET, where="side")
            assert await client.problem() == code


async def test_where_each_stands_alone_there_is_no_talk_to_a_side(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await chat(ann, SECRET, where="side")
        assert await ann.problem() == "talk/no-side"
        assert await heard(ben) == []


async def test_words_to_one_are_read_later_by_the_two_and_by_nobody_who_takes_the_seat_over(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        table = table_of(ann)
        await ben.close()
        await ann.until(lambda: ann.talk.table is not None and not ann.talk.table.seats[1].connected)
        await chat(ann, SECRET, to=1)
        assert (await ann.hear(ChatLine)).to_name == "Ben"
        assert await history(run, ben, table) == [SECRET]
        assert await history(run, ann, table) == [SECRET]
    async with running(tmp_path) as run:
        ben = await run.client("Ben", ben.talk.token)
        assert await history(run, ben, table) == [SECRET]
        await ben.say(say.LeaveTable())
        await ben.pinged()
        dan = await run.client("Dan")
        await dan.say(say.JoinTable(table=table, seat=1))
        await dan.arrived()
        assert dan.talk.table is not None
        assert dan.talk.table.seat == 1
        assert await history(run, dan, table) == []
        assert not any(SECRET.encode() in frame for frame in dan.frames)


async def test_words_to_one_are_gone_from_the_store_when_the_match_has_ended(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await chat(ann, SECRET, to=1)
        assert len(await records_of(run.server.store, WORDS)) == 1
        await rest_to_the_end(ann, ben)

        async def gone() -> bool:
            return not await records_of(run.server.store, WORDS) and not await records_of(run.server.store, HAD)

        await until(gone, 10)
        ann.heard.clear()
        await chat(ann, "Well played", to=1)
        assert (await ben.hear(ChatLine, lambda line: line.text == "Well played")).to == 1
        assert await gone()


async def test_words_that_a_crash_has_left_are_gone_after_the_next_start(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await chat(ann, SECRET, to=1)
        [(key, words)] = (await records_of(run.server.store, WORDS)).items()
        await rest_to_the_end(ann, ben)

        async def finished() -> bool:
            return not await records_of(run.server.store, WORDS)

        await until(finished, 10)
        await run.server.store.put_record(WORDS, key, words)
    async with running(tmp_path) as run:

        async def swept() -> bool:
            return not await records_of(run.server.store, WORDS)

        await until(swept, 10)


async def test_what_spectators_say_is_hidden_from_players_who_cannot_tell_that_they_talk(tmp_path: Path) -> None:
    """Neither at once, nor in what is told to a player who comes back: not even an empty page."""
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        eve = await run.client("Eve")
        await eve.say(say.WatchTable(table=table_of(ann)))
        await eve.arrived()
        await chat(eve, SECRET)
        assert await heard(eve) == [SECRET]
        assert await heard(ann) == []
        assert await history(run, eve, table_of(ann)) == [SECRET]
        assert await history(run, ann, table_of(ann)) == []
        assert not [message for message in ann.heard if isinstance(message, ChatHistory)]


async def test_chat_goes_from_the_store_a_month_after_the_match(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        table = table_of(ann)
        await chat(ann, "Well met")
        await rest_to_the_end(ann, ben)
        live = run.server.lobby.table(table)
        await until(lambda: live.record.state == "finished", 10)
        store = run.server.store
        assert len(await store.newest_lines(list_of(table), 9)) == 1
        run.clock.advance(KEPT_SECONDS - DAY)
        assert [line.text for line in await live.past.chat.lines([TO_ALL])] == ["Well met"]
        run.clock.advance(DAY + HOUR)
        assert await live.past.chat.lines([TO_ALL]) == []

        async def gone() -> bool:
            return not await store.newest_lines(list_of(table), 9)

        await until(gone, 10)
        await until(lambda: run.server.lobby.table(table).record.chat_dropped, 10)
        live.past.keep_chat(ChatLine("eve", "Eve", "watcher", "Hello?", run.clock.wall()), TO_ALL)
        assert not live.past._keeping
