"""Acts of moderators over the wire: whom they reach, that nobody else may, and that nothing private is read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from protocol.ids import TableId
from protocol.wire import from_client as say
from protocol.wire.from_server import ChatLine, Left, Problem, Renamed, Welcome
from protocol.wire.order import Announcements, AuditPage, Moderating, OrderDone, ReportPage, SanctionPage
from protocol.wire.order_requests import (
    Announce,
    CloseTable,
    GetAudit,
    GetReports,
    GetSanctions,
    Included,
    LiftSanction,
    RemovePerson,
    RenamePerson,
    Sanction,
    TakeBackAnnouncement,
)
from server.cli.data.export import exported
from server.order.audit import AuditEntry
from server.order.sanctions import FOR_EVER
from server.store.sqlite.reader import SqliteReader
from tests.support.clients.wire import Client, Running, two_players
from tests.support.servers.registration import PASSWORD, cheaply, keeps, signs_in

pytestmark = pytest.mark.waits

AWAY, NEAR, ELSEWHERE = "127.0.7.2", "127.0.7.3", "127.0.8.2"
HOUR = 3600


@dataclass
class Watched:
    """A server with a moderator, Mo."""

    run: Running
    mo: Client

    async def guest(self, name: str, address: str = AWAY, token: str | None = None) -> Client:
        """Return a client at this address, let in or not."""
        client = Client(self.run.port, name, token, address=address)
        self.run.clients.append(client)
        await client.connect()
        return client

    async def refusal(self, name: str, address: str = AWAY, token: str | None = None) -> str:
        """Return the code with which somebody is not let in, empty where they are."""
        client = await self.guest(name, address, token)
        ended = client.talk.ended
        await client.close()
        return ended.code if ended is not None else ""

    async def done(self, message: say.Message) -> OrderDone:
        """Carry out an act of the moderator."""
        await self.mo.say(message)
        return await self.mo.hear(OrderDone)

    async def audit(self) -> list[AuditEntry]:
        """Return the audit list, the newest first."""
        return [one.entry for one in await self.run.server.order.audit.page(None, 50)]


@asynccontextmanager
async def watched(folder: Path) -> AsyncIterator[Watched]:
    async with cheaply(folder, moderators=("Mo",)) as run:
        mo = await run.client("Mo")
        await keeps(mo)
        yield Watched(run, mo)


def ban(client: Client, seconds: int = HOUR, *also: Included) -> Sanction:
    return Sanction(who=client.talk.you, what="ban", reason="spam", seconds=seconds, also=list(also))


async def test_who_keeps_a_name_of_the_settings_is_told_that_they_moderate(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        again = await signs_in(at.run, "Mo")
        assert (await again.hear(Welcome)).moderates
        other = await at.run.client("Eve")
        assert not (await other.hear(Welcome)).moderates


async def test_a_banned_person_is_told_until_when_and_stays_out_by_any_device_and_after_a_restart(
    tmp_path: Path,
) -> None:
    async with watched(tmp_path) as at:
        eve = await at.guest("Eve")
        assert await at.done(ban(eve)) == OrderDone("ban", "Eve")
        told = await eve.hear(Problem)
        assert (told.code, told.fatal) == ("session/banned", True)
        words = eve.talk.format(told.text)
        assert words.startswith("You are banned from this server until 20")
        assert words.endswith(
            " UTC. You neither play, watch nor talk here; your account and results stay. The host can lift the ban."
        )
        assert "spam" not in words, "the reason is the host's to tell"
        assert await at.refusal("Eve", ELSEWHERE, eve.talk.token) == "session/banned"
        again = await at.guest("Eve", ELSEWHERE, eve.talk.token)
        assert again.talk.ended is not None
        assert again.talk.format(again.talk.ended.text) == words, "it is read without any catalogue of the server"
        assert await at.refusal("Eve", AWAY) == ""
        token = eve.talk.token
    async with watched_again(tmp_path) as at:
        assert await at.refusal("Eve", ELSEWHERE, token) == "session/banned"
        at.run.clock.advance(HOUR + 1)
        assert await at.refusal("Eve", ELSEWHERE, token) == ""


@asynccontextmanager
async def watched_again(folder: Path) -> AsyncIterator[Watched]:
    async with cheaply(folder, moderators=("Mo",)) as run:
        yield Watched(run, await signs_in(run, "Mo"))


async def test_a_new_guest_evades_no_ban_of_the_address_nor_another_of_its_network(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        eve = await at.guest("Eve")
        await at.done(ban(eve, HOUR, "address"))
        assert [await at.refusal("Eva", AWAY), await at.refusal("Eva", NEAR)] == ["session/banned", ""]
        evi = await at.guest("Evi", NEAR)
        beside = await at.guest("Ada", NEAR)
        await at.done(ban(evi, 0, "network"))
        assert (await beside.hear(Problem)).code == "session/banned"
        outcomes = [await at.refusal("Eva", address) for address in (AWAY, NEAR, ELSEWHERE)]
        assert outcomes == ["session/banned", "session/banned", ""]
        await signs_in(at.run, "Mo", PASSWORD, NEAR)
        assert at.run.clients[-1].talk.ended is None
        accounts = [account.name async for account in at.run.server._identities.each()]
        assert "Eva" in accounts
        assert accounts.count("Eva") == 2, "nobody who is kept out leaves an account behind"
    found = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert not [address for address in (AWAY, NEAR) if address.encode() in found]


async def test_nobody_has_a_banned_name_as_a_guest_or_by_a_rename(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        eve = await at.guest("Eve")
        ada = await at.guest("Ada", ELSEWHERE)
        await at.done(ban(eve, HOUR, "name"))
        assert await at.refusal("\u0415ve", ELSEWHERE) == "session/name-banned"
        await ada.say(say.Rename(name="EVE"))
        assert await ada.problem() == "rename/reserved"


async def test_who_is_muted_says_nothing_in_public_and_still_talks_to_one_person(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        ann, ben = await two_players(at.run)
        mute = Sanction(who=ben.talk.you, what="mute", reason="floods", seconds=600)
        assert await at.done(mute) == OrderDone("mute", "Ben")
        assert await ben.problem() == "chat/muted"
        for loud in (
            say.Chat(text="Buy!", where="lobby"),
            say.Chat(text="Buy!"),
            say.Offer(to=0, kind="truce", text="Buy!", open=True),
        ):
            await ben.say(loud)
            assert await ben.problem() == "chat/muted"
        await ben.say(say.Chat(text="Your move", to=0))
        assert (await ann.hear(ChatLine)).text == "Your move"
        at.run.clock.advance(601)
        await ben.say(say.Chat(text="Sorry"))
        await ann.hear(ChatLine, lambda line: line.text == "Sorry")


async def test_a_ban_that_is_lifted_lets_its_person_in(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        eve = await at.guest("Eve")
        await at.done(ban(eve, 0, "name", "network"))
        await at.mo.say(GetSanctions())
        [row] = (await at.mo.hear(SanctionPage)).rows
        assert (row.what, row.name, row.until, row.also, row.by_name) == (
            "ban",
            "Eve",
            FOR_EVER,
            ("name", "network"),
            "Mo",
        )
        assert await at.done(LiftSanction(id=row.id, reason="a mistake")) == OrderDone("lift", "Eve")
        assert await at.refusal("Eve", AWAY, eve.talk.token) == ""
        await at.mo.say(LiftSanction(id=row.id, reason="again"))
        assert await at.mo.problem() == "order/lifted"
        assert [(entry.act, entry.reason) for entry in await at.audit()] == [("lift", "a mistake"), ("ban", "spam")]


async def test_who_is_removed_leaves_seats_and_tables_and_does_not_come_back(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        ann, ben = await two_players(at.run)
        eve = await at.guest("Eve")
        assert ann.talk.table is not None
        table = ann.talk.table.id
        await eve.say(say.WatchTable(table=table))
        await eve.arrived()
        for client, name in ((ben, "Ben"), (eve, "Eve")):
            assert await at.done(RemovePerson(who=client.talk.you, reason="cheats")) == OrderDone("remove", name)
            assert (await client.hear(Left)).code == "moderated"
        await ann.until(lambda: ann.talk.table is not None and not ann.talk.table.seats[1].who)
        await ben.say(say.JoinTable(table=table))
        assert await ben.problem() == "table/unknown"
        await at.mo.say(RemovePerson(who=eve.talk.you, reason="cheats"))
        assert await at.mo.problem() == "order/no-table"
        assert [(entry.act, entry.name, entry.table) for entry in await at.audit()] == [
            ("remove", "Eve", table),
            ("remove", "Ben", table),
        ]


async def test_a_moderator_renames_a_person_who_is_told(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        eve = await at.guest("Rude Word")
        assert await at.done(RenamePerson(who=eve.talk.you, name="Lamb", reason="rude")) == OrderDone("rename", "Lamb")
        assert (await eve.hear(Renamed)).name == "Lamb"
        [entry] = await at.audit()
        assert (entry.act, entry.name, entry.detail, entry.reason) == ("rename", "Rude Word", "Lamb", "rude")


async def test_a_closed_table_goes_or_ends_its_match_unrated_even_if_the_server_dies_in_between(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        ann, ben = await two_players(at.run)
        eve = await at.guest("Eve")
        await eve.create("three")
        assert ann.talk.table is not None
        assert eve.talk.table is not None
        live, opened = ann.talk.table.id, eve.talk.table.id
        assert (await at.done(CloseTable(table=opened, reason="rude name"))).what == "close"
        assert (await eve.hear(Left)).code == "closed"
        await at.done(CloseTable(table=live, reason="cheats"))
        await ben.until(lambda: ben.talk.table is not None and ben.talk.table.state == "finished")
        assert ben.talk.table is not None
        assert ben.talk.table.result is not None
        assert ben.talk.table.result.k == "result.closed"
        for table in (live, opened):
            await at.mo.say(CloseTable(table=table, reason="again"))
            assert await at.mo.problem() in {"order/finished", "table/unknown"}
        assert [entry.table for entry in await at.audit()] == [live, opened]


async def test_moderators_read_reports_with_their_lines_but_none_about_themselves(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        ann, ben = await two_players(at.run)
        await ben.say(say.Chat(text="Oaf!", to=0))
        line = await ann.hear(ChatLine, lambda line: line.text == "Oaf!")
        await ann.say(say.Report(who=ben.talk.you, reason="abuse", line=say.ReportedLine(line.text, line.at)))
        await ann.say(say.Report(who=at.mo.talk.you, reason="other", words="asleep"))
        await ann.pinged()
        await at.mo.say(GetReports())
        page = await at.mo.hear(ReportPage)
        [row] = page.rows
        assert ann.talk.table is not None
        assert (row.name, row.by_name, row.reason, row.table) == ("Ben", "Ann", "abuse", ann.talk.table.id)
        assert [words.text for words in row.lines] == ["Oaf!"]
        assert (row.place, page.older) == (0, 0)


async def test_a_moderator_hears_no_sealed_words_and_sees_no_hidden_hand(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        ann, ben = await two_players(at.run)
        assert ann.talk.table is not None
        eve = await at.guest("Eve")
        for watcher in (at.mo, eve):
            await watcher.say(say.WatchTable(table=ann.talk.table.id))
            await watcher.arrived()
        await ann.say(say.Chat(text="psst", to=1))
        await ben.hear(ChatLine, lambda line: line.text == "psst")
        for watcher in (at.mo, eve):
            await watcher.say(say.GetHistory(table=ann.talk.table.id))
            await watcher.pinged()
        assert b"psst" not in b"".join(at.mo.frames)
        assert at.mo.scene.nodes == eve.scene.nodes
        assert not at.mo.scene.has_private


async def test_a_private_table_is_no_more_open_to_a_moderator_than_to_anybody(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        ann = await at.run.client("Ann")
        await ann.create("three", private=True)
        assert ann.talk.table is not None
        for message in (say.WatchTable(table=ann.talk.table.id), say.JoinTable(table=ann.talk.table.id)):
            await at.mo.say(message)
            assert await at.mo.problem() in {"table/unknown", "table/private"}


def acts(who: str, table: TableId) -> list[say.Message]:
    """Return each act of a moderator, and each thing that they read."""
    return [
        Sanction(who=who, what="ban", reason="spam", seconds=HOUR),
        Sanction(who=who, what="mute", reason="spam", seconds=HOUR),
        LiftSanction(id="s1", reason="spam"),
        RemovePerson(who=who, reason="spam"),
        RenamePerson(who=who, name="Lamb", reason="spam"),
        CloseTable(table=table, reason="spam"),
        GetReports(),
        GetSanctions(),
        GetAudit(),
        Announce(text="Free beer"),
        TakeBackAnnouncement(id="a1"),
    ]


async def test_nobody_else_may_do_any_of_it_not_even_by_the_name_of_a_moderator(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        ann, ben = await two_players(at.run)
        double = await at.guest("Mo")
        assert ann.talk.table is not None
        for client in (ann, double):
            for message in acts(ben.talk.you, ann.talk.table.id):
                await client.say(message)
                assert await client.problem() == "order/moderators"
        assert await at.audit() == []


async def test_moderators_neither_judge_themselves_nor_each_other_nor_without_a_reason(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        mia, eve = await at.run.client("Mia"), await at.guest("Eve")
        await keeps(mia)
        account = await at.run.server._identities.account(mia.talk.you)
        await at.run.server.order.moderators.appoint(account, 5)
        refused = {
            "people/self": ban(at.mo),
            "order/moderator": ban(mia),
            "people/unknown": RemovePerson(who="nobody", reason="spam"),
            "order/no-reason": RemovePerson(who=eve.talk.you, reason=" \u202e "),
            "order/time": ban(eve, 60),
        }
        for code, message in refused.items():
            await at.mo.say(message)
            assert await at.mo.problem() == code


async def test_an_announcement_is_told_to_all_and_to_those_who_come_until_it_ends(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        eve = await at.guest("Eve")
        assert await at.done(Announce(text=" Maintenance\u202e ", seconds=600)) == OrderDone("announce", "Maintenance")
        [row] = (await eve.hear(Announcements)).rows
        assert (row.text, row.left) == ("Maintenance", 600_000)
        at.run.clock.advance(200)
        ada = await at.guest("Ada", ELSEWHERE)
        assert [row.left for row in (await ada.hear(Announcements)).rows] == [400_000]
        at.run.clock.advance(401)
        ben = await at.guest("Ben", ELSEWHERE)
        assert [row.left for row in (await ben.hear(Announcements)).rows] == [0]
        at.run.clock.advance(600)
        await ada.hear(Announcements, lambda told: not told.rows)
        cid = await at.guest("Cid", ELSEWHERE)
        await cid.pinged()
        assert not [told for told in cid.heard if isinstance(told, Announcements)]


async def test_an_announcement_outlives_a_restart_and_is_taken_back(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        await at.done(Announce(text="Club night on Friday"))
    async with watched_again(tmp_path) as at:
        [row] = (await at.mo.hear(Announcements)).rows
        assert (row.text, row.left) == ("Club night on Friday", -1)
        eve = await at.guest("Eve")
        await eve.hear(Announcements)
        assert await at.done(TakeBackAnnouncement(id=row.id)) == OrderDone("take_back", "Club night on Friday")
        await eve.hear(Announcements, lambda told: not told.rows)
        await at.mo.say(TakeBackAnnouncement(id=row.id))
        assert await at.mo.problem() == "order/not-announced"
        await at.mo.say(GetAudit())
        page = await at.mo.hear(AuditPage)
        assert [(row.number, row.act, row.by_name, row.detail) for row in page.rows] == [
            (2, "take_back", "Mo", "Club night on Friday"),
            (1, "announce", "Mo", "Club night on Friday"),
        ]
        assert page.older == 0


async def test_no_more_than_three_announcements_stand_and_none_without_words(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        for words in ("one", "two", "three"):
            await at.done(Announce(text=words))
        await at.mo.say(Announce(text="four"))
        assert await at.mo.problem() == "order/announced"
        await at.mo.say(Announce(text=" \u202e "))
        assert await at.mo.problem() == "order/no-words"
        assert len(await at.audit()) == 3


async def test_the_audit_list_is_read_by_pages(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        for number in range(13):
            made = await at.run.server.order.announcements.announce(f"number {number}", 0)
            await at.run.server.order.announcements.take_back(made.id)
        await at.mo.say(GetAudit())
        page = await at.mo.hear(AuditPage)
        assert [row.number for row in page.rows] == list(range(26, 14, -1))
        await at.mo.say(GetAudit(before=page.older))
        await at.mo.say(GetAudit(before=3))
        last = await at.mo.hear(AuditPage, lambda page: len(page.rows) == 2)
        assert [(row.number, row.act, row.detail, row.by_name) for row in last.rows] == [
            (2, "take_back", "number 0", ""),
            (1, "announce", "number 0", ""),
        ]
        assert last.older == 0


async def test_who_takes_a_name_of_the_settings_or_gives_it_up_is_told(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        assert (await at.mo.hear(Moderating)).moderates
        await at.mo.say(say.Rename(name="Moe"))
        assert not (await at.mo.hear(Moderating)).moderates
        await at.mo.say(GetAudit())
        assert await at.mo.problem() == "order/moderators"


async def test_who_is_made_a_moderator_or_dismissed_is_told_at_once(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        mia = await at.run.client("Mia")
        await keeps(mia)
        order, news = at.run.server.order, at.run.server.lobby.order_news
        await order.moderators.appoint(await at.run.server._identities.account(mia.talk.you), 5)
        news.tell()
        assert (await mia.hear(Moderating)).moderates
        [one] = order.moderators.listed()
        await order.moderators.dismiss(one, 6)
        news.tell()
        assert not (await mia.hear(Moderating, lambda told: not told.moderates)).moderates


async def test_the_host_reads_bans_and_the_audit_list_without_marks(tmp_path: Path) -> None:
    async with watched(tmp_path) as at:
        eve = await at.guest("Eve")
        await at.done(ban(eve, HOUR, "network"))
        reader = SqliteReader(tmp_path / "eschaton.db")
        lines = [line async for line in exported(reader, tmp_path) if line["kind"] in {"sanction", "audit"}]
        await reader.close()
        assert [(line["kind"], line["name"], line["reason"]) for line in lines] == [
            ("sanction", "Eve", "spam"),
            ("audit", "Eve", "spam"),
        ]
        assert not [line for line in lines if "marks" in line]
