"""Turns and dates told by webhook, through a real HTTPS host: once each, to those who do not look, over restarts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from protocol.ids import TableId
from protocol.wire import from_client as say
from protocol.wire.from_server import TableView
from protocol.wire.seating import GetInvitations
from protocol.wire.table_lists import TableRow
from protocol.wire.webhooks import GetWebhook, SetWebhook, TurnTold, WebhookState
from server.lobby.notices.notice_watch import AGAIN_SECONDS, LATER_SECONDS, LOOKING_SECONDS, SETTLE_SECONDS
from server.lobby.table.table_record import TableRecord
from server.lobby.table.votes import ADJOURNED
from server.webhooks.webhook_book import MOST_FAILURES
from tests.server.lobby.test_dates import DAY, HOUR, MINUTE, dated, passed, to_lobby
from tests.support.clients.programs import until
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.servers.webhook_host import ADDRESS, DONE, HOST, SILENCE, WebhookHost, webhook_host

pytestmark = pytest.mark.waits

PLACE = "play.example.org"


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[WebhookHost]:
    async with webhook_host(tmp_path / "host") as found:
        yield found


def view(client: Client) -> TableView:
    assert client.talk.table is not None
    return client.talk.table


def link(client: Client) -> str:
    return f"eschaton://{PLACE}/{view(client).code}"


async def has_webhook(client: Client) -> None:
    await client.say(SetWebhook(address=ADDRESS, place=PLACE))
    await client.say(GetWebhook())
    assert (await client.hear(WebhookState)).host == HOST


async def leave(run: Running, client: Client) -> None:
    await client.close()
    await until(lambda: not run.server.lobby.is_here(client.talk.you))


async def players(run: Running) -> tuple[Client, Client]:
    """Return Ann, whose turn it is, and Ben with a webhook, who is away, at a match by mail."""
    ann, ben = await two_players(run, mail=True)
    await has_webhook(ben)
    await leave(run, ben)
    return ann, ben


async def rest(run: Running, client: Client, other: Client) -> None:
    """Let a player end their turn, until the watch has seen that it is the other's."""
    await client.my_turn()
    assert await client.intend("rest") == ""
    await is_seen(run, other, view(client).id)


async def is_seen(run: Running, client: Client, table: TableId) -> None:
    """Wait until the watch has seen that this table waits for somebody."""
    notices, who = run.server.lobby.notices, client.talk.you
    await until(lambda: table in notices._due.get(who, ()) or who in notices._known.get(table, ()))


async def settled(run: Running, seconds: float = SETTLE_SECONDS) -> None:
    """Let so much time pass, and what is due then be done."""
    run.clock.advance(seconds)
    notices = run.server.lobby.notices

    def is_quiet() -> bool:
        now = run.clock.now()
        return not notices._at_work and not [d for due in notices._due.values() for d in due.values() if d <= now]

    await until(is_quiet)


async def come_back(client: Client) -> None:
    table = view(client).id
    await client.connect()
    await client.say(say.OpenTable(table=table))
    await client.pinged()


async def is_read(run: Running) -> None:
    """Wait until a server that has just been started has read its match."""
    [live] = run.server.lobby.tables()
    await until(lambda: not live.is_asleep)


async def test_whoever_is_away_is_told_of_each_turn_once_with_the_link_to_it(tmp_path: Path, host: WebhookHost) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, ben = await players(run)
        await settled(run)
        assert host.words == []
        await rest(run, ann, ben)
        await settled(run, SETTLE_SECONDS - 1)
        assert host.words == []
        await settled(run, 1)
        assert host.words == [f"Your turn at Duel: {link(ben)}"]
        for _ in range(5):
            await settled(run, DAY)
        assert len(host.words) == 1
        await come_back(ben)
        await rest(run, ben, ann)
        await leave(run, ben)
        await settled(run, HOUR)
        assert len(host.words) == 1
        await rest(run, ann, ben)
        await settled(run)
        assert len(host.words) == 2


async def test_an_answer_that_is_waited_for_is_told_and_further_acts_are_not(tmp_path: Path, host: WebhookHost) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, ben = await players(run)
        await has_webhook(ann)
        assert await ann.intend("focus") == ""
        assert await ann.intend("strike", target=["seat/1"]) == ""
        await is_seen(run, ben, view(ann).id)
        await settled(run)
        assert host.words == [f"Your turn at Duel: {link(ben)}"]
        await settled(run, HOUR)
        assert len(host.words) == 1


async def test_whoever_looks_is_not_told_and_a_window_left_open_is_nobody_who_looks(
    tmp_path: Path, host: WebhookHost
) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, ben = await players(run)
        await come_back(ben)
        await rest(run, ann, ben)
        await passed(run, HOUR, ann, ben)
        assert host.words == []
        await rest(run, ben, ann)
        await passed(run, LOOKING_SECONDS + MINUTE, ann, ben)
        await rest(run, ann, ben)
        await settled(run)
        assert host.words == [f"Your turn at Duel: {link(ben)}"]


async def test_a_turn_that_has_been_seen_is_not_told_when_its_person_leaves_nor_after_a_restart(
    tmp_path: Path, host: WebhookHost
) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, ben = await players(run)
        await rest(run, ann, ben)
        await settled(run, SETTLE_SECONDS / 2)
        await come_back(ben)
        await ben.my_turn()
        await leave(run, ben)
        await settled(run, HOUR)
        assert host.words == []
    async with running(tmp_path, webhooks=host.routes, clock=run.clock) as run:
        await is_read(run)
        await settled(run, HOUR)
        assert host.words == []


async def test_whoever_is_connected_elsewhere_hears_of_it_once_in_the_window(tmp_path: Path, host: WebhookHost) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, ben = await players(run)
        await to_lobby(run, ben)
        await rest(run, ann, ben)
        assert await ben.hear(TurnTold) == TurnTold(view(ann).id, "Duel")
        await passed(run, 5 * MINUTE, ann, ben)
        assert host.words == []
        assert not [one for one in ben.heard if isinstance(one, TurnTold)]
        # in the list of tables, what waits for them is first
        await ben.create()
        await ben.say(say.ListTables())
        await ben.until(lambda: len(rows := lobby_rows(ben)) == 2 and rows[0].turn and not rows[1].turn)


def lobby_rows(client: Client) -> tuple[TableRow, ...]:
    return client.talk.lobby.tables if client.talk.lobby is not None else ()


async def test_without_webhooks_the_window_tells_all_the_same(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run, mail=True)
        await to_lobby(run, ben)
        await rest(run, ann, ben)
        assert await ben.hear(TurnTold) == TurnTold(view(ann).id, "Duel")
        ben.talk.table = ann.talk.table
        await come_back(ben)
        await rest(run, ben, ann)
        await to_lobby(run, ben)
        await rest(run, ann, ben)
        await ben.hear(TurnTold)


async def test_what_was_told_is_not_told_again_after_a_restart_and_what_was_not_is(
    tmp_path: Path, host: WebhookHost
) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, ben = await players(run)
        await rest(run, ann, ben)
    # the server ended before the minute was over
    assert host.words == []
    async with running(tmp_path, webhooks=host.routes, clock=run.clock) as run:
        await is_read(run)
        await settled(run, HOUR)
        assert host.words == [f"Your turn at Duel: {link(ben)}"]
    async with running(tmp_path, webhooks=host.routes, clock=run.clock) as run:
        await is_read(run)
        await settled(run, HOUR)
        assert len(host.words) == 1
        ben.port = ann.port = run.port
        await come_back(ben)
        await rest(run, ben, ann)
        await leave(run, ben)
        await come_back(ann)
        await rest(run, ann, ben)
        await settled(run)
        assert len(host.words) == 2
        await ann.close()


@pytest.mark.parametrize("change", [lambda record: replace(record, rest=ADJOURNED), lambda record: with_bot(record)])
async def test_a_match_that_rests_and_a_seat_of_a_bot_wait_for_nobody(
    tmp_path: Path, host: WebhookHost, change: Callable[[TableRecord], TableRecord]
) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, ben = await players(run)
        await rest(run, ann, ben)
        live = run.server.lobby.table(view(ann).id)
        async with live.lock:
            before = live.record
            await run.server.lobby.save(live, change(before))
        await settled(run, HOUR)
        assert host.words == []
        async with live.lock:
            await run.server.lobby.save(live, before)
        await settled(run)
        assert host.words == [f"Your turn at Duel: {link(ben)}"]


def with_bot(record: TableRecord) -> TableRecord:
    return record.with_seat(1, replace(record.seats[1], bot="random"))


async def test_the_end_of_a_match_leaves_nothing_behind(tmp_path: Path, host: WebhookHost) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, ben = await players(run)
        await rest(run, ann, ben)
        await settled(run)
        assert len(host.words) == 1
        await come_back(ben)
        await ann.say(say.CallVote(what="end"))
        await ben.until(lambda: view(ben).vote is not None)
        await ben.say(say.CastVote(yes=True))
        await ann.until(lambda: view(ann).state == "finished")
        await settled(run, 0)
        webhook = await run.server.webhook_book.find(ben.talk.you)
        assert webhook is not None
        assert webhook.told == {}
        notices = run.server.lobby.notices
        assert not [held for held in (notices._known, notices._settled) if held]


async def test_a_date_is_told_a_day_and_an_hour_before(tmp_path: Path, host: WebhookHost) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, ben, begins = await dated(run, DAY + 5 * MINUTE)
        for client in (ann, ben):
            await has_webhook(client)
        await leave(run, ben)
        await passed(run, 4 * MINUTE, ann)
        assert host.words == []
        await passed(run, MINUTE, ann)
        await until(lambda: run.server.lobby.notices._due.get(ben.talk.you))
        await settled(run)
        # Ann looks at the table
        day = f"Duel begins within a day: {link(ann)}"
        assert host.words == [day]
        await settled(run, 22 * HOUR)
        assert host.words == [day]
    async with running(tmp_path, webhooks=host.routes, clock=run.clock) as run:
        run.clock.advance(begins - run.clock.wall() - HOUR + MINUTE)
        # by now Ann is away, too
        hour = f"Duel begins within an hour: {link(ann)}"
        await host.told(2)
        await until(lambda: run.server.lobby.notices._due.get(ann.talk.you))
        await settled(run)
        assert sorted(host.words) == [day, hour, hour]
        await settled(run, 57 * MINUTE)
        await settled(run, HOUR)
        assert len(host.words) == 3


async def test_a_message_that_fails_is_tried_each_hour_and_after_ten_in_a_row_it_is_off(
    tmp_path: Path, host: WebhookHost
) -> None:
    host.answer = b"HTTP/1.1 404 Not Found\r\n\r\n"
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, ben = await players(run)
        await rest(run, ann, ben)
        await settled(run)
        for count in range(1, MOST_FAILURES):
            assert len(host.requests) == count
            await settled(run, AGAIN_SECONDS - 1)
            assert len(host.requests) == count
            await settled(run, 1)
        for _ in range(3):
            await settled(run, DAY)
        assert len(host.requests) == MOST_FAILURES
        await ben.connect()
        await ben.say(GetWebhook())
        state = await ben.hear(WebhookState)
        assert (state.failures, state.off) == (MOST_FAILURES, True)
        assert state.why is not None
        assert (state.why.k, state.why.a) == ("webhook.failed.status", {"host": HOST, "status": 404})
        assert run.server.metrics.webhook_messages.get("status") == MOST_FAILURES
        await come_back(ben)
        await rest(run, ben, ann)
        await leave(run, ben)
        host.answer = DONE
        await rest(run, ann, ben)
        await settled(run, HOUR)
        assert len(host.requests) == MOST_FAILURES


async def test_a_person_is_sent_ten_messages_an_hour(tmp_path: Path, host: WebhookHost) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, ben = await players(run)
        for _ in range(10):
            await run.server.lobby._services.webhooks.deliver(ben.talk.you, "words")
        await rest(run, ann, ben)
        await settled(run)
        assert len(host.requests) == 10
        await settled(run, LATER_SECONDS)
        assert len(host.requests) == 10
        for _ in range(6):
            await settled(run, LATER_SECONDS)
        assert len(host.requests) == 11


async def test_a_host_that_is_silent_holds_up_neither_the_match_nor_anybody_else(
    tmp_path: Path, host: WebhookHost
) -> None:
    host.answer = SILENCE
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, ben = await players(run)
        await rest(run, ann, ben)
        run.clock.advance(SETTLE_SECONDS)
        await host.told(1)
        # the message hangs; the match goes on meanwhile, and the turn has passed when it fails
        await come_back(ben)
        await rest(run, ben, ann)
        await rest(run, ann, ben)
        await ben.my_turn()
        assert run.server.lobby.notices._at_work
        await settled(run, 3)
        await ben.say(GetWebhook())
        state = await ben.hear(WebhookState)
        assert state.why is not None
        assert (state.failures, state.why.k) == (1, "webhook.failed.slow")


async def test_a_turn_that_passes_while_its_message_is_on_its_way_does_not_hide_the_next(
    tmp_path: Path, host: WebhookHost
) -> None:
    host.answer = SILENCE
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, ben = await players(run)
        await rest(run, ann, ben)
        run.clock.advance(SETTLE_SECONDS)
        await host.told(1)
        await come_back(ben)
        await rest(run, ben, ann)
        await leave(run, ben)
        host.answer_late(DONE)
        await until(lambda: not run.server.lobby.notices._at_work)
        host.answer = DONE
        await settled(run)
        await rest(run, ann, ben)
        await settled(run)
        assert len(host.words) == 2


async def test_what_a_kill_has_left_behind_is_forgotten_after_the_next_start(tmp_path: Path, host: WebhookHost) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann = await run.client("Ann")
        await has_webhook(ann)
        who = ann.talk.you
        await run.server.webhook_book.change(who, lambda one: replace(one, told={TableId("gone"): "turn"}))
    async with running(tmp_path, webhooks=host.routes, clock=run.clock) as run:
        await settled(run)
        webhook = await run.server.webhook_book.find(who)
        assert webhook is not None
        assert webhook.told == {}
        assert not [held for held in (run.server.lobby.notices._known, run.server.lobby.notices._settled) if held]


async def test_a_date_hears_nothing_of_tables_that_have_gone(tmp_path: Path, host: WebhookHost) -> None:
    async with running(tmp_path, webhooks=host.routes) as run:
        ann, _, _ = await dated(run, 20 * HOUR)
        await has_webhook(ann)
        await ann.say(GetInvitations())
        await ann.say(say.LeaveTable())
        await ann.left()
        await ann.close()
        await settled(run, HOUR)
        assert not run.server.lobby.notices._due.get(ann.talk.you)
        assert host.words == []
