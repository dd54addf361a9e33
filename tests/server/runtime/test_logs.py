"""Each line of the log is one JSON object, whatever its event."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from protocol.ids import NodeId
from protocol.limits import Limits
from server.app import Server
from server.runtime.logs import MOST_PROBLEMS, OncePerMinute, library_logger, make_log
from server.store.sqlite.store import SqliteStore
from tests.support.clients.programs import ROOT
from tests.support.clients.wire import Log, Running, duel, two_players
from tests.support.doubles.clock import JumpingClock

pytestmark = pytest.mark.waits


@given(st.text())
def test_every_line_is_json_without_raw_control_characters(text: str) -> None:
    stream = io.StringIO()
    make_log(stream).bind(table=text).info("said", name=text)
    written = stream.getvalue()
    assert written.endswith("\n")
    assert written.isascii()
    assert all(c >= " " for c in written[:-1])
    assert json.loads(written) == {"table": text, "name": text, "event": "said", "level": "info"}


def test_objects_are_named_and_never_shown() -> None:
    stream = io.StringIO()
    make_log(stream, wall=lambda: 7).warning("odd", thing=object())
    assert json.loads(stream.getvalue()) == {"thing": "<object>", "event": "odd", "level": "warning", "at": 7}


def test_libraries_log_through_the_same_door() -> None:
    stream = io.StringIO()
    logger = library_logger(make_log(stream))
    logger.warning("%s went wrong", "it")
    logger.info("never mind")
    [line] = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert line["event"] == "library"
    assert line["message"] == "it went wrong"


def test_a_store_that_is_away_has_one_line_a_minute_for_each_problem() -> None:
    stream, clock = io.StringIO(), JumpingClock()
    log = make_log(stream, clock.wall)
    for _ in range(3):
        for number in range(100):
            log.bind(match=str(number)).error("store", problem="It is away.")
        log.error("store", problem="It is busy.")
        clock.advance(30)
    log.error("fault", problem="It is away.")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [(line["event"], line["problem"], line.get("more", 0)) for line in lines] == [
        ("store", "It is away.", 0),
        ("store", "It is busy.", 0),
        ("store", "It is away.", 199),
        ("store", "It is busy.", 1),
        ("fault", "It is away.", 0),
    ]


def test_problems_that_are_never_the_same_do_not_fill_the_memory() -> None:
    clock = JumpingClock()
    once = OncePerMinute("store", clock.wall)
    for number in range(2 * MOST_PROBLEMS):
        once(None, "error", {"event": "store", "problem": str(number)})
    assert len(once._said) <= MOST_PROBLEMS


def test_a_traceback_is_one_field() -> None:
    stream = io.StringIO()
    log = make_log(stream)
    try:
        raise ZeroDivisionError("by nothing")
    except ZeroDivisionError as problem:
        log.error("fault", exc_info=problem)
    line = json.loads(stream.getvalue())
    assert "ZeroDivisionError: by nothing" in line["exception"]


def test_people_are_pseudonyms_which_a_key_keeps() -> None:
    def said(key: bytes, **fields: str) -> dict[str, str]:
        stream = io.StringIO()
        make_log(stream, key=key).info("closed", **fields)
        line: dict[str, str] = json.loads(stream.getvalue())
        return line

    one = said(bytes(32), who="user-1", address="192.0.2.7", other="user-1")
    assert "192.0.2.7" not in one.values()
    assert one["other"] == "user-1"
    assert len(one["who"]) == 12
    assert said(bytes(32), who="user-1")["who"] == one["who"] != said(bytes(32), who="user-2")["who"]
    assert said(b"k" * 32, who="user-1")["who"] != one["who"]
    assert said(bytes(32), who="")["who"] == ""


def test_levels_below_the_chosen_one_say_nothing() -> None:
    stream = io.StringIO()
    log = make_log(stream, level="warning")
    log.info("no")
    log.debug("no")
    log.warning("yes")
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["yes"]


async def test_a_match_in_the_log_names_nobody_and_shows_nothing_hidden(tmp_path: Path) -> None:
    """Log at debug, the most detailed level."""
    stream = Log()
    clock = JumpingClock()
    store = SqliteStore(tmp_path / "eschaton.db")
    generous = Limits(handshakes_per_second=1000, sockets_per_address=1000)
    server = Server(duel(), store, tmp_path, clock, make_log(stream, clock.wall, "debug"), generous, bot_pause=0.0)
    run = Running(server, await server.open(), clock, stream)
    try:
        ann, ben = await two_players(run)
        for _ in range(2):
            assert await ann.intend("draw") == ""
            await ann.my_turn("rest")
        assert await ann.intend("strike", target=["seat/0"]) != ""
        assert await ann.intend("rest") == ""
        await ben.cut()
        await ben.connect()
        table = ann.talk.table
        cards = str(ann.scene.private.nodes[NodeId("sheet/hidden")])
    finally:
        for client in run.clients:
            await client.close()
        await server.close()
        await store.close()
    assert table is not None
    events = [line["event"] for line in run.lines]
    for event in ("connected", "entered", "begun", "intent", "closed"):
        assert event in events
    outcomes = {(line["outcome"], line.get("code", "")) for line in run.lines if line["event"] == "intent"}
    assert ("done", "") in outcomes
    assert any(outcome == "refused" for outcome, _ in outcomes)
    assert {line["match"] for line in run.lines if line["event"] == "intent"} == {table.id}
    written = stream.getvalue()
    for secret in (ann.talk.you, ben.talk.you, ann.talk.token, ben.talk.token, "127.0.0.1", "Ann", "Ben", table.code):
        assert secret
        assert secret not in written
    assert not any(word in written for word in cards.split() if len(word) > 12)


def test_whatever_would_reach_the_error_stream_is_a_line_of_the_log(tmp_path: Path) -> None:
    script = tmp_path / "noisy.py"
    script.write_text(
        "import asyncio, gc, logging, sys, threading, warnings\n"
        "from server.runtime.logs import capture_all, make_log\n"
        "capture_all(make_log(sys.stderr))\n"
        "logging.getLogger('some.library').error('went %s', 'wrong\\nbadly')\n"
        "warnings.warn('old', stacklevel=1)\n"
        "threading.Thread(target=lambda: 1 / 0, name='worker').start()\n"
        "async def fails(): raise ValueError('lost')\n"
        "async def main():\n"
        "    task = asyncio.create_task(fails())\n"
        "    await asyncio.sleep(0)\n"
        "    del task\n"
        "    gc.collect()\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert {line["event"] for line in lines} == {"library", "thread"}
    told = " ".join(str(line.get("message", "")) + str(line.get("exception", "")) for line in lines)
    assert "wrong\nbadly" in told
    assert "old" in told
    assert "ZeroDivisionError" in told
    assert "ValueError: lost" in told
