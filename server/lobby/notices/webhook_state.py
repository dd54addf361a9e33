"""The state of a person's webhook, as they are told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.text import Text
from protocol.wire.webhooks import WebhookState

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby
    from server.webhooks.delivery import WebhookDelivery
    from server.webhooks.webhook_book import Webhook


def tell_state(
    webhooks: WebhookDelivery, lobby: Lobby, who: str, webhook: Webhook | None, *, tried: bool = False
) -> None:
    """Tell all connections of a person that follow their webhook how it is; None: they have none. `tried`: see
    WebhookState. Raises StoreDamaged."""
    state = state_of(webhooks, who, webhook, tried=tried)
    for session in lobby.connections(who):
        if session.follows_webhook:
            session.say(state)


def state_of(webhooks: WebhookDelivery, who: str, webhook: Webhook | None, *, tried: bool = False) -> WebhookState:
    """Return the state of a webhook. Its address is left out: its person knows it, and a screen may be seen by others.
    Raises StoreDamaged."""
    if webhook is None:
        return WebhookState(webhooks.hosts)
    host = webhooks.book.address_of(who, webhook).host
    reason = webhook.reason if host in webhooks.hosts else "host"
    why = Text(f"webhook.failed.{reason}", {"host": host, "status": webhook.status}) if reason else None
    return WebhookState(webhooks.hosts, host, webhook.failures, webhook.is_off, why, tried)
