"""`eschaton-server serve`: a server process from its options to its end."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import ssl
import sys
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn
from urllib.parse import urlsplit

from protocol.host_addresses import is_loopback
from protocol.limits import Limits
from server.app import Server
from server.cli.settings.settings import ServerSettings
from server.cli.settings.sources import unknown_variables
from server.content.systems import Installed, faults_told, find_systems, load
from server.lobby.matches.kept_replays import NO_BOUNDS, ReplayBounds
from server.net.certificate import Certificate
from server.net.proxies import NO_PROXIES, TrustedProxies
from server.runtime.clock import RealClock
from server.runtime.crash_points import Mark, unmarked
from server.runtime.errors import CommandError, KeyDamaged, SealDamaged
from server.runtime.former_keys import KEY
from server.runtime.gc_schedule import collect_when_due
from server.runtime.keyfile import open_to_others, private_folder
from server.runtime.loading import load_uncollected
from server.runtime.logs import PEOPLE, Level, Log, capture_all, make_log
from server.runtime.metrics import Metrics
from server.runtime.open_files import SPARE_FILES, allow_open_files
from server.runtime.signals import on_hangup, on_stop
from server.runtime.signing import HostKey
from server.runtime.tasks import TaskSupervisor, stop as stop_tasks
from server.store.choice import has_password, open_store, without_password
from server.store.host_keys import check_host_keys
from server.store.port import Store, StoreError, StoreInUse
from server.webhooks.address import is_host_name
from server.webhooks.delivery import WebhookRoutes
from server.webhooks.resolver import SystemResolver

GIGABYTE: Final = 1_000_000_000
NOTE: Final = "server.json"


def run(given: ServerSettings, *, until_unused: bool = False) -> int:
    """Serve until a signal ends it. `until_unused`: see serve. Raises CommandError."""
    store, folder, durability = given.place, given.folder, given.durability_class
    proxies = trusted_proxies(given.trusted_proxy, speak_proxy=given.proxy_protocol)
    host, port = parse_address(given.listen)
    monitor = parse_address(given.metrics) if given.metrics else None
    tls = certificate(given.tls_cert, given.tls_key)
    if tls is None and not is_loopback(host):
        raise CommandError(
            f"Others could read along: {host} is reachable from the network, and there is no TLS. Start it with\n"
            f"  eschaton-server serve --listen {given.listen} --tls-cert CERT.pem --tls-key KEY.pem\n"
            f"or on this computer only, with\n"
            f"  eschaton-server serve --listen 127.0.0.1:{port}"
        )
    check_origins(given.origin)
    webhooks = webhook_routes(given.webhook_host)
    allow_open_files(Limits().sockets + SPARE_FILES)
    try:
        private_folder(folder)
        with faults_told(), load_uncollected():
            systems = load(find_systems().values(), own_content(folder, given.content))
    except OSError as problem:
        raise CommandError(f"The data folder {folder} cannot be used: {problem}", 1) from problem

    async def open_and_serve() -> int:
        clock, numbers = RealClock(), Metrics()
        log = make_log(sys.stderr, clock.wall, given.log_level)
        for why in unknown_variables(os.environ):
            log.warning("unknown-setting", why=why)
        _warn_of_sight(log, given, store)
        with store_explained(store, folder):
            opened = await open_store(
                store,
                folder,
                durability,
                lambda size: log.info("opening-store", bytes=size),
                lambda: log.warning("store-in-use", why="waiting for another server, which may have ended"),
                TaskSupervisor(log, numbers, clock),
                lambda layout: log.info("store-updated", layout=layout),
            )
        if opened.promise:
            log.warning("durability", why=opened.promise)
        return await serve(
            systems,
            opened,
            folder,
            host,
            port,
            tls,
            bot_pause=given.bot_pause,
            monitor=monitor,
            origins=given.origin,
            level=given.log_level,
            numbers=numbers,
            until_unused=until_unused,
            bots_alone=given.bots_alone,
            moderators=given.moderator,
            webhooks=webhooks,
            proxies=proxies,
            replay_bounds=ReplayBounds(given.replays_days or None, round(given.replays_gb * GIGABYTE) or None),
        )

    return run_last(open_and_serve())


def _warn_of_sight(log: Log, given: ServerSettings, store: str) -> None:
    """Log files and options that others on this computer can read and should not. Raises OSError."""
    files = (given.store_file, given.tls_key, given.settings if has_password(given.store) else None)
    paths = (given.folder, *(file for file in files if file is not None))
    for path in paths:
        mend = open_to_others(path)
        if mend:
            log.warning("open-to-others", path=str(path), mend=mend)
    if has_password(store) and any(store in word for word in sys.argv):
        log.warning("password-in-sight", option="--store", mend="give it as ESCHATON_STORE or in a file")


@contextmanager
def store_explained(store: str, folder: Path) -> Iterator[None]:
    """Raise CommandError in place of the StoreErrors of open_store, which is called within the block."""
    try:
        yield
    except StoreInUse as problem:
        raise CommandError(f"Another server uses {without_password(store) or folder}: {problem}", 1) from problem
    except StoreError as problem:
        raise CommandError(str(problem), 1) from problem


def run_loop(work: object) -> int:
    """Run a coroutine to its end, on uvloop where it is installed, and return its result."""
    assert asyncio.iscoroutine(work)
    try:
        import uvloop
    except ImportError:
        factory = None
    else:
        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        status: int = runner.run(work)
    return status


def run_last(work: Coroutine[Any, Any, int]) -> NoReturn:
    """Run a coroutine, on uvloop where it is installed, and end the process with its result.

    Nothing else in the process is waited for or put in order, which must be durable by then: to free the memory of 100
    matches piece by piece takes longer than to put them away, and a thread may be making a replay. What the coroutine
    raises is raised here.
    """

    async def last() -> None:
        status = await work
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)

    run_loop(last())
    raise AssertionError("a process that has ended goes on")


async def serve(
    systems: dict[str, Installed],
    store: Store,
    folder: Path,
    host: str,
    port: int,
    tls: Certificate | None = None,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    bot_pause: float | None = Server.bot_pause,
    mark: Mark = unmarked,
    monitor: tuple[str, int] | None = None,
    origins: tuple[str, ...] = (),
    level: Level = "info",
    numbers: Metrics | None = None,
    *,
    until_unused: bool = False,
    bots_alone: bool = False,
    moderators: tuple[str, ...] = (),
    webhooks: WebhookRoutes | None = None,
    proxies: TrustedProxies = NO_PROXIES,
    replay_bounds: ReplayBounds = NO_BOUNDS,
) -> int:
    """Open the server, print its address, and serve until SIGINT or SIGTERM, or until its terminal is gone.

    `until_unused`: also until nobody has been connected for `limits.unused_seconds`; `monitor`: the address of /metrics
    and the like; `numbers`: the metrics that the store counts in; `bots_alone`: matches go on where only bots play and
    nobody watches.
    """
    clock = RealClock()
    stop = asyncio.Event()
    on_stop(stop.set)
    try:
        await check_host_keys(store, folder)
        names = HostKey.at(folder / KEY).derive(PEOPLE)
        log = make_log(sys.stderr, clock.wall, level, names)
        capture_all(log)
        server = Server(
            systems,
            store,
            folder,
            clock,
            log,
            limits,
            bot_pause,
            mark=mark,
            origins=origins,
            bots_alone=bots_alone,
            moderators=moderators,
            webhooks=webhooks,
            proxies=proxies,
            replay_bounds=replay_bounds,
            metrics=numbers or Metrics(),
        )
        if tls is not None:
            server.metrics.observe(tls.gauges)
        beside: list[asyncio.Task[Any]] = [
            server.tasks.begin(collect_when_due(lambda: server.metrics.left_behind), "collector")
        ]
        if tls is not None:
            beside.append(server.tasks.begin(tls.watch(clock, log), "certificate"))
        on_hangup(stop.set, lambda: _read_anew(tls, log))
        try:
            asked = {"metrics": server.watch(*monitor)} if monitor is not None else {}
            bound = await server.open(host, port, tls.context if tls is not None else None)
            note = {"host": host, "port": bound, "pid": os.getpid()}
            write_note(folder / NOTE, note)
            print(json.dumps({"event": "listening", "host": host, "port": bound, **asked}), flush=True)
            log.info("listening", host=host, port=bound, systems=sorted(systems), **asked)
            if until_unused:
                beside.append(server.tasks.begin(_stop_unused(server, stop), "unused"))
            await stop.wait()
            # a second signal ends the process as a crash would: all that was told is durable
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            log.info("stopping")
            (folder / NOTE).unlink(missing_ok=True)
        finally:
            await stop_tasks(beside)
            await server.close()
    except OSError as problem:
        raise CommandError(f"Cannot listen on {host}:{port}: {problem.strerror or problem}", 1) from problem
    except StoreError as problem:
        raise CommandError(str(problem), 1) from problem
    except (SealDamaged, KeyDamaged) as problem:
        raise CommandError(f"The data folder {folder} cannot be used: {problem}", 1) from problem
    finally:
        await store.close()
    log.info("stopped")
    return 0


def _read_anew(tls: Certificate | None, log: Log) -> None:
    """Read the certificate anew, as SIGHUP asks."""
    if tls is not None:
        tls.renew(log)
    else:
        log.info("hangup", why="there is no certificate that could be read anew; end this server with SIGTERM")


async def _stop_unused(server: Server, stop: asyncio.Event) -> None:
    await server.unused()
    seconds = server.limits.unused_seconds
    server.log.info("unused", seconds=seconds, why="nobody has been connected for so long; matches go on the next time")
    stop.set()


def write_note(path: Path, note: dict[str, object]) -> None:
    """Tell other programs of this user where the server is: {"host", "port", "pid"}."""
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(note) + "\n", "utf-8")
    fresh.replace(path)


def own_content(data: Path, given: Path | None = None) -> Path | None:
    """Return the folder of the user's own content: the one `given`, else `content` in the data folder, where there is
    one."""
    usual = data / "content"
    return given if given is not None else usual if usual.is_dir() else None


def parse_address(text: str) -> tuple[str, int]:
    """Parse HOST:PORT, or [IPv6]:PORT. Raises CommandError."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isdecimal() or int(port) > 65_535:
        raise CommandError(f"{text!r} is no address. Write HOST:PORT, such as 127.0.0.1:8440.")
    return host, int(port)


def check_origins(origins: Sequence[str]) -> None:
    """Raise CommandError where one is not an Origin as browsers send it, which is compared to the letter."""
    for origin in origins:
        parts = urlsplit(origin)
        if parts.scheme not in ("https", "http") or not parts.netloc or origin != f"{parts.scheme}://{parts.netloc}":
            raise CommandError(f"{origin!r} is no origin. Write it as browsers do, such as https://play.example.org.")


def webhook_routes(hosts: Sequence[str]) -> WebhookRoutes | None:
    """Return the ways to these hosts of webhooks, None where there are none. Raises CommandError."""
    for host in hosts:
        if not is_host_name(host):
            raise CommandError(f"--webhook-host {host!r} is no name of a host. Write it small, such as discord.com.")
    return WebhookRoutes(tuple(hosts), SystemResolver(), ssl.create_default_context()) if hosts else None


def trusted_proxies(networks: Sequence[str], *, speak_proxy: bool) -> TrustedProxies:
    """Return the proxies of these networks. Raises CommandError."""
    if speak_proxy and not networks:
        raise CommandError("--proxy-protocol needs --trusted-proxy: the networks of the proxies that speak it.")
    try:
        return TrustedProxies.parse(networks, speak_proxy=speak_proxy)
    except ValueError as problem:
        raise CommandError(f"--trusted-proxy: {problem}") from problem


def certificate(cert: Path | None, key: Path | None) -> Certificate | None:
    """Read the certificate in these files; return None where neither is given. Raises CommandError."""
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise CommandError("--tls-cert and --tls-key belong together: give both.")
    try:
        return Certificate(cert, key)
    except OSError as problem:
        raise CommandError(f"The certificate {cert} and key {key} cannot be used: {problem}", 1) from problem
