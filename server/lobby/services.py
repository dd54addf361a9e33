"""The parts that the whole server shares, handed to all by app.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from protocol.limits import Limits
    from server.accounts.uptime import Uptime
    from server.content.systems import Installed
    from server.lobby.directory import TableDirectory
    from server.lobby.matches.kept_replays import ReplayBounds
    from server.match.bots.workers.pool import BotWorkers
    from server.match.receipts import ReceiptSigner
    from server.order.moderation import Moderation
    from server.people.people import People
    from server.runtime.address_marks import AddressMarks
    from server.runtime.bounds import Bounds
    from server.runtime.clock import Clock
    from server.runtime.crash_points import Mark
    from server.runtime.logs import Log
    from server.runtime.loop_turns import LoopTurns
    from server.runtime.match_people import MatchPeople
    from server.runtime.metrics import Metrics
    from server.runtime.sealing import SealingKey
    from server.runtime.signing import HostKey
    from server.runtime.tasks import TaskSupervisor
    from server.store.port import Store
    from server.talk.lobby_lines import LobbyLines
    from server.talk.private_words import PrivateWords
    from server.talk.reports import ReportBook
    from server.webhooks.delivery import WebhookDelivery


@dataclass(frozen=True)
class Services:
    """Shared parts. `replays` is the folder of finished matches; `bot_pause` seconds a bot in a seat waits before it
    acts, None: as its table says; `bots_alone`: matches of bots go on where no person is left."""

    store: Store
    clock: Clock
    uptime: Uptime
    log: Log
    limits: Limits
    systems: Mapping[str, Installed]
    sealing_key: SealingKey
    key: HostKey
    receipts: ReceiptSigner
    replays: Path
    replay_bounds: ReplayBounds
    bot_pause: float | None
    bots_alone: bool
    bot_workers: BotWorkers
    mark: Mark
    metrics: Metrics
    tasks: TaskSupervisor
    turns: LoopTurns
    bounds: Bounds
    address_marks: AddressMarks
    match_people: MatchPeople
    directory: TableDirectory
    people: People
    lobby_lines: LobbyLines
    private_words: PrivateWords
    reports: ReportBook
    order: Moderation
    webhooks: WebhookDelivery
