"""Ranked tables over real sockets: named people, fixed settings, nobody who watches from where somebody plays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from protocol.wire import from_client as say
from protocol.wire.from_server import Left, SeatCode, TableView
from protocol.wire.links import FollowLink
from protocol.wire.results import ResultRow, Results
from tests.support.clients.wire import Client, Running, rest_to_the_end
from tests.support.servers.registration import cheaply, keeps
from tests.support.servers.seats import call, cast, seen
from tests.support.systems.gamblers import GAMBLERS

pytestmark = pytest.mark.waits

HOME, AWAY = "127.0.0.2", "127.0.0.3"


async def person(run: Running, name: str, *, named: bool = True, address: str = HOME, adds: bool = True) -> Client:
    """Return a client of somebody who keeps their name, or of a guest."""
    client = Client(run.port, name, address=address, adds=adds)
    await client.connect()
    run.clients.append(client)
    if named:
        await keeps(client)
    return client


async def refused(client: Client, message: say.Message) -> str:
    """Return the code with which a message is refused."""
    await client.say(message)
    return await client.problem()


async def ranked_table(run: Running, *, bens: str = HOME, **about: Any) -> tuple[Client, Client]:
    """Return Ann and Ben, seated at Ann's ranked table. `bens`: the address that he plays from."""
    ann, ben = await person(run, "Ann", **about), await person(run, "Ben", address=bens, **about)
    code = await ann.create()
    await ann.change(ranked=True)
    await ben.join(code)
    return ann, ben


async def ranked_match(run: Running, **about: Any) -> tuple[Client, Client]:
    """Return Ann and Ben in a ranked match, at Ann's turn."""
    ann, ben = await ranked_table(run, **about)
    await ben.ready()
    await ann.until(lambda: all(seat.ready or not seat.seat for seat in seen(ann).seats))
    await ann.say(say.StartMatch())
    await ann.my_turn()
    await ben.until(lambda: ben.talk.scene is not None and ben.talk.scene.is_whole)
    return ann, ben


async def result(client: Client) -> ResultRow:
    """Return the newest of one's own results."""
    await client.say(say.GetResults())
    return (await client.hear(Results)).results[0]


def fixed(table: TableView) -> Sequence[object]:
    """Return the settings that a ranked table fixes."""
    clock = table.seconds, table.bank, table.reaction_seconds, table.mail
    return (*clock, table.strict, table.rated, table.late, table.seat_views, table.all_views, table.watchers_heard)


async def test_a_table_becomes_ranked_with_settings_that_nobody_chooses(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann = await person(run, "Ann", named=False)
        await ann.create()
        before = fixed(seen(ann))
        assert await refused(ann, say.ChangeTable(ranked=True)) == "table/ranked-name"
        assert fixed(seen(ann)) == before
        await keeps(ann)
        await ann.change(mail=True, seconds=30)
        await ann.change(ranked=True)
        assert seen(ann).ranked
        assert fixed(seen(ann)) == (60, 600, 3, False, True, True, False, False, False, False)
        for change in ({"seconds": 30}, {"strict": False}, {"late": True}, {"rated": False}, {"mail": True}):
            assert await refused(ann, say.ChangeTable(**change)) == "table/ranked-fixed"
        await ann.change(private=True, scenario="three", staying=50)
        assert (seen(ann).private, len(seen(ann).seats), seen(ann).ranked) == (True, 3, True)
        await ann.change(ranked=False)
        await ann.change(seconds=30)
        assert (seen(ann).ranked, seen(ann).seconds) == (False, 30)


async def test_named_people_alone_sit_there(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann = await person(run, "Ann")
        code = await ann.create()
        eve = await person(run, "Eve", named=False)
        await eve.join(code)
        # a guest is seated already, or a bot
        assert await refused(ann, say.ChangeTable(ranked=True)) == "table/ranked-name"
        await eve.say(say.LeaveTable())
        await ann.until(lambda: not seen(ann).seats[1].who)
        await ann.say(say.AddBot(kind="hard"))
        await ann.until(lambda: bool(seen(ann).seats[1].bot))
        assert await refused(ann, say.ChangeTable(ranked=True)) == "table/ranked-bots"
        await ann.say(say.RemoveSeat(seat=1))
        await ann.change(ranked=True)
        assert await refused(ann, say.AddBot(kind="hard")) == "table/ranked-bots"
        for message in (say.JoinTable(code=code), FollowLink(code=code)):
            assert await refused(eve, message) == "table/ranked-name"
        await keeps(eve)
        await eve.join(code)
        await ann.until(lambda: seen(ann).seats[1].who == eve.talk.you)


async def test_a_ranked_match_is_strict_and_counts(tmp_path: Path) -> None:
    async with cheaply(tmp_path, systems=GAMBLERS) as run:
        ann, ben = await ranked_match(run)
        await ann.my_turn("gamble")
        assert await ann.intend("gamble") == ""
        await ann.say(say.FindTables(rated=True))
        await rest_to_the_end(ann, ben)
        found = await result(ann)
        assert (found.ranked, found.unrated, found.bare) == (True, "", 0)
        assert [seat.change is not None for seat in found.seats] == [True, True]


async def test_it_is_unrated_where_nobodys_program_added_to_a_round(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await ranked_match(run, adds=False)
        await rest_to_the_end(ann, ben)
        found = await result(ann)
    assert (found.ranked, found.unrated, found.bare) == (True, "unproven", found.rounds)


async def test_it_is_unrated_where_its_people_end_it(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await ranked_match(run)
        await call(ann, "end")
        await ben.until(lambda: seen(ben).vote is not None)
        await cast(ben, yes=True)
        await ann.until(lambda: seen(ann).state == "finished")
        assert (await result(ann)).unrated == "ended"


async def test_it_is_unrated_where_an_act_was_given_up(tmp_path: Path) -> None:
    async with cheaply(tmp_path, systems=GAMBLERS) as run:
        ann, ben = await ranked_match(run)
        for _ in range(100):
            run.clock.advance(1)
            assert await ann.intend("gamble") == ""
            assert await ann.intend("dare") in ("", "rules/fault")
            if any(live.record.given_up for live in run.server.lobby.tables()):
                break
        await rest_to_the_end(ann, ben)
        assert (await result(ann)).unrated == "unproven"


async def test_no_seat_changes_hands_once_it_has_begun(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await ranked_match(run)
        assert await refused(ann, say.RemoveSeat(seat=1)) == "table/ranked-seats"
        await ben.say(say.GetSeatCode())
        code = (await ben.hear(SeatCode)).code
        cleo = await person(run, "Cleo", address=AWAY)
        assert await refused(cleo, say.UseSeatCode(code=code)) == "table/ranked-seats"
        assert [seat.who for seat in seen(ann).seats] == [ann.talk.you, ben.talk.you]


async def test_nobody_watches_from_where_somebody_plays(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await ranked_match(run)
        table = seen(ann).id
        eve = await person(run, "Eve", named=False)
        for message in (say.WatchTable(table=table), say.OpenTable(table=table), FollowLink(code=seen(ann).code)):
            assert await refused(eve, message) == "table/ranked-address"
        await ben.close()
        fay = await person(run, "Fay", named=False, address=AWAY)
        await fay.say(say.WatchTable(table=table))
        await fay.arrived()
        # a player comes back from where a spectator watches
        token = ben.talk.token
        again = Client(run.port, "Ben", token, address=AWAY, adds=True)
        run.clients.append(again)
        await again.connect()
        await again.say(say.OpenTable(table=table))
        await again.arrived()
        assert (await fay.hear(Left)).code == "ranked-address"
        await again.close()
        assert await refused(fay, say.WatchTable(table=table)) == "table/ranked-address"


async def test_whoever_watched_before_the_table_was_ranked_goes_with_the_start(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await person(run, "Ann"), await person(run, "Ben", address=AWAY)
        code = await ann.create()
        await ben.join(code)
        eve = await person(run, "Eve", named=False)
        await eve.say(say.WatchTable(table=seen(ann).id))
        await eve.arrived()
        await ann.change(ranked=True)
        await ben.ready()
        await ann.until(lambda: all(seat.ready or not seat.seat for seat in seen(ann).seats))
        await ann.say(say.StartMatch())
        assert (await eve.hear(Left)).code == "ranked-address"


async def test_it_is_known_after_a_restart_from_where_they_play_and_forgotten_with_the_end(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann, ben = await ranked_match(run, bens=AWAY)
        table, tokens = seen(ann).id, (ann.talk.token, ben.talk.token)
    async with cheaply(tmp_path) as run:
        eve = await person(run, "Eve", named=False)
        for address in (HOME, AWAY):
            other = await person(run, "Eva", named=False, address=address)
            assert await refused(other, say.WatchTable(table=table)) == "table/ranked-address"
        back = [Client(run.port, "x", token, address=HOME) for token in tokens]
        for client in back:
            run.clients.append(client)
            await client.connect()
            await client.say(say.OpenTable(table=table))
            await client.arrived()
        await call(back[0], "end")
        await back[1].until(lambda: seen(back[1]).vote is not None)
        await cast(back[1], yes=True)
        await back[0].until(lambda: seen(back[0]).state == "finished")
        await eve.say(say.WatchTable(table=table))
        await eve.arrived()
