"""Webhooks set, tried and removed by their people, over real sockets, and what of them is kept, copied and deleted."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from protocol.wire import from_client as say
from protocol.wire.webhooks import GetWebhook, SetWebhook, TryWebhook, WebhookState
from server.webhooks.webhook_book import MOST_FAILURES, WEBHOOKS
from tests.server.lobby.test_personal_data import own_data
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, running
from tests.support.doubles.stored import records_of
from tests.support.servers.webhook_host import ADDRESS, DONE, HOST, SILENCE, WebhookHost, webhook_host

pytestmark = pytest.mark.waits

WORDS = "A test from Eschaton: your turns are told here."
SET = SetWebhook(address=ADDRESS, place="play.example.org:8441")


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[WebhookHost]:
    async with webhook_host(tmp_path / "host") as found:
        yield found


async def state(client: Client, message: say.Message = GetWebhook()) -> WebhookState:  # noqa: B008 - frozen
    await client.say(message)
    return await client.hear(WebhookState)


async def test_a_webhook_is_set_tried_and_removed(tmp_path: Path, host: WebhookHost) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann = await run.client("Ann")
        assert ann.talk.welcome is not None
        assert ann.talk.welcome.webhooks
        assert await state(ann) == WebhookState((HOST,))
        assert await state(ann, SET) == WebhookState((HOST,), HOST)
        assert await state(ann, TryWebhook()) == WebhookState((HOST,), HOST, tried=True)
        assert host.words == [WORDS]
        assert await state(ann, SetWebhook(address="", place="")) == WebhookState((HOST,))
        await ann.say(TryWebhook())
        assert await ann.problem() == "webhook/none"
        assert "/api/9" not in run.log.getvalue()


@pytest.mark.parametrize(
    ("address", "place", "code"),
    [
        ("http://hooks.localhost/x", "play.example.org", "webhook/address"),
        ("https://hooks.localhost:8443/x", "play.example.org", "webhook/address"),
        ("https://127.0.0.1/x", "play.example.org", "webhook/host"),
        ("https://elsewhere.example.org/x", "play.example.org", "webhook/host"),
        (ADDRESS, "", "webhook/place"),
        (ADDRESS, "play.example.org/EVIL", "webhook/place"),
        (ADDRESS, "play.example.org:99999", "webhook/place"),
        (ADDRESS, "a b", "webhook/place"),
    ],
)
async def test_what_is_refused_changes_nothing(
    tmp_path: Path, host: WebhookHost, address: str, place: str, code: str
) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann = await run.client("Ann")
        await state(ann, SET)
        before = await records_of(run.server.store, WEBHOOKS)
        await ann.say(SetWebhook(address=address, place=place))
        assert await ann.problem() == code
        assert await records_of(run.server.store, WEBHOOKS) == before
        assert host.looked_up == []


async def test_where_the_host_names_no_hosts_none_is_set_and_nothing_is_sent(tmp_path: Path, host: WebhookHost) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann = await run.client("Ann")
        await state(ann, SET)
        token = ann.talk.token
    async with running(tmp_path) as run:
        ann = await run.client("Ann", token)
        assert ann.talk.welcome is not None
        assert not ann.talk.welcome.webhooks
        found = await state(ann)
        assert (found.hosts, found.host) == ((), HOST)
        assert found.why is not None
        assert found.why.k == "webhook.failed.host"
        found = await state(ann, TryWebhook())
        assert (found.failures, found.tried) == (0, True)
        await ann.say(SET)
        assert await ann.problem() == "webhook/host"
        assert await state(ann, SetWebhook(address="", place="")) == WebhookState(())
    assert host.requests == []


async def test_one_trial_at_a_time_ten_an_hour_and_the_session_goes_on_meanwhile(
    tmp_path: Path, host: WebhookHost
) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann = await run.client("Ann")
        await state(ann, SET)
        host.answer = SILENCE
        await ann.say(TryWebhook())
        await host.told(1)
        await ann.create()
        await ann.say(TryWebhook())
        assert await ann.problem() == "webhook/busy"
        run.clock.advance(3)
        found = await ann.hear(WebhookState)
        assert found.why is not None
        assert (found.failures, found.why.k, found.tried) == (1, "webhook.failed.slow", True)
        host.answer = DONE
        for _ in range(9):
            assert (await state(ann, TryWebhook())).failures == 0
        await ann.say(TryWebhook())
        assert await ann.problem() == "bound/deliveries-person"
        assert len(host.requests) == 10


async def test_a_trial_that_arrives_switches_it_on_again(tmp_path: Path, host: WebhookHost) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann = await run.client("Ann")
        await state(ann, SET)
        await run.server.webhook_book.change(ann.talk.you, lambda one: replace(one, failures=MOST_FAILURES - 1))
        host.answer = b"HTTP/1.1 500 Oh\r\n\r\n"
        assert (await state(ann, TryWebhook())).off
        assert "webhook-off" in run.log.getvalue()
        host.answer = DONE
        found = await state(ann, TryWebhook())
        assert (found.off, found.failures, found.why) == (False, 0, None)


async def test_ten_webhooks_a_day_are_set(tmp_path: Path, host: WebhookHost) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann = await run.client("Ann")
        for _ in range(10):
            await state(ann, SET)
        await ann.say(SET)
        assert await ann.problem() == "bound/webhooks-person"
        # one can always be removed
        assert await state(ann, SetWebhook(address="", place="")) == WebhookState((HOST,))


async def test_a_webhook_is_in_the_copy_of_ones_data_and_goes_with_the_account(
    tmp_path: Path, host: WebhookHost
) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann = await run.client("Ann")
        await state(ann, SET)
        assert (await own_data(ann))[WEBHOOKS] == {
            "address": ADDRESS, "place": "play.example.org:8441", "failures": 0, "reason": "", "status": 0, "told": {}
        }  # fmt: skip
        await ann.say(say.DeleteAccount())
        await ann.until(lambda: ann.closed is not None)

        async def is_gone() -> bool:
            return await records_of(run.server.store, WEBHOOKS) == {}

        await until(is_gone)
        assert run.server.webhook_book.people == set()


async def test_the_certificate_of_a_host_is_checked(tmp_path: Path, host: WebhookHost) -> None:
    other = dataclasses.replace(host.routes, hosts=("other.localhost",))
    async with running(tmp_path, webhooks=other) as run:
        ann = await run.client("Ann")
        await state(ann, SetWebhook(address="https://other.localhost/x", place="localhost"))
        found = await state(ann, TryWebhook())
        assert found.why is not None
        assert found.why.k == "webhook.failed.certificate"
