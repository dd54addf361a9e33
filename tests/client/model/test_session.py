"""The session: what it sends after a break, what it stores, and the link beneath it over real sockets."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from client.app.local_server import running_server
from client.net.address import Address
from client.net.connection import MOST_WAITING, Down, Frame, News, ReconnectingSocket, Up
from client.views.table.table_screen import TableScreen
from protocol.text import text
from protocol.version import SUBPROTOCOL
from protocol.wire.from_client import DetailRequest, Hello, Intent
from protocol.wire.from_server import Catalogue, Problem
from tests.support.clients.programs import until
from tests.support.clients.sessions import Table
from tests.support.examples import replays, scenes
from tests.support.systems.hand import Hand

FRAMES = 400


def said(table: Table, kind: type) -> list[object]:
    table.settle()
    return [message for message in table.said if isinstance(message, kind)]


def test_an_unanswered_intent_is_said_again_after_a_break(table: Table, hand: Hand) -> None:
    hand.click_on("End the card")
    first = table.intent()
    table.break_and_mend()
    table.hear(scenes.table_frames()[0])
    intents = said(table, Intent)
    assert len(intents) == 2
    assert all(isinstance(intent, Intent) and intent.id == first.id for intent in intents)
    hello = said(table, Hello)[-1]
    assert isinstance(hello, Hello)
    assert hello.resume is not None
    assert hello.resume.public == 1


@pytest.mark.parametrize("comes_late", [True, False])
def test_the_words_of_the_tables_own_system_go_before_those_of_others(table: Table, *, comes_late: bool) -> None:
    view = scenes.table_view()
    own = Catalogue(view.system, "en", "1" * 16, {"act.shoot": "ours"})
    other = Catalogue("another", "en", "2" * 16, {"act.shoot": "theirs", "act.swim": "theirs"})
    table.say(*((own, other, view) if comes_late else (other, own, view)))
    texts = table.session.texts
    assert (texts.say(text("act.shoot")), texts.say(text("act.swim"))) == ("ours", "theirs")
    table.say(other)
    assert texts.say(text("act.shoot")) == "ours"
    table.say(replace(view, system="another"))
    assert texts.say(text("act.shoot")) == "theirs"


def test_options_are_asked_for_again_after_a_break(table: Table, hand: Hand) -> None:
    hand.click_on("Move a group")
    hand.click_on("group/11")
    assert len(said(table, DetailRequest)) == 1
    table.break_and_mend()
    table.hear(scenes.table_frames()[0])
    assert len(said(table, DetailRequest)) == 2
    table.answer_detail(scenes.LEAD)
    view = table.app.front
    assert isinstance(view, TableScreen)
    assert view.controller.driver is not None
    assert view.controller.driver.field == scenes.LEAD


def test_the_state_of_the_link_is_shown(table: Table) -> None:
    assert table.session.status() == ("connected", True)
    table.wire.waiting.append(Down("no answer", 0))
    table.settle()
    assert table.session.status() == ("reconnecting: no answer", False)


def test_a_token_that_the_server_does_not_know_is_given_up(table: Table) -> None:
    assert table.profile.tokens
    table.say(Problem("session/unknown-token", text("x"), fatal=True))
    table.break_and_mend()
    hello = said(table, Hello)[-1]
    assert isinstance(hello, Hello)
    assert hello.token is None
    assert table.profile.tokens == {}


def test_what_happens_is_logged_with_its_dice(table: Table) -> None:
    table.say(*replays.frames()[1:3])
    move, shot = table.session.feed.log
    assert (move.text, move.rule) == ("Iron Shells 1 moves 8 inches.", "AC-MOVE-01")
    assert shot.rule == "AC-SHOOT-02"
    assert table.session.feed.dice[-1].total == 29


async def news_until(link: ReconnectingSocket, enough: Callable[[list[News]], bool]) -> list[News]:
    """Return all news until `enough` is true of it; fails after `PATIENCE` seconds."""
    found: list[News] = []

    def is_enough() -> bool:
        found.extend(link.news())
        return enough(found)

    await until(is_enough)
    return found


async def test_the_link_carries_frames_and_comes_back() -> None:
    heard: list[bytes] = []

    async def answer(connection: ServerConnection) -> None:
        data = await connection.recv()
        assert isinstance(data, bytes)
        heard.append(data)
        await connection.send(b"answer")
        await connection.close(1001, "going away")

    async with serve(answer, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL)]) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        link = ReconnectingSocket(Address("127.0.0.1", port, secure=False))
        link.start()
        answers: list[bytes] = []
        ends: list[tuple[str, int]] = []

        def went_twice() -> bool:
            for news in link.news():
                match news:
                    case Up():
                        link.send(b"question")
                    case Frame():
                        answers.append(news.data)
                    case Down():
                        ends.append((news.why, news.code))
            return len(ends) >= 2

        try:
            await until(went_twice)
        finally:
            await asyncio.to_thread(link.close)
    assert ends == [("going away", 1001)] * 2
    assert answers == [b"answer"] * 2
    assert heard[:2] == [b"question"] * 2


async def test_a_window_that_takes_nothing_keeps_the_server_waiting_and_misses_nothing() -> None:
    async def flood(connection: ServerConnection) -> None:
        for number in range(FRAMES):
            await connection.send(number.to_bytes(4))
        await connection.wait_closed()

    async def turns() -> None:
        for _ in range(FRAMES):
            await asyncio.sleep(0)

    async with serve(flood, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL)]) as server:
        link = ReconnectingSocket(Address("127.0.0.1", next(iter(server.sockets)).getsockname()[1], secure=False))
        link.start()
        try:
            assert link._loop is not None
            await until(lambda: link._news.qsize() >= MOST_WAITING)
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(turns(), link._loop))
            assert link._news.qsize() == MOST_WAITING
            news = await news_until(link, lambda found: len(found) > FRAMES)
        finally:
            await asyncio.to_thread(link.close)
    assert [int.from_bytes(one.data) for one in news if isinstance(one, Frame)] == list(range(FRAMES))


async def test_closing_the_window_closes_the_link() -> None:
    codes: list[int | None] = []

    async def note(connection: ServerConnection) -> None:
        await connection.wait_closed()
        codes.append(connection.close_code)

    async with serve(note, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL)]) as server:
        link = ReconnectingSocket(Address("127.0.0.1", next(iter(server.sockets)).getsockname()[1], secure=False))
        link.start()
        await news_until(link, lambda found: any(isinstance(news, Up) for news in found))
        await asyncio.to_thread(link.close)
    assert codes == [1001]


async def test_a_server_that_speaks_something_else_is_named_so() -> None:
    async def nothing(connection: ServerConnection) -> None:
        await connection.wait_closed()

    async with serve(nothing, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        link = ReconnectingSocket(Address("127.0.0.1", port, secure=False))
        link.start()
        try:
            news = await news_until(link, bool)
            assert isinstance(news[0], Down)
            assert "no table server" in news[0].why
        finally:
            await asyncio.to_thread(link.close)


@pytest.mark.parametrize(
    ("status", "why"),
    [(404, "no table server"), (429, "too many connections"), (502, "away for a moment"), (503, "away for a moment")],
)
async def test_a_refusal_by_the_server_or_a_proxy_is_told_in_plain_words(status: int, why: str) -> None:
    def refuse(connection: ServerConnection, _: Request) -> Response:
        return connection.respond(status, "")

    async def nothing(connection: ServerConnection) -> None:
        await connection.wait_closed()

    async with serve(nothing, "127.0.0.1", 0, process_request=refuse) as server:
        link = ReconnectingSocket(Address("127.0.0.1", next(iter(server.sockets)).getsockname()[1], secure=False))
        link.start()
        try:
            news = await news_until(link, bool)
            assert isinstance(news[0], Down)
            assert why in news[0].why
        finally:
            await asyncio.to_thread(link.close)


@pytest.mark.parametrize("content", ["", "{}", '{"host": "127.0.0.1", "port": 1}', '{"host": 1, "port": "x"}'])
def test_a_server_that_does_not_answer_is_not_running(tmp_path: Path, content: str) -> None:
    (tmp_path / "server.json").write_text(content)
    assert running_server(tmp_path) is None


def test_a_server_that_answers_is_found(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        (tmp_path / "server.json").write_text(json.dumps({"host": "127.0.0.1", "port": port, "pid": 1}))
        found = running_server(tmp_path)
    assert found is not None
    assert (found.host, found.port) == ("127.0.0.1", port)
