"""Expiry of accounts that nobody comes back to: they are deleted, with their tokens and the names they kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, Final, NoReturn

from server.store.port import StoreError

if TYPE_CHECKING:
    from server.accounts.identities import Account, Identities
    from server.lobby.services import Services

SWEEP_SECONDS: Final = 3600.0


class AccountExpiry:
    """The expiry of accounts: of a guest who never had a seat a day after they were last here (`Limits.guest_seconds`),
    of any other guest when their tokens have ended, and of a person who keeps a name after a year
    (`Limits.name_seconds`).

    `seated` returns all who have or had a seat; `is_here` tells who is connected.
    """

    def __init__(
        self,
        services: Services,
        identities: Identities,
        seated: Callable[[], Awaitable[Collection[str]]],
        is_here: Callable[[str], bool],
    ) -> None:
        self._services = services
        self._identities = identities
        self._seated = seated
        self._is_here = is_here

    async def watch(self) -> NoReturn:
        """Delete expired accounts every hour, until cancelled."""
        while True:
            try:
                await self.sweep()
            except StoreError as problem:
                self._services.log.warning("not-forgotten", problem=str(problem))
            await self._services.clock.sleep(SWEEP_SECONDS)

    async def sweep(self) -> None:
        """Delete all accounts that are due now. Raises StoreError; some may have been deleted then."""
        now, limits = self._services.uptime.seconds, self._services.limits
        soonest = min(limits.guest_seconds, limits.token_idle_seconds, limits.name_seconds)
        seated: Collection[str] | None = None
        count = 0
        async for account in self._identities.each():
            if not account.seen:
                await self._identities.date(account.id)
            elif now - account.seen > soonest:
                seated = await self._seated() if seated is None else seated
                is_due = partial(self._is_due, now=now, seated=seated)
                count += await self._identities.forget(account.id, is_due)
        if count:
            self._services.log.info("forgotten", accounts=count)

    def _is_due(self, account: Account, now: int, seated: Collection[str]) -> bool:
        limits = self._services.limits
        if self._is_here(account.id):
            return False
        if account.password:
            return now - account.seen > limits.name_seconds
        return now - account.seen > (limits.token_idle_seconds if account.id in seated else limits.guest_seconds)
