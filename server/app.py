"""Wiring of the whole server, in one place."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from engine.core.rules.system import ScenarioInfo
from protocol.limits import Limits
from server.accounts.account_expiry import AccountExpiry
from server.accounts.identities import Identities
from server.accounts.registered_names import RegisteredNames
from server.accounts.uptime import Uptime
from server.content.systems import Installed, scenario_in
from server.lobby.census import census
from server.lobby.directory import MemoryTableDirectory
from server.lobby.forgotten_people import ForgottenPeople
from server.lobby.lobby import Lobby
from server.lobby.matches.kept_replays import NO_BOUNDS, ReplayBounds
from server.lobby.services import Services
from server.lobby.table.table_record import TableRecord
from server.match.bots.workers.pool import BotWorkers
from server.match.receipts import ReceiptSigner
from server.net.folder_figures import FolderFigures
from server.net.gateway import Gateway
from server.net.health import Health
from server.net.host_door import HostDoor
from server.net.message_router import MessageRouter
from server.net.monitor import Monitor
from server.net.program_figures import ProgramFigures
from server.net.proxies import NO_PROXIES, TrustedProxies
from server.order.host_commands import HostCommands
from server.order.host_requests import AnyHostRequest, HostAnswer
from server.order.moderation import Moderation
from server.people.people import People
from server.runtime.address_marks import LABEL, AddressMarks
from server.runtime.bounds import MemoryBounds
from server.runtime.clock import Clock, RealClock
from server.runtime.crash_points import Mark, unmarked
from server.runtime.former_keys import KEY
from server.runtime.keyfile import private_folder
from server.runtime.logs import Log, make_log
from server.runtime.loop_turns import LoopTurns
from server.runtime.match_people import PEOPLE_OF_MATCHES, MatchPeople
from server.runtime.metrics import Metrics
from server.runtime.sealing import SealingKey
from server.runtime.signing import HostKey
from server.runtime.tasks import TaskSupervisor, stop
from server.runtime.version import program_version
from server.store.former_marks import former_marks_key
from server.store.host_keys import SEALING_KEY
from server.store.measured import MeasuredStore
from server.store.port import Store
from server.talk.lobby_lines import LobbyLines
from server.talk.private_words import PrivateWords
from server.talk.reports import ReportBook
from server.webhooks.delivery import WebhookDelivery, WebhookRoutes
from server.webhooks.webhook_book import WebhookBook


@dataclass
class Server:
    """A whole server.

    `data` is its folder (host keys, replays); the store is opened and closed by the caller. `origins`: those of web
    pages that may connect; `proxies`: those that may name the visitors; `bots_alone`: matches go on where only bots
    play and nobody watches; `moderators`: kept names that make their keepers moderators; `webhooks`: the ways to those
    of people, None where nothing is sent.
    """

    systems: Mapping[str, Installed]
    store: Store
    data: Path
    clock: Clock = field(default_factory=RealClock)
    log: Log = field(default_factory=make_log)
    limits: Limits = field(default_factory=Limits)
    bot_pause: float | None = None
    name: str = "Eschaton"
    mark: Mark = unmarked
    origins: tuple[str, ...] = ()
    bots_alone: bool = False
    proxies: TrustedProxies = NO_PROXIES
    replay_bounds: ReplayBounds = NO_BOUNDS
    metrics: Metrics = field(default_factory=Metrics)
    moderators: tuple[str, ...] = ()
    webhooks: WebhookRoutes | None = None

    def __post_init__(self) -> None:
        replays = self.data / "replays"
        private_folder(replays)
        sealing_key = SealingKey.at(self.data / SEALING_KEY)
        key = HostKey.at(self.data / KEY)
        self._receipts = ReceiptSigner(key, self.log)
        store = MeasuredStore(self.store, self.metrics, self.clock)
        self.tasks = TaskSupervisor(self.log, self.metrics, self.clock)
        self._uptime = Uptime(store, self.clock, self.log, self.metrics.clock_jumps.add)
        self.bot_workers = BotWorkers(self.log, self.limits.bot_silence_seconds)
        self._people = people = People(store, self.limits, self.clock.wall)
        self.lobby_lines = LobbyLines(store, self.clock.wall)
        self.private_words = PrivateWords(store, sealing_key)
        self.reports = ReportBook(store)
        address_marks = AddressMarks(sealing_key.derive(LABEL))
        self._address_marks = address_marks
        self._former_marks_key = partial(former_marks_key, store, sealing_key, key)
        self.order = Moderation(store, address_marks, self.clock.wall, self.moderators, self.limits)
        bounds = MemoryBounds(self.limits, self.clock)
        self.webhook_book = WebhookBook(store, sealing_key)
        services = Services(
            store=store,
            clock=self.clock,
            uptime=self._uptime,
            log=self.log,
            limits=self.limits,
            systems=self.systems,
            sealing_key=sealing_key,
            key=key,
            address_marks=address_marks,
            match_people=MatchPeople(key.derive(PEOPLE_OF_MATCHES)),
            receipts=self._receipts,
            replays=replays,
            replay_bounds=self.replay_bounds,
            bot_pause=self.bot_pause,
            bots_alone=self.bots_alone,
            bot_workers=self.bot_workers,
            mark=self.mark,
            metrics=self.metrics,
            tasks=self.tasks,
            turns=LoopTurns(self.clock.now),
            bounds=bounds,
            directory=MemoryTableDirectory(self._scenario_of, people.is_blocked),
            people=people,
            lobby_lines=self.lobby_lines,
            private_words=self.private_words,
            reports=self.reports,
            order=self.order,
            webhooks=WebhookDelivery(self.webhook_book, self.webhooks, bounds, self.clock, self.metrics, self.log),
        )
        self.lobby = Lobby(services)
        self.metrics.observe(lambda: census(self.lobby))
        self.metrics.observe(ProgramFigures(self.systems, self.metrics.cpu, self.bot_workers).gauges)
        self.health = Health(store, self.metrics)
        self._beating: asyncio.Task[None] | None = None
        self._counting: asyncio.Task[None] | None = None
        self._giving_way: asyncio.Task[None] | None = None
        self._sweeping: asyncio.Task[None] | None = None
        self._monitor: Monitor | None = None
        self._identities = Identities(store, self._uptime, self.limits, self._forget)
        self._registered_names = RegisteredNames(services, self._identities)
        self._account_expiry = AccountExpiry(
            services,
            self._identities,
            self.lobby.seated,
            self.lobby.is_here,
            ForgottenPeople(services, self.lobby).forget,
        )
        self._router = MessageRouter(
            services,
            self.lobby,
            self._identities,
            self._registered_names,
            self._account_expiry,
            self.name,
            program_version(),
        )
        self._host_commands = HostCommands(self.order, store, self.clock.wall)
        self._host_door = HostDoor(self.data, self.tasks, self._answer_host)
        self._gateway = Gateway(services, self._router, self.origins, self.proxies)

    def _scenario_of(self, table: TableRecord) -> ScenarioInfo | None:
        """Return the scenario of a table, None where it is not installed (any more)."""
        return scenario_in(self.systems, table.system, table.scenario)

    async def _forget(self, who: str) -> None:
        """Delete what is kept of an account beside it. Raises StoreError."""
        await self._people.forget(who)
        await self.lobby_lines.forget(who)
        await self.private_words.forget(who)
        await self.lobby.book.forget(who)
        await self.order.forget(who)
        await self.webhook_book.forget(who)

    async def _answer_host(self, request: AnyHostRequest) -> HostAnswer:
        """Carry out a request of the host, and tell those whom it concerns."""
        answer = await self._host_commands.answer(request)
        self.lobby.order_news.tell()
        return answer

    async def open(self, host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None) -> int:
        """Read all tables, hear the host, then listen, and only then read matches as they are wanted; return the port.
        Raises OSError, StoreError, SealDamaged."""
        self._beating = self.tasks.keep(self.health.beat, "health")
        await self._uptime.open()
        self._counting = self.tasks.keep(self._uptime.keep, "uptime")
        self._address_marks.former = await self._former_marks_key()
        await self.order.open()
        await self.lobby.open()
        await self._host_door.open()
        bound = await self._gateway.open(host, port, tls)
        self.health.opened()
        self.lobby.begin()
        self._sweeping = self.tasks.keep(self._account_expiry.watch, "forgetting")
        self._giving_way = self.tasks.keep(self._give_way, "give-way")
        return bound

    def watch(self, host: str, port: int) -> int:
        """Answer /metrics, /healthz and /readyz at this address until closed; return the port. Raises OSError."""
        figures = FolderFigures(self.data, self.tasks)
        self.metrics.observe(figures.gauges)
        self._monitor = Monitor(self.metrics, self.health, figures)
        return self._monitor.open(host, port)

    async def unused(self) -> None:
        """Return once nobody has been connected for `Limits.unused_seconds`, counted from the opening on."""
        await self._gateway.idle.wait_for(self.limits.unused_seconds)

    async def _give_way(self) -> None:
        """Wait until another server takes the store over; from then on only answer /readyz, until closed."""
        await self.store.taken_over()
        self.log.error("store-taken", why="another server uses the store now; stop this one")
        self.health.store_taken_over()
        await self._end_play()

    async def _end_play(self) -> None:
        self.health.stop()
        self._gateway.tell_end()
        await self._host_door.close()
        self.lobby.stop_bots()
        self.bot_workers.stop()
        # what has been told goes out before matches are put away, however many there are
        await asyncio.sleep(0)
        await self.lobby.close()
        await self.bot_workers.close()
        self._receipts.sign_now()
        await self._router.close()
        await self._gateway.close()
        self._registered_names.close()

    async def close(self) -> None:
        """Stop listening, tell all clients that the server restarts, and let each match do what it was asked. All is
        durable."""
        if self._giving_way is not None:
            await stop([self._giving_way])
        await self._end_play()
        if self._monitor is not None:
            await self._monitor.close()
        await stop(task for task in (self._beating, self._counting, self._sweeping) if task is not None)
        if self._counting is not None:
            await self._uptime.store()
