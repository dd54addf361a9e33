"""Whatever people call themselves and write, nobody's screen, terminal or log gets a raw control character of it."""

import asyncio
import unicodedata
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from protocol.errors import BadFrame
from protocol.ids import PromptId
from protocol.limits import Limits
from protocol.text_cleaning import FORBIDDEN
from protocol.wire import from_client as say
from protocol.wire.codec import decode_request, encode_request
from protocol.wire.from_client import Intent
from protocol.wire.from_server import ChatLine, TableView
from protocol.wire.table_lists import Lobby
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.examples.unprintable import all_unprintable, hostile_lines, spread
from tests.support.faults.kills.crash_server import UNHURRIED
from tests.support.runs.longrun import Figures, LongRun


async def write_all(run: Running, lines: list[str]) -> dict[str, float]:
    """Call tables and people by these lines, and say them; look at all that others get to see, and at the log."""
    ann, ben = await two_players(run)
    ida = await run.client("Ida")
    await ida.say(say.GetLobbyChat())
    for line in lines:
        run.clock.advance(10)
        words = line[:400] or "?"
        await ann.say(say.Chat(text=words))
        await ann.say(say.Chat(text=words, where="lobby"))
        await ann.say(say.Report(who=ben.talk.you, reason="name", words=words))
        eve = Client(run.port, line[:64] or "?")
        await eve.connect()
        await eve.say(say.CreateTable(system="duel", scenario="two", name=line[:64] or "?"))
        await eve.arrived()
        await eve.say(say.LeaveTable())
        await eve.say(say.ListTables())
        await eve.hear(Lobby)
        await eve.say(say.Rename(name=(line[::-1])[:64] or "?"))
        await eve.pinged()
        await eve.close()
    await ann.say(say.Chat(text="the end"))
    await ben.hear(ChatLine, lambda line: line.text == "the end", keep=True)
    await ann.say(say.Chat(text="the end", where="lobby"))
    await ida.hear(ChatLine, lambda line: line.text == "the end", keep=True)
    shown = [str(message) for message in ben.heard if isinstance(message, ChatLine | TableView | Lobby)]
    texts = [message.text for message in (*ben.heard, *ida.heard) if isinstance(message, ChatLine)]
    reports = [one.report for one in await run.server.reports.page(None, 1_000)]
    texts += [words for report in reports for words in (report.words, report.name, report.by_name)]
    for text in texts:
        assert len(text) <= 400, ascii(text)
        assert not {unicodedata.category(c) for c in text} & FORBIDDEN, ascii(text)
    names = [row.name for message in ben.heard if isinstance(message, Lobby) for row in message.tables]
    for name in names:
        assert not {unicodedata.category(c) for c in name} & FORBIDDEN, ascii(name)
    log = run.log.getvalue()
    assert log.isascii()
    assert not [c for c in log if c < " " and c != "\n"]
    assert len(run.lines) == len(log.splitlines())
    assert not [line for line in run.lines if line["level"] == "error"]
    return {"lines": len(lines), "seen": len(shown), "log_lines": len(run.lines)}


async def test_hostile_lines_in_names_and_chat(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        happened = await write_all(run, hostile_lines() + spread(all_unprintable(), 60)[::400])
        assert happened["lines"] > 25


async def test_a_megabyte_is_not_even_read(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        eve = await run.client("Eve")
        await eve.raw(b"\x82\xa1t\xa4chat\xa4text\xdb" + (1_000_000).to_bytes(4, "big") + b"x" * 1_000_000)
        await eve.until(lambda: eve.closed is not None and eve.closed[0] == 1009)
        assert all(len(str(line)) < 2_000 for line in run.lines)


def test_words_in_the_fields_of_a_choice_are_clean_before_any_rule_sees_them() -> None:
    for line in [*hostile_lines(), *spread(all_unprintable(), 500)]:
        fields: dict[str, Any] = {"words": line[:500]}
        intent = decode_request(encode_request(Intent(bytes(16), PromptId("p"), "propose", fields)), Limits())
        assert isinstance(intent, Intent)
        words = intent.fields["words"]
        assert isinstance(words, str)
        assert len(words) <= 2048
        assert not {unicodedata.category(c) for c in words} & FORBIDDEN


@pytest.mark.parametrize("place", ["choice", "field"])
def test_what_a_refusal_repeats_is_plain(place: str) -> None:
    for line in hostile_lines():
        fields: dict[str, Any] = {line[:64]: 1} if place == "field" else {}
        choice = "go" if place == "field" else line[:64]
        with pytest.raises(BadFrame) as refused:
            decode_request(encode_request(Intent(bytes(16), PromptId("p"), choice, fields)), Limits())
        told = "".join(map(str, refused.value.text.a.values()))
        assert not {unicodedata.category(c) for c in told} & FORBIDDEN


BATCHES = 160
PER_LINE = 60


async def write_batch(folder: Path, number: int) -> Figures:
    folder.mkdir()
    async with running(folder, limits=UNHURRIED) as server:
        return await write_all(server, spread(all_unprintable(), PER_LINE)[number::BATCHES])


def batch(folder: Path, number: int) -> Figures:
    return asyncio.run(write_batch(folder / str(number), number))


@pytest.mark.long("names")
def test_long_every_unprintable_character(tmp_path: Path) -> None:
    """Every code point of the forbidden categories that UTF-8 can carry, in names of people and tables and in chat."""
    total = LongRun("names", BATCHES).complete(partial(batch, tmp_path))
    assert total["lines"] * PER_LINE >= len(all_unprintable())
