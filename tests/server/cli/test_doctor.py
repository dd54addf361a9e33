"""The doctor: each planted trouble is found, named, and told with what mends it; a healthy host has none."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from protocol.version import SUBPROTOCOL
from server.cli.doctor import host_checks
from server.cli.doctor.checks import CHECKS, examine, left_out, page_table
from server.cli.doctor.facts import Facts, Numbers, ServerFacts, look_at_server, parse_numbers
from server.cli.doctor.redis_facts import RedisFacts, look_at_redis
from server.cli.doctor.report import run
from server.cli.doctor.store_facts import StoreFacts, look_at_file
from server.cli.settings.settings import ServerSettings
from server.net import monitor
from server.net.folder_figures import FolderFigures
from server.runtime.backup_mark import MARK, mark_backup
from server.runtime.clock import RealClock
from server.runtime.version import program_version
from server.store.redis.store import RedisStore
from server.store.sqlite.store import SqliteStore
from tests.server.cli.test_process import serving
from tests.support.clients.wire import running
from tests.support.doubles.redis_server import DURABLE, RedisServer, free_port
from tests.support.doubles.supervisor import supervisor
from tests.support.servers.certificates import certificate

pytestmark = pytest.mark.waits
DAY = 24 * 3600
NOBODY = 65_534
"""User id that may look into no folder of another."""
HEALTHY: Numbers = {
    ("build_info", program_version()): 1.0,
    ("tables", "parked"): 0.0,
    ("task_faults_total", "bot"): 0.0,
    ("webhook_messages_total", "sent"): 10.0,
    ("webhook_messages_total", "status"): 10.0,
    ("process_max_fds",): 65_536.0,
    ("handshakes_refused_total", "proxy"): 0.0,
    ("untrusted_forwards_total", "loopback"): 0.0,
    ("untrusted_forwards_total", "public"): 7.0,
    ("clock_jumps_total",): 0.0,
    ("replays_bytes",): 5e6,
}
RUNS = ServerFacts(answers=True, at="127.0.0.1:8440", pid=4711, numbers=HEALTHY)


def host(folder: Path) -> Facts:
    """A host with nothing wrong: its folder is there, with keys and a backup."""
    folder.mkdir(mode=0o700, exist_ok=True)
    for name in ("host.key", "host.ed25519"):
        (folder / name).write_bytes(bytes(32))
        (folder / name).chmod(0o600)
    mark_backup(folder)
    return Facts(ServerSettings(data=folder), RUNS, StoreFacts(folder / "eschaton.db"))


class Planted(NamedTuple):
    """A planted trouble: what makes it, the check that finds it, and words of its sentence and its command."""

    plant: Callable[[Facts], Facts | None]
    check: str
    what: str
    mend: str


def with_numbers(**numbers: float) -> Callable[[Facts], Facts]:
    """Have the server show these numbers; a name may have a label's value behind two underscores."""
    shown = {tuple(name.split("__")): value for name, value in numbers.items()}
    return lambda facts: Facts(facts.settings, RUNS._replace(numbers=HEALTHY | shown), facts.store)


def with_server(**changed: object) -> Callable[[Facts], Facts]:
    return lambda facts: Facts(facts.settings, RUNS._replace(**changed), facts.store)  # type: ignore[arg-type]  # a test names fields


def with_redis(*, settings: dict[str, str] | None = None, **changed: object) -> Callable[[Facts], Facts]:
    good = {"appendonly": "yes", "appendfsync": "always", "no-appendfsync-on-rewrite": "no"}
    found = RedisFacts("Redis at 127.0.0.1:6379", settings=good | (settings or {}))
    return lambda facts: Facts(facts.settings, RUNS, redis=found._replace(**changed))  # type: ignore[arg-type]  # a test names fields


def with_settings(**changed: object) -> Callable[[Facts], Facts]:
    return lambda facts: Facts(ServerSettings(data=facts.folder, **changed), RUNS, facts.store)  # type: ignore[arg-type]  # a test names fields


def open_key(facts: Facts) -> None:
    (facts.folder / "host.key").chmod(0o640)


def open_folder(facts: Facts) -> None:
    facts.folder.chmod(0o755)


def future(facts: Facts) -> None:
    os.utime(facts.folder / "host.key", (time.time() + 3600,) * 2)


def counted(facts: Facts) -> Facts:
    assert facts.store is not None
    return Facts(facts.settings, RUNS, facts.store._replace(uptime=int(time.time()) + 2 * DAY))


def old_backup(facts: Facts) -> None:
    os.utime(facts.folder / MARK, (time.time() - 9 * DAY,) * 2)


def no_backup(facts: Facts) -> None:
    (facts.folder / MARK).unlink()
    os.utime(facts.folder / "host.key", (time.time() - 2 * DAY,) * 2)


def no_backup_of_redis(facts: Facts) -> Facts:
    no_backup(facts)
    return with_redis()(facts)


def no_disk(facts: Facts) -> Facts:
    return Facts(facts.settings, RUNS, facts.store)


def short_certificate(facts: Facts) -> Facts:
    cert, key = certificate(facts.folder)
    key.chmod(0o600)
    return Facts(ServerSettings(data=facts.folder, tls_cert=cert, tls_key=key), RUNS, facts.store)


def ended_certificate(facts: Facts) -> Facts:
    soon = short_certificate(facts)
    (facts.folder / "cert.pem").touch()
    return Facts(soon.settings, RUNS, soon.store, now=time.time() + 2 * DAY)


def other_key(facts: Facts) -> Facts:
    planted = short_certificate(facts)
    (facts.folder / "other").mkdir(mode=0o700)
    _, key = certificate(facts.folder / "other")
    key.replace(facts.folder / "key.pem")
    (facts.folder / "key.pem").chmod(0o600)
    return planted


def open_certificate_key(facts: Facts) -> Facts:
    planted = short_certificate(facts)
    (facts.folder / "key.pem").chmod(0o644)
    return planted


def old_certificate(facts: Facts) -> Facts:
    planted = short_certificate(facts)
    shown = HEALTHY | {("certificate_days_left",): 30.0}
    return Facts(planted.settings, RUNS._replace(numbers=shown), planted.store)


def newer_file(facts: Facts) -> Facts:
    file = facts.folder / "eschaton.db"
    asyncio.run(SqliteStore(file).close())
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version = 999")
    db.close()
    return Facts(facts.settings, RUNS, look_at_file(file))


def damaged_file(facts: Facts) -> Facts:
    file = facts.folder / "eschaton.db"
    file.write_bytes(b"no data file" * 99)
    return Facts(facts.settings, RUNS, look_at_file(file))


def no_folder(facts: Facts) -> Facts:
    return Facts(ServerSettings(data=facts.folder / "nowhere"), RUNS)


def closed_folder(facts: Facts) -> None:
    facts.folder.chmod(0)
    if os.getuid() == 0:
        os.seteuid(NOBODY)


PLANTED = (
    Planted(closed_folder, "folder-closed", "may not look into", "sudo -u "),
    Planted(no_folder, "folder-missing", "no data folder", "eschaton-server serve --data"),
    Planted(with_server(answers=False, numbers=None), "not-running", "127.0.0.1:8440", "systemctl start eschaton"),
    Planted(with_server(unready="The disk is full."), "not-ready", "The disk is full.", "journalctl"),
    Planted(
        lambda facts: Facts(ServerSettings(data=facts.folder, metrics="127.0.0.1:9440"), RUNS._replace(numbers=None)),
        "numbers-away",
        "at 127.0.0.1:9440",
        "--metrics 127.0.0.1:9440",
    ),
    Planted(with_server(unready="another server has taken the store over"), "store-taken", "Another", "kill 4711"),
    Planted(with_redis(holder="f00d", silent=1.0), "store-held", "another data folder", "--store redis://"),
    Planted(with_server(numbers={("build_info", "0.0.9"): 1.0}), "version", "0.0.9 runs", "systemctl restart"),
    Planted(with_numbers(rules_info__one_page__abc=1.0), "rules", "one_page", "systemctl restart"),
    Planted(future, "clock-behind", "host.key", "timedatectl set-ntp true"),
    Planted(counted, "clock-behind", "counted", "timedatectl set-ntp true"),
    Planted(with_numbers(clock_jumps_total=2.0), "clock-jumped", "2 times", "timedatectl set-ntp true"),
    Planted(with_redis(ahead=-40.0), "clock-of-redis", "40 s behind", "timedatectl set-ntp true"),
    Planted(no_disk, "disk", " MB left", "--replays-gb"),
    Planted(with_numbers(replays_bytes=3e9), "replays", "3.0 GB", "--replays-gb 2"),
    Planted(open_key, "key-readable", "host.key", "chmod 600 "),
    Planted(open_folder, "folder-open", "look into", "chmod 700 "),
    Planted(open_certificate_key, "secret-readable", "key.pem", "chmod 600 "),
    Planted(
        with_numbers(untrusted_forwards_total__loopback=3.0), "proxy-untrusted", "(3)", "--trusted-proxy 127.0.0.1"
    ),
    Planted(with_numbers(handshakes_refused_total__proxy=2.0), "proxy-refused", "(2)", "proxy-refused"),
    Planted(with_settings(trusted_proxy=("1.0.0.0/8",)), "proxy-too-many", "1.0.0.0/8", "--trusted-proxy ADDRESS"),
    Planted(short_certificate, "certificate-ends", "ends in 0 days", "certbot renew"),
    Planted(ended_certificate, "certificate-over", "has ended", "certbot renew"),
    Planted(other_key, "certificate-unusable", "do not belong together", "certbot certificates"),
    Planted(old_certificate, "certificate-old", "another certificate", "kill -HUP 4711"),
    Planted(old_backup, "backup-old", "9 days ago", "eschaton-server backup /backups"),
    Planted(no_backup, "backup-never", "ever", "eschaton-server backup /backups"),
    Planted(no_backup_of_redis, "backup-never", "ever", "redis-cli BGSAVE"),
    Planted(with_numbers(process_max_fds=1024.0), "open-files", "1024 files", "LimitNOFILE=10200"),
    Planted(damaged_file, "store-unreadable", "not a data file", "eschaton-server fsck"),
    Planted(newer_file, "store-newer", "newer program", "pip install --upgrade eschaton"),
    Planted(with_redis(layout=99), "redis-newer", "newer program", "pip install --upgrade eschaton"),
    Planted(with_redis(problem="refused"), "redis-away", "does not answer", "redis-cli PING"),
    Planted(
        with_redis(settings={"appendfsync": "everysec"}),
        "redis-durability",
        "appendfsync of Redis is everysec",
        "redis-cli CONFIG SET appendfsync always",
    ),
    Planted(
        with_redis(settings={"maxmemory-policy": "allkeys-lru"}),
        "redis-evicts",
        "allkeys-lru",
        "redis-cli CONFIG SET maxmemory-policy noeviction",
    ),
    Planted(with_redis(info={"maxmemory": 100, "used_memory": 95}), "redis-full", "uses", "CONFIG SET maxmemory "),
    Planted(with_redis(info={"aof_last_write_status": "err"}), "redis-disk", "aof_last_write_status is err", "df -h"),
    Planted(
        lambda facts: Facts(
            ServerSettings(data=facts.folder, durability="replica"), RUNS, redis=RedisFacts("Redis", info={"a": 1})
        ),
        "redis-replica",
        "no replica",
        "redis-cli INFO replication",
    ),
    Planted(with_numbers(tables__parked=2.0), "parked", "2", "eschaton-server fsck"),
    Planted(
        with_numbers(webhook_messages_total__slow=2.0),
        "webhooks-fail",
        "12 did not arrive (slow, status)",
        "journalctl",
    ),
    Planted(with_numbers(task_faults_total__sweep=1.0), "task-faults", "sweep", "journalctl"),
)


@pytest.fixture(autouse=True)
def room(monkeypatch: pytest.MonkeyPatch) -> None:
    """However full the disk of the tests is, it is full enough for the doctor where a test says so."""
    monkeypatch.setattr(host_checks, "LEAST_FREE", 0)


@pytest.fixture(autouse=True)
def own_user(tmp_path: Path) -> Iterator[None]:
    """A test that looks as another user does, or closes a folder, is undone."""
    yield
    os.seteuid(os.getuid())
    for folder in tmp_path.iterdir():
        folder.chmod(folder.stat().st_mode | 0o600 | (0o100 if folder.is_dir() else 0))


@pytest.mark.parametrize("planted", PLANTED, ids=[f"{each.check}-{n}" for n, each in enumerate(PLANTED)])
def test_a_planted_trouble_is_found_and_named_with_what_mends_it(
    planted: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = host(tmp_path / "data")
    assert not list(examine(facts))
    if planted.plant is no_disk:
        monkeypatch.setattr(host_checks, "LEAST_FREE", 1 << 62)
    found = [trouble for trouble in examine(planted.plant(facts) or facts) if trouble.check == planted.check]
    assert len(found) == 1
    assert planted.what in found[0].what
    assert planted.mend in found[0].mend


def test_another_user_is_told_whose_host_it_is(tmp_path: Path) -> None:
    facts = host(tmp_path / "data")
    asyncio.run(SqliteStore(facts.folder / "eschaton.db").close())
    assert not list(examine(facts))
    closed_folder(facts)
    seen = Facts(facts.settings, RUNS, look_at_file(facts.folder / "eschaton.db"))
    assert [trouble.check for trouble in examine(seen)] == ["folder-closed"]


@pytest.mark.parametrize("folder", ["newer", "older"])
def test_a_damaged_file_in_a_folder_of_any_name_is_not_of_a_newer_program(tmp_path: Path, folder: str) -> None:
    facts = host(tmp_path / folder)
    assert [trouble.check for trouble in examine(damaged_file(facts))] == ["store-unreadable"]


class OtherProgram(BaseHTTPRequestHandler):
    """A program that shows numbers, too."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"process_max_fds 10\n")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own name for it
        """Log nothing."""


def test_numbers_of_another_program_are_not_those_of_a_server(tmp_path: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), OtherProgram) as other:
        at = f"127.0.0.1:{other.server_address[1]}"
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        facts = look_at_server(ServerSettings(data=tmp_path, listen=at, metrics=at))
        other.shutdown()
        thread.join()
    assert facts.answers
    assert facts.numbers is None


async def test_a_server_that_does_not_answer_any_more_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitor, "ANSWER_SECONDS", 0.05)
    async with running(tmp_path) as server:
        port = server.server.watch("127.0.0.1", 0)
        settings = ServerSettings(data=tmp_path, listen=f"127.0.0.1:{server.port}", metrics=f"127.0.0.1:{port}")
        found: list[ServerFacts] = []
        looking = threading.Thread(target=lambda: found.append(look_at_server(settings)))
        looking.start()
        looking.join()
    assert found[0].unready == "the event loop does not answer"
    assert [trouble.check for trouble in examine(Facts(settings, found[0]))] == ["not-ready"]


def test_every_check_is_planted_and_on_the_page() -> None:
    assert {planted.check for planted in PLANTED} == {check.name for check in CHECKS}
    page = (Path(__file__).resolve().parents[3] / "docs" / "operating.md").read_text("utf-8")
    _, _, table = page.partition("| name | what is wrong | what mends it |\n| --- | --- | --- |\n")
    assert table.partition("\n\n")[0].splitlines() == page_table()
    assert len({check.name for check in CHECKS}) == len(CHECKS)


def test_without_numbers_it_says_what_it_could_not_look_at(tmp_path: Path) -> None:
    facts = Facts(host(tmp_path / "data").settings, RUNS._replace(numbers=None))
    assert not list(examine(facts))
    assert {"version", "parked"} <= set(left_out(facts))


def test_looking_makes_no_file(tmp_path: Path) -> None:
    file = tmp_path / "eschaton.db"
    asyncio.run(SqliteStore(file).close())
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert look_at_file(file).problem == ""
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_every_number_that_is_looked_at_is_shown_under_this_name(tmp_path: Path) -> None:
    """A metric that is given another name would leave its check blind."""
    source = "".join(path.read_text("utf-8") for path in sorted(Path(host_checks.__file__).parent.glob("*.py")))
    names = set(re.findall(r"(?:number|labelled)\(\s*\"(\w+)\"", source))

    async def shown() -> Numbers:
        async with running(tmp_path) as run:
            figures = FolderFigures(tmp_path, supervisor())
            await figures.refresh()
            run.server.metrics.observe(figures.gauges)
            run.server.metrics.task_faults.add("any")
            run.server.metrics.handshakes_refused.add("proxy")
            return parse_numbers(run.server.metrics.exposition().decode())

    found = {name for name, *_ in asyncio.run(shown())}
    assert len(names) > 8
    assert names - {"certificate_days_left"} <= found


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    weak = [*DURABLE[:3], "everysec", *DURABLE[4:], "--maxmemory-policy", "volatile-lru", "--maxmemory", "100mb"]
    server = RedisServer(tmp_path_factory.mktemp("redis"), weak)
    yield server
    server.close()


def test_a_real_redis_is_looked_at_and_left_as_it_is(redis: RedisServer, tmp_path: Path) -> None:
    place = redis.place()

    async def held() -> RedisFacts:
        store = await RedisStore.open(place, "second")
        await store.take_lease(tmp_path / "other", RealClock())
        try:
            return await asyncio.to_thread(look_at_redis, place)
        finally:
            await store.close()

    facts = Facts(host(tmp_path / "data").settings, RUNS, redis=asyncio.run(held()))
    found = {trouble.check: trouble for trouble in examine(facts)}
    assert set(found) == {"redis-durability", "redis-evicts", "store-held"}
    assert abs(facts.redis.ahead if facts.redis else 9) < 5
    keys = redis.say("DBSIZE")
    assert look_at_redis(redis.place()).problem == ""
    assert redis.say("DBSIZE") == keys
    assert look_at_redis(f"redis://127.0.0.1:{free_port()}/0").problem
    assert "cannot be read" in look_at_redis("redis://:a/b@c").problem


async def test_a_healthy_server_has_nothing_and_a_sick_one_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, port = tmp_path / "data", free_port()
    shown = ("--metrics", f"0.0.0.0:{port}")
    command = [sys.executable, "-m", "server.cli.main", "doctor", "--data", str(data), *shown]
    async with serving(data, *shown) as (_, listens):
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        told, _ = await process.communicate()
        assert (process.returncode, told.decode()) == (0, f"{len(CHECKS)} things looked at: nothing is wrong.\n")
        (data / "host.ed25519").chmod(0o644)
        offered, named = [Subprotocol(SUBPROTOCOL)], {"X-Forwarded-For": "192.0.2.7"}
        async with connect(f"ws://127.0.0.1:{listens}", subprotocols=offered, additional_headers=named):
            settings = ServerSettings(data=data, metrics=shown[1])
            assert await asyncio.to_thread(run, settings, as_json=True) == 1
    found = [json.loads(line)["check"] for line in capsys.readouterr().out.splitlines()]
    assert found == ["key-readable", "proxy-untrusted"]
    assert await asyncio.to_thread(run, ServerSettings(data=data, listen=f"127.0.0.1:{listens}"), as_json=False) == 1
    assert "not-running: No server answers" in capsys.readouterr().out


async def test_a_server_is_asked_where_it_shows_its_numbers(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        port = run.server.watch("127.0.0.1", 0)
        settings = ServerSettings(data=tmp_path, metrics=f"0.0.0.0:{port}")
        facts = await asyncio.to_thread(look_at_server, settings)
        assert facts.answers
        assert facts.numbers
        assert facts.unready == ""
        run.server.health.stop()
        assert (await asyncio.to_thread(look_at_server, settings)).unready == "stopping"
