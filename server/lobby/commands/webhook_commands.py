"""The commands of people about their webhooks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from server.lobby.notices.webhook_state import state_of, tell_state
from server.lobby.notices.webhook_words import checked_place, trial_words
from server.runtime.refusals import Refused
from server.runtime.tasks import stop
from server.store.port import StoreError
from server.webhooks.address import read_address

if TYPE_CHECKING:
    from protocol.wire.webhooks import GetWebhook, SetWebhook, TryWebhook
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session


class WebhookCommands:
    """Methods, one for each message, called for the session that has sent it. One that raises Refused or StoreError has
    changed nothing."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._webhooks = services.webhooks
        self._lobby = lobby
        self._trials: dict[str, asyncio.Task[None]] = {}
        """By person: a message that is on its way."""

    async def close(self) -> None:
        """Wait for no message any more."""
        await stop(self._trials.values())

    async def show(self, session: Session, _: GetWebhook) -> None:
        session.follows_webhook = True
        webhook = await self._webhooks.book.find(session.who)
        session.say(state_of(self._webhooks, session.who, webhook))

    async def set(self, session: Session, asked: SetWebhook) -> None:
        who, session.follows_webhook = session.who, True
        if not asked.address:
            await self._webhooks.book.forget(who)
            self._services.log.info("webhook-removed", who=who)
            tell_state(self._webhooks, self._lobby, who, None)
            return
        address, place = read_address(asked.address, self._webhooks.hosts), checked_place(asked.place)
        self._services.bounds.spend("webhooks", session.asker)
        webhook = await self._webhooks.book.put(who, address, place)
        self._services.log.info("webhook-set", who=who, host=address.host)
        tell_state(self._webhooks, self._lobby, who, webhook)

    async def try_out(self, session: Session, _: TryWebhook) -> None:
        """Send a message beside all else: it may take seconds."""
        who, session.follows_webhook = session.who, True
        if who in self._trials:
            raise Refused("webhook/busy")
        if await self._webhooks.book.find(who) is None:
            raise Refused("webhook/none")
        self._trials[who] = task = self._services.tasks.begin(self._try(session), "webhook-trial")
        task.add_done_callback(lambda _: self._trials.pop(who, None))

    async def _try(self, session: Session) -> None:
        try:
            webhook = await self._webhooks.deliver(session.who, trial_words())
            tell_state(self._webhooks, self._lobby, session.who, webhook, tried=True)
        except Refused as refused:
            session.say(refused.problem())
        except StoreError as problem:
            self._services.log.error("store", problem=str(problem))
            session.say(Refused("store/unavailable").problem())
