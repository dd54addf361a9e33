"""The chat of the lobby over the wire: told to all who look at the lobby, kept for the others, bounded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from protocol.limits import DAY, HOUR, LOBBY_LINES, Bucket, Rate, Rates
from protocol.wire import from_client as say
from protocol.wire.from_server import ChatLine, LobbyChat
from server.accounts.account_expiry import SWEEP_SECONDS
from server.talk.lobby_lines import LINES, SAID
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running
from tests.support.doubles.stored import records_of
from tests.support.servers.registration import CHEAP

pytestmark = pytest.mark.waits

PATIENT = replace(CHEAP, chat=Bucket(1_000, 1_000))


async def page(client: Client, before: int | None = None) -> LobbyChat:
    await client.say(say.GetLobbyChat(before=before))
    return await client.hear(LobbyChat)


async def follower(run: Running, name: str) -> Client:
    client = await run.client(name)
    await page(client)
    return client


async def speaks(client: Client, text: str) -> None:
    await client.say(say.Chat(text=text, where="lobby"))


async def heard(client: Client) -> list[str]:
    await client.pinged()
    return [message.text for message in client.heard if isinstance(message, ChatLine)]


async def test_all_who_look_at_the_lobby_hear_a_line_and_who_comes_later_reads_it(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, silent = await follower(run, "Ann"), await follower(run, "Ben"), await run.client("Old")
        assert ann.talk.welcome is not None
        assert ann.talk.welcome.lobby_chat
        await speaks(ann, "Anybody\u202e for\u0007 a game?")
        told = await ben.hear(ChatLine)
        assert (told.who, told.name, told.text) == (ann.talk.you, "Ann", "Anybody for a game?")
        assert (told.where, told.number) == ("lobby", 1)
        assert await ann.hear(ChatLine) == told
        assert await heard(silent) == [], "a program that never asked knows no such lines"
    async with running(tmp_path) as run:
        late = await run.client("Late")
        assert (await page(late)).lines == (told,)


async def test_who_is_at_a_table_hears_the_lobby_only_while_they_look_at_it(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await follower(run, "Ann"), await follower(run, "Ben")
        await ann.create()
        await speaks(ben, "first")
        await ben.hear(ChatLine)
        assert await heard(ann) == []
        await ann.say(say.ListTables())
        await speaks(ben, "second")
        assert (await ann.hear(ChatLine)).text == "second"
        assert [line.text for line in (await page(ann)).lines] == ["first", "second"]


async def test_older_lines_come_by_page_and_none_twice(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        for number in range(LOBBY_LINES + 2):
            await run.server.lobby_lines.add("gone" if number == 5 else "ann", f"line {number}")
        ann = await run.client("Ann")
        assert (await page(ann)).lines == (), "nobody is left who said them"
        for number in range(LOBBY_LINES):
            await run.server.lobby_lines.add(ann.talk.you, f"mine {number}")
        newest = await page(ann)
        assert [line.text for line in newest.lines] == [f"mine {number}" for number in range(LOBBY_LINES)]
        older = await page(ann, newest.older)
        assert (older.lines, older.older) == ((), 3)
        assert await page(ann, older.older) == LobbyChat()


async def test_lines_of_muted_people_are_not_told_nor_in_a_page(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, cid = [await follower(run, name) for name in ("Ann", "Ben", "Cid")]
        await ann.say(say.Relate(what="mute", who=ben.talk.you))
        await ann.pinged()
        await speaks(ben, "Buy!")
        await speaks(cid, "Hello")
        assert (await ann.hear(ChatLine)).text == "Hello"
        assert [line.text for line in (await page(ann)).lines] == ["Hello"]
        assert [line.text for line in (await page(cid)).lines] == ["Buy!", "Hello"]


async def test_lines_stand_under_the_name_that_their_speaker_has_now(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await follower(run, "Ann"), await follower(run, "Ben")
        await speaks(ann, "Hello")
        await ben.hear(ChatLine)
        again = await run.client("Anna", ann.talk.token)
        assert [line.name for line in (await page(ben)).lines] == [again.talk.name]


async def test_floods_are_refused_by_person_and_what_says_nothing_is_too(tmp_path: Path) -> None:
    few = replace(PATIENT, words=Rates(Rate(2, HOUR)))
    async with running(tmp_path, limits=few) as run:
        ann = await run.client("Ann")
        await speaks(ann, "\u200b")
        assert await ann.problem() == "chat/empty"
        for number in range(3):
            await speaks(ann, f"line {number}")
        assert await ann.problem() == "bound/words-person"
        assert [line.text for line in (await page(ann)).lines] == ["line 0", "line 1"]


async def test_lines_go_with_the_account(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await follower(run, "Ann"), await follower(run, "Ben")
        await speaks(ann, "of Ann")
        await speaks(ben, "of Ben")
        await ben.hear(ChatLine, lambda line: line.text == "of Ben")
        await ann.close()
        await until(lambda: len(run.server.lobby.sessions()) == 1, 10)
        run.clock.advance(2 * DAY)

        async def gone() -> bool:
            run.clock.advance(SWEEP_SECONDS)
            return [len(await records_of(run.server.store, kind)) for kind in (LINES, SAID)] == [1, 1]

        await until(gone, 10)
        assert [line.text for line in (await page(ben)).lines] == ["of Ben"]
