"""All wiring of the server, in one place."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from protocol.limits import Limits
from server.clock import Clock, RealClock
from server.content import Installed
from server.desk import Desk
from server.gateway import Gateway
from server.identity import Identities
from server.lobby import Lobby
from server.logs import Log, make_log
from server.marks import Mark, unmarked
from server.services import Services
from server.signing import HostKey
from server.store.port import Store
from server.vault import Vault
from server.version import program_version


@dataclass
class Server:
    """A whole server. `data` is its folder: host key, replays; the store is opened and closed by the caller."""

    systems: Mapping[str, Installed]
    store: Store
    data: Path
    clock: Clock = field(default_factory=RealClock)
    log: Log = field(default_factory=make_log)
    limits: Limits = field(default_factory=Limits)
    bot_pause: float = 0.4
    name: str = "Eschaton"
    mark: Mark = unmarked

    def __post_init__(self) -> None:
        replays = self.data / "replays"
        replays.mkdir(parents=True, exist_ok=True)
        vault = Vault.at(self.data / "host.key")
        key = HostKey.at(self.data / "host.ed25519")
        services = Services(
            self.store, self.clock, self.log, self.limits, self.systems, vault, key, replays, self.bot_pause, self.mark
        )
        self.lobby = Lobby(services)
        identities = Identities(self.store, self.clock, self.limits.name_length)
        self._desk = Desk(services, self.lobby, identities, self.name, program_version())
        self._gateway = Gateway(services, self._desk)

    async def open(self, host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None) -> int:
        """Resume all live matches, then listen; returns the port. Raises OSError, StoreError."""
        await self.lobby.open()
        return await self._gateway.open(host, port, tls)

    async def close(self) -> None:
        """Stop listening, close connections, stop matches where they are: all they hold is durable."""
        await self._gateway.close()
        await self._desk.close()
        await self.lobby.close()
