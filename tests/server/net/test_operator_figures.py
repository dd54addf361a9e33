"""Figures for an operator: of the program, of its data folder and of those who come."""

from __future__ import annotations

import os
import time
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from protocol.version import SUBPROTOCOL
from server.net.folder_figures import FolderFigures
from server.net.program_figures import ChildrenCpu
from server.net.sent_bytes import SentBytes, kind_of
from server.runtime.backup_mark import MARK, mark_backup
from server.runtime.metrics import Metrics
from server.runtime.version import program_version
from tests.server.runtime.test_metrics import numbers
from tests.support.clients.wire import running, two_players
from tests.support.doubles.supervisor import supervisor
from tests.support.servers.numbers import get


async def test_what_an_operator_wants_to_know_of_a_server_at_play(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        port = run.server.watch("127.0.0.1", 0)
        ann, _ = await two_players(run)
        assert await ann.intend("focus") == ""
        _, text = await get(port, "/metrics")
        seen = numbers(text)
        assert seen["eschaton_build_info", program_version()] == 1
        assert len([name for name, *_ in seen if name == "eschaton_rules_info"]) == len(run.server.systems)
        assert seen["eschaton_matches_held",] == 1
        assert seen["eschaton_guests_total",] == 2
        assert seen["eschaton_tables_made_total",] == 1
        assert seen["eschaton_bot_orders_waiting",] == 0
        assert seen["eschaton_cpu_seconds_total", "acts"] > 0
        assert seen["eschaton_cpu_seconds_total", "other"] > 0
        assert seen["eschaton_sent_bytes_total", "welcome"] > 100
        assert seen["eschaton_sent_bytes_total", "delta"] > 0
        assert ("eschaton_sent_bytes_total", "unknown") not in seen
        assert seen["eschaton_disk_free_bytes",] > 0
        assert seen["eschaton_backup_age_seconds",] == float("inf")


async def test_readiness_is_a_number_too(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        port = run.server.watch("127.0.0.1", 0)
        assert numbers((await get(port, "/metrics"))[1])["eschaton_ready",] == 1
        run.server.health.stop()
        assert numbers((await get(port, "/metrics"))[1])["eschaton_ready",] == 0


async def test_a_visitor_named_by_one_who_is_no_trusted_proxy_is_counted(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        port = run.port
        async with connect(
            f"ws://127.0.0.1:{port}",
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            additional_headers={"X-Forwarded-For": "192.0.2.7"},
        ):
            assert run.server.metrics.untrusted_forwards.get("loopback") == 1


async def test_figures_of_a_folder_are_taken_once_and_kept(tmp_path: Path) -> None:
    figures = FolderFigures(tmp_path, supervisor())
    await figures.refresh()
    metrics = Metrics()
    metrics.observe(figures.gauges)
    assert numbers(metrics.exposition().decode())["eschaton_replays",] == 0
    (tmp_path / "replays").mkdir()
    (tmp_path / "replays" / "a.replay").write_bytes(b"12345")
    (tmp_path / "replays" / "a.f00d").write_bytes(b"not yet one")
    mark_backup(tmp_path)
    os.utime(tmp_path / MARK, (time.time() - 3600,) * 2)
    await figures.refresh()
    assert numbers(metrics.exposition().decode())["eschaton_replays",] == 0
    others = FolderFigures(tmp_path, supervisor())
    await others.refresh()
    seen = {family.name: family.samples[0].value for family in others.gauges()}
    assert (seen["eschaton_replays"], seen["eschaton_replays_bytes"]) == (1, 5)
    assert 3600 <= seen["eschaton_backup_age_seconds"] < 3700


def test_a_process_that_has_ended_keeps_its_time() -> None:
    children = ChildrenCpu()
    before = children.seconds([os.getpid()])
    assert before > 0
    assert children.seconds([]) == before


def test_bytes_are_counted_by_the_tag_of_a_message() -> None:
    sent, clocks, warning = SentBytes(), b"\x81\xa1t\xa6clocks", b"\xde\x00\x10\xa1t\xadclock_warning"
    sent.add((clocks, warning), 3)
    sent.add((clocks,), 1)
    assert sent.by_kind() == {"clocks": 4 * len(clocks), "clock_warning": 3 * len(warning)}


def test_the_kind_of_what_is_no_message_is_unknown() -> None:
    assert kind_of(b"\x82\xa1t\xa3ack\xa1i\x00") == "ack"
    assert kind_of(b"") == kind_of(b"xyz") == kind_of(b"\x81\xa1t") == "unknown"
