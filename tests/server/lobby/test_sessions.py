"""Identities, links that break, numbers to resume by, and readers that do not read."""

import asyncio
import json
import socket as socketlib
import urllib.request
from contextlib import suppress
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.limits import Bucket, Limits
from protocol.scene.nodes import ROW_NODE
from protocol.version import SUBPROTOCOL, VERSION
from protocol.wire import from_client as say
from protocol.wire.codec import decode_message, encode_request
from protocol.wire.from_server import Problem, Snapshot, Systems, Welcome
from server.accounts.name_keepers import digest
from tests.support.clients.wire import Client, running, two_players
from tests.support.runs.patience import PATIENCE


async def test_a_guest_comes_back_with_its_token(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        you, first = ann.talk.you, ann.talk.token
        await ann.connect()
        assert ann.talk.you == you
        assert ann.talk.token != first
        assert any(isinstance(message, Systems) for message in ann.heard)


async def test_an_old_token_is_good_until_the_client_has_kept_the_new_one(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        first = str(ann.talk.token)
        answer = await greet(run.port, first)
        assert (await greet(run.port, first)).you == answer.you == ann.talk.you
        back = await run.client("Ann", first)
        assert back.talk.you == ann.talk.you
        await back.pinged()
        for gone in (first, answer.token):
            late = await run.client("Ann", gone)
            assert late.talk.ended is not None
            assert late.talk.ended.code == "session/unknown-token"
        assert (await run.client("Ann", back.talk.token)).talk.you == ann.talk.you


async def greet(port: int, token: str) -> Welcome:
    """Log in, hear the answer, and lose the link before anything else is said."""
    socket = await connect(f"ws://127.0.0.1:{port}/", subprotocols=[Subprotocol(SUBPROTOCOL)])
    await socket.send(encode_request(say.Hello(version=VERSION, name="Ann", token=token)))
    welcome = decode_message(await socket.recv(decode=False), Limits())
    socket.transport.abort()
    assert isinstance(welcome, Welcome)
    return welcome


async def test_tokens_are_stored_as_hashes_and_never_logged(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann")
        token = ann.talk.token
        assert token is not None
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert token.encode() not in stored
    assert digest(token).encode() in stored
    assert token not in run.log.getvalue()


async def test_the_newer_connection_of_one_person_takes_over(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        newer = await run.client("Ann", ann.talk.token)
        assert (await ann.hear(Problem)).code == "session/taken-over"
        await ann.until(lambda: ann.closed is not None)
        assert ann.talk.table is not None
        await newer.say(say.OpenTable(table=ann.talk.table.id))
        await newer.my_turn()
        assert await newer.intend("focus") == ""


async def test_one_who_comes_back_gets_what_it_missed_and_no_more(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ben.close()
        await ann.intend("focus")
        await ann.intend("rest")
        ben.heard.clear()
        await ben.connect()
        await ben.my_turn()
        assert not any(isinstance(message, Snapshot) for message in ben.heard)
        await ann.until(lambda: ann.scene.hashes[0] == ben.scene.hashes[0])
        assert ben.talk.drifts == 0


async def test_one_who_was_away_too_long_gets_a_snapshot(tmp_path: Path) -> None:
    limits = Limits(handshakes_per_second=1000, sockets_per_address=1000, kept_frames=2)
    async with running(tmp_path, limits=limits) as run:
        ann, ben = await two_players(run)
        await ben.close()
        for choice in ("focus", "focus", "focus", "rest"):
            assert await ann.intend(choice) == ""
        ben.heard.clear()
        await ben.connect()
        await ben.my_turn()
        assert sum(isinstance(message, Snapshot) for message in ben.heard) == 2


async def test_a_drifted_client_is_put_right(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        ann.heard.clear()
        await ann.say(say.Resync())
        await ann.until(lambda: sum(isinstance(message, Snapshot) for message in ann.heard) == 2)


async def test_a_picture_that_has_drifted_heals_itself_and_is_reported(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        part = ben.scene._parts["public"]
        part.nodes.apply({ROW_NODE: {"turn": 99}})
        assert await ann.intend("focus") == ""
        await ben.until(lambda: ben.talk.drifts == 1 and ben.scene.is_whole)
        assert ben.scene.hashes[0] == ann.scene.hashes[0]
        [line] = [line for line in run.lines if line["event"] == "drift"]
        assert (line["part"], line["why"]) == ("public", "hash")


async def test_one_who_does_not_greet_is_closed(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        silent = Client(run.port)
        run.clients.append(silent)
        await silent.connect(greet=False)
        await run.clock.until_sleeping(2)
        run.clock.advance(5)
        assert (await silent.hear(Problem)).code == "session/late"
        await silent.until(lambda: silent.closed == (1008, "session/late"))


async def test_a_reader_that_stops_reading_is_cut_off(tmp_path: Path) -> None:
    # it speaks as fast as it can, which is not what it is closed for here
    limits = Limits(handshakes_per_second=1000, sockets_per_address=1000, arrivals=Bucket(1e6, 10**6))
    async with running(tmp_path, limits=limits) as run:
        ann, _ = await two_players(run)
        narrow = socketlib.socket()
        narrow.setsockopt(socketlib.SOL_SOCKET, socketlib.SO_RCVBUF, 4096)
        narrow.connect(("127.0.0.1", run.port))
        url = f"ws://127.0.0.1:{run.port}/"
        socket = await connect(url, sock=narrow, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None, max_queue=1)
        hello = say.Hello(version=VERSION, name="Eve")
        assert ann.talk.table is not None
        watch = say.WatchTable(table=ann.talk.table.id)
        await socket.send(encode_request(hello))
        await socket.send(encode_request(watch))
        await ann.until(lambda: ann.talk.table is not None and len(ann.talk.table.watchers) == 1)
        socket.transport.pause_reading()
        asked = 0
        while ann.talk.table.watchers and asked < 100_000:
            with suppress(ConnectionClosed):
                for _ in range(40):
                    await socket.send(encode_request(say.Resync()))
            asked += 40
            run.clock.advance(1)
            await asyncio.sleep(0)
        assert not ann.talk.table.watchers
        socket.transport.abort()
        assert ann.closed is None
        await ann.say(say.Ping(n=1))
        assert [line["code"] for line in run.lines if line["event"] == "closed"] == ["session/slow"]


async def test_health(tmp_path: Path) -> None:
    async with running(tmp_path) as run:

        def ask() -> object:
            with urllib.request.urlopen(f"http://127.0.0.1:{run.port}/healthz", timeout=PATIENCE) as answer:
                return json.loads(answer.read())

        assert await asyncio.to_thread(ask) == {"status": "ok"}


async def test_welcome_names_the_server(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client()
        welcome = await ann.hear(Welcome)
        assert welcome.server == "Eschaton"
        assert welcome.pings == 20
