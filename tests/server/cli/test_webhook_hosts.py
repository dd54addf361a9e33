"""The setting that names the hosts of webhooks: exact names alone, and what a process that has it offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.wire.webhooks import GetWebhook, WebhookState
from server.cli.serving import webhook_routes
from server.runtime.errors import CommandError
from server.webhooks.public_networks import is_public
from server.webhooks.resolver import SystemResolver
from tests.server.cli.test_process import ended, serving
from tests.support.clients.wire import Client

pytestmark = pytest.mark.waits


def test_without_hosts_there_is_no_way_out() -> None:
    assert webhook_routes(()) is None


def test_named_hosts_are_reached_by_this_computers_resolver_where_they_are_public() -> None:
    routes = webhook_routes(("discord.com", "hooks.slack.com"))
    assert routes is not None
    assert routes.hosts == ("discord.com", "hooks.slack.com")
    assert isinstance(routes.resolve, SystemResolver)
    assert routes.is_allowed is is_public
    assert routes.trust.check_hostname


@pytest.mark.parametrize("host", ["Discord.com", "*.discord.com", "https://discord.com", "127.0.0.1", "localhost", ""])
def test_what_is_no_name_of_a_host_is_refused_with_an_example(host: str) -> None:
    with pytest.raises(CommandError, match=r"such as discord\.com"):
        webhook_routes(("discord.com", host))


async def test_a_process_offers_webhooks_at_the_hosts_that_it_is_given(tmp_path: Path) -> None:
    async with serving(tmp_path, "--webhook-host", "discord.com", "--webhook-host", "hooks.slack.com") as (
        server,
        port,
    ):
        ann = Client(port)
        await ann.connect()
        assert ann.talk.welcome is not None
        assert ann.talk.welcome.webhooks
        await ann.say(GetWebhook())
        assert await ann.hear(WebhookState) == WebhookState(("discord.com", "hooks.slack.com"))
        await ann.close()
        await ended(server)
