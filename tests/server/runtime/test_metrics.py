"""The server's metrics, and the address at which it reports its health."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from protocol.wire import from_client as say
from server.net.health import STUCK_SECONDS, Health
from server.runtime.instruments import MOST_LABELS, OTHER, Histogram, LabelledCounter
from server.runtime.metrics import Metrics
from tests.support.clients.wire import Running, running, two_players
from tests.support.doubles.memory_store import MemoryStore
from tests.support.doubles.stores import FailingStore
from tests.support.servers.numbers import get


def numbers(text: str) -> dict[tuple[str, ...], float]:
    """Return samples by name and the values of their labels."""
    families = text_string_to_metric_families(text)
    return {(s.name, *s.labels.values()): s.value for family in families for s in family.samples}


async def status(run: Running, port: int) -> tuple[int, Any]:
    code, body = await get(port, "/readyz")
    return code, json.loads(body)["status"]


class PromisingStore(MemoryStore):
    @property
    def promise(self) -> str:
        return "Taken on your word."


async def test_readiness_tells_what_the_store_promises(tmp_path: Path) -> None:
    async with running(tmp_path, store=PromisingStore()) as run:
        _, body = await get(run.server.watch("127.0.0.1", 0), "/readyz")
        assert json.loads(body) == {"status": "ok", "durability": "Taken on your word."}


async def test_what_happens_at_a_table_is_counted(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        port = run.server.watch("127.0.0.1", 0)
        ann, ben = await two_players(run)
        assert await ann.intend("focus") == ""
        assert await ann.intend("strike", target=["seat/0"]) != ""
        await ben.say(say.Resync())
        await ben.say(say.Chat(text=" "))
        await ben.problem()
        eva = await run.client("Eva")
        code, text = await get(port, "/metrics")
        seen = numbers(text)
        assert code == 200
        assert seen["eschaton_intents_total", "done"] == seen["eschaton_intents_total", "refused"] == 1
        assert seen["eschaton_rejects_total", "chat/empty"] == 1
        assert seen["eschaton_tables", "live"] == seen["eschaton_matches_waiting",] == 1
        assert seen["eschaton_seats", "person"] == seen["eschaton_connected", "seat"] == 2
        assert seen["eschaton_connected", "lobby"] == 1
        assert seen["eschaton_sockets",] == 3
        assert seen["eschaton_resyncs_total", "client"] == 1
        assert seen["eschaton_append_seconds_count",] == seen["eschaton_append_bytes_count",] >= 2
        assert seen["eschaton_intent_durable_seconds_count",] == 1
        assert seen["eschaton_sent_seconds_count",] > 3
        assert seen["process_open_fds",] > 0
        await eva.cut()


async def test_people_who_come_back_are_counted_by_what_they_were_shown(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        await ann.cut()
        await ann.connect()
        await ann.until(lambda: ann.talk.table is not None and ann.talk.scene is not None)
        resumes = run.server.metrics.resumes
        assert resumes.get("first") == 2
        assert resumes.get("delta") + resumes.get("snapshot") == 1


async def test_ready_means_that_the_store_can_be_written(tmp_path: Path) -> None:
    store = FailingStore()
    async with running(tmp_path, store=store) as run:
        port = run.server.watch("127.0.0.1", 0)
        assert await status(run, port) == (200, "ok")
        store.failing = True
        assert await status(run, port) == (503, "The disk is full.")
        assert run.server.metrics.store_errors.get("put_record") == 1
        assert (await get(port, "/healthz"))[0] == 200
        store.failing = False
        assert await status(run, port) == (200, "ok")
        run.server.health.stop()
        assert await status(run, port) == (503, "stopping")
        assert (await get(port, "/nowhere"))[0] == 404


async def test_a_loop_that_stands_still_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    health = Health(MemoryStore(), Metrics())
    assert health.stuck == 0.0
    assert await health.unready() == "starting"
    later = time.monotonic() + STUCK_SECONDS + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert health.stuck > STUCK_SECONDS


def test_a_spread_puts_a_value_into_the_first_bucket_that_holds_it() -> None:
    spread = Histogram("s", "h", (1.0, 10.0))
    for value in (0.5, 1.0, 2.0, 50.0):
        spread.add(value)
    [family] = spread.collect()
    assert [sample.value for sample in family.samples] == [2, 3, 4, 4, 53.5]


def test_labels_do_not_grow_without_end() -> None:
    counts = LabelledCounter("c", "h", "code")
    for number in range(MOST_LABELS + 50):
        counts.add(str(number))
    assert counts.get(OTHER) == 50
    assert counts.get("7") == 1
