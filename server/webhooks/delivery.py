"""The delivery of messages to people's webhooks: bounded by person and in all, counted, and noted with each webhook."""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from protocol.ids import TableId
from server.runtime.bounds import Asker
from server.webhooks.public_networks import is_public
from server.webhooks.sending import SendOutcome, WebhookSender

if TYPE_CHECKING:
    from server.runtime.bounds import Bounds
    from server.runtime.clock import Clock
    from server.runtime.logs import Log
    from server.runtime.metrics import Metrics
    from server.webhooks.resolver import Resolve
    from server.webhooks.webhook_book import Webhook, WebhookBook

KIND: Final = "deliveries"
"""Of the rate by which messages are bounded."""


@dataclass(frozen=True)
class WebhookRoutes:
    """Ways out to the hosts of webhooks. `hosts`: their names, exactly; `resolve` looks them up; `trust` checks their
    certificates; `is_allowed` tells the IP addresses that may be connected to."""

    hosts: tuple[str, ...]
    resolve: Resolve
    trust: ssl.SSLContext
    is_allowed: Callable[[str], bool] = is_public


class WebhookDelivery:
    """Delivery of messages to the webhooks of one server, which sends nothing where `routes` is None."""

    def __init__(
        self,
        book: WebhookBook,
        routes: WebhookRoutes | None,
        bounds: Bounds,
        clock: Clock,
        metrics: Metrics,
        log: Log,
    ) -> None:
        self.book: Final = book
        self.hosts: Final = () if routes is None else routes.hosts
        self._sender = None if routes is None else WebhookSender(clock, routes.resolve, routes.trust, routes.is_allowed)
        self._bounds = bounds
        self._metrics = metrics
        self._log = log

    async def deliver(self, who: str, words: str, table: TableId | None = None, occasion: str = "") -> Webhook | None:
        """Send these words to the webhook of a person, and return it as it is then: where they arrived, its person
        knows of this occasion at this table. None where they have no webhook (any more).

        Raises Refused, where they or all have been sent too much lately, and StoreError.
        """
        webhook = await self.book.find(who)
        if webhook is None:
            return None
        self._bounds.spend(KIND, Asker(who, ""))
        outcome = await self._send(who, webhook, words)
        self._metrics.webhook_messages.add(outcome.reason or "sent")
        if outcome.reason:
            self._log.info("webhook-failed", who=who, reason=outcome.reason, status=outcome.status)

        def noted(now: Webhook) -> Webhook:
            if not outcome.reason and table is not None:
                now = replace(now, told=now.told | {table: occasion})
            # another one may have been set meanwhile
            return _after(now, outcome) if now.sealed == webhook.sealed else now

        after = await self.book.change(who, noted)
        if after is not None and after.is_off and not webhook.is_off:
            self._log.info("webhook-off", who=who, reason=outcome.reason, status=outcome.status)
        return after

    async def _send(self, who: str, webhook: Webhook, words: str) -> SendOutcome:
        address = self.book.address_of(who, webhook)
        if self._sender is None or address.host not in self.hosts:
            return SendOutcome("host")
        return await self._sender.send(address, json.dumps({"content": words, "text": words}).encode())


def _after(webhook: Webhook, outcome: SendOutcome) -> Webhook:
    """Return a webhook after a message. That the server's host has taken a host off the list is no failure of it."""
    if outcome.reason == "host":
        return replace(webhook, reason=outcome.reason, status=0)
    failures = webhook.failures + 1 if outcome.reason else 0
    return replace(webhook, failures=failures, reason=outcome.reason, status=outcome.status)
