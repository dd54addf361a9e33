"""Reports over the wire: of a person, and of lines in the lobby, at a table and between two; few, told to nobody."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from protocol.limits import DAY, Rate, Rates
from protocol.wire import from_client as say
from protocol.wire.from_server import ChatLine, LobbyChat, ReportTaken
from server.cli.data.export import exported
from server.store.sqlite.reader import SqliteReader
from server.talk.reports import StoredReport
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.servers.registration import CHEAP

pytestmark = pytest.mark.waits


async def reports(client: Client, other: Client, line: ChatLine | None = None, words: str = "") -> None:
    meant = say.ReportedLine(line.text, line.at, line.number) if line is not None else None
    await client.say(say.Report(who=other.talk.you, reason="abuse", words=words, line=meant))


async def taken(run: Running, client: Client) -> StoredReport:
    """Return the report that is kept, once its sender has been told."""
    await client.hear(ReportTaken)
    return (await run.server.reports.page(None, 1))[0].report


async def test_a_person_is_reported_and_told_nothing_and_the_host_reads_it(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        before = len(ben.frames)
        await reports(ann, ben, words="He\u202e quits\u0007")
        kept = await taken(run, ann)
        assert (kept.by_name, kept.name, kept.reason, kept.words) == ("Ann", "Ben", "abuse", "He quits")
        assert (kept.lines, kept.place) == ((), -1)
        await ben.pinged()
        assert len(ben.frames) == before + 1
        for who, code in ((ann.talk.you, "people/self"), ("nobody", "people/unknown")):
            await ann.say(say.Report(who=who, reason="name"))
            assert await ann.problem() == code
        reader = SqliteReader(tmp_path / "eschaton.db")
        lines = [line async for line in exported(reader, tmp_path) if line["kind"] == "report"]
        await reader.close()
        assert [(line["by_name"], line["name"], line["words"]) for line in lines] == [("Ann", "Ben", "He quits")]


async def test_a_line_of_the_lobby_is_kept_with_those_around_it(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        for number in range(60):
            await run.server.lobby_lines.add(ben.talk.you, f"line {number}")
        await ann.say(say.GetLobbyChat())
        line = (await ann.hear(LobbyChat)).lines[25]
        await reports(ann, ben, line)
        kept = await taken(run, ann)
        assert [one.text for one in kept.lines] == [f"line {n}" for n in range(35 - 20, 36 + 20)]
        assert (kept.lines[kept.place], kept.table) == (line, "")
        await reports(ann, ben, replace_text(line))
        assert await ann.problem() == "report/no-line"


def replace_text(line: ChatLine) -> ChatLine:
    return ChatLine(line.who, line.name, line.role, "never said", line.at, number=line.number)


async def test_what_one_of_two_reports_is_kept_with_nothing_else_that_is_private(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        eve = await run.client("Eve")
        assert ann.talk.table is not None
        await eve.say(say.WatchTable(table=ann.talk.table.id))
        await eve.arrived()
        await ann.say(say.Chat(text="to all"))
        await ben.say(say.Chat(text="Oaf!", to=0))
        line = await ann.hear(ChatLine, lambda line: line.text == "Oaf!")
        public = await eve.hear(ChatLine, lambda line: line.text == "to all")
        await reports(eve, ben, line)
        assert await eve.problem() == "report/no-line"
        await reports(ann, ben, line)
        kept = await taken(run, ann)
        assert ([one.text for one in kept.lines], kept.place, kept.table) == (["Oaf!"], 0, ann.talk.table.id)
        await reports(eve, ann, public)
        assert [one.text for one in (await taken(run, eve)).lines] == ["to all"]


async def test_so_many_reports_a_day_are_the_most(tmp_path: Path) -> None:
    async with running(tmp_path, limits=replace(CHEAP, reports=Rates(Rate(2, DAY)))) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        for _ in range(3):
            await reports(ann, ben)
        assert await ann.problem() == "bound/reports-person"
        assert len(await run.server.reports.page(None, 9)) == 2
