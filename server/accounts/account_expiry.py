"""Expiry of accounts that nobody comes back to: they are deleted, with their tokens and the names they kept."""

from __future__ import annotations

import asyncio
from collections import Counter
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
    of any other guest after 90 days (`Limits.played_guest_seconds`), and of a person who keeps a name after a year
    (`Limits.name_seconds`).

    `seated` returns all who have or had a seat; `is_here` tells who is connected; `leave_tables` takes people from all
    tables, and returns those of whom nothing is left there.
    """

    def __init__(
        self,
        services: Services,
        identities: Identities,
        seated: Callable[[], Awaitable[Collection[str]]],
        is_here: Callable[[str], bool],
        leave_tables: Callable[[frozenset[str]], Awaitable[Collection[str]]],
    ) -> None:
        self._services = services
        self._identities = identities
        self._seated = seated
        self._is_here = is_here
        self._leave_tables = leave_tables
        self._forgetting = asyncio.Lock()
        self._soon: set[asyncio.Task[None]] = set()

    async def watch(self) -> NoReturn:
        """Delete expired accounts every hour, until cancelled."""
        while True:
            try:
                await self.sweep()
            except StoreError as problem:
                self._services.log.warning("not-forgotten", problem=str(problem))
            await self._services.clock.sleep(SWEEP_SECONDS)

    async def sweep(self) -> None:
        """Delete all accounts that are due now, tidy the others, and forget all that are deleted; those whose records
        cannot be written now are left for the next time. Raises StoreError where the accounts cannot be read."""
        now, limits = self._services.uptime.seconds, self._services.limits
        soonest = min(limits.guest_seconds, limits.played_guest_seconds, limits.name_seconds)
        seated: Collection[str] | None = None
        gone: set[str] = set()
        problems: Counter[str] = Counter()
        async for account in self._identities.each():
            if account.gone:
                gone.add(account.id)
                continue
            may_be_due = account.seen > 0 and now - account.seen > soonest
            if may_be_due and seated is None:
                seated = await self._seated()
            is_due = partial(self._is_due, now=now, seated=seated or ())
            try:
                if may_be_due and await self._identities.delete(account.id, is_due):
                    gone.add(account.id)
                else:
                    await self._identities.tidy(account)
            except StoreError as problem:
                problems[str(problem)] += 1
        self._log_left(problems)
        await self._forget(frozenset(gone))

    def forget_soon(self, who: str) -> None:
        """Begin to forget a person whose account is deleted; what cannot be done now is done by the next sweep."""
        task = self._services.tasks.begin(self._forget(frozenset([who])), "forgetting")
        self._soon.add(task)
        task.add_done_callback(self._soon.discard)

    async def _forget(self, gone: frozenset[str]) -> None:
        """Delete what is left of deleted accounts, of each as far as the store can do it now."""
        if not gone:
            return
        problems: Counter[str] = Counter()
        async with self._forgetting:
            done = await self._leave_tables(gone)
            for id in sorted(done):
                try:
                    await self._identities.forget(id)
                except StoreError as problem:
                    problems[str(problem)] += 1
        self._services.log.info("forgotten", accounts=len(done) - problems.total())
        self._log_left(problems)

    def _log_left(self, problems: Counter[str]) -> None:
        for problem, accounts in problems.items():
            self._services.log.warning("not-forgotten", problem=problem, accounts=accounts)

    def _is_due(self, account: Account, now: int, seated: Collection[str]) -> bool:
        limits = self._services.limits
        if self._is_here(account.id):
            return False
        if account.password:
            return now - account.seen > limits.name_seconds
        return now - account.seen > (limits.played_guest_seconds if account.id in seated else limits.guest_seconds)
