"""Tables before and around a match, over real sockets."""

from pathlib import Path

import pytest

from protocol.wire import from_client as say
from protocol.wire.from_server import ChatLine, TableView
from protocol.wire.table_lists import Lobby
from tests.support.clients.wire import Client, Running, running, two_players


def seen(client: Client) -> TableView:
    assert client.talk.table is not None
    return client.talk.table


async def rows(client: Client) -> list[str]:
    client.heard.clear()
    await client.say(say.ListTables())
    return [row.name for row in (await client.hear(Lobby)).tables]


async def test_two_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        first, second = await run.client("Ann"), await run.client("ann")
        await second.join(await first.create())
        assert [seat.name for seat in seen(second).seats] == ["Ann", "ann 2"]


async def test_names_lose_control_and_direction_characters(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        eve = await run.client("\u202eEve\x1b[31m\r\n\uff21" + "x" * 40)
        await eve.create()
        assert seen(eve).seats[0].name == "Eve[31m A" + "x" * 15


async def test_a_private_table_is_found_by_code_only(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, eve = await run.client("Ann"), await run.client("Ben"), await run.client("Eve")
        code = await ann.create("two", private=True)
        assert len(code) == 10
        assert await rows(ben) == []
        assert await rows(ann) == ["Duel"]
        await ben.say(say.JoinTable(table=seen(ann).id))
        assert await ben.problem() == "table/unknown"
        await ben.say(say.WatchTable(table=seen(ann).id))
        assert await ben.problem() == "table/unknown"
        await eve.say(say.WatchTable(code=code))
        await eve.until(lambda: eve.talk.table is not None)
        # the code ends with the last free seat
        await ben.join(code.lower())
        await ann.until(lambda: [watcher.name for watcher in seen(ann).watchers] == ["Eve"])
        assert seen(eve).seat == -1
        assert seen(eve).code == ""


async def test_guessing_codes_is_slow(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        eve = await run.client("Eve")
        codes = []
        for _ in range(6):
            await eve.say(say.JoinTable(code="AAAAAAAAAA"))
            codes.append(await eve.problem())
        assert codes == ["table/unknown-code"] * 5 + ["table/code-tries"]
        run.clock.advance(12)
        await eve.say(say.JoinTable(code="AAAAAAAAAA"))
        assert await eve.problem() == "table/unknown-code"


async def test_a_start_needs_full_seats_ready_people_and_the_owner(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        code = await ann.create("three")
        await ann.say(say.StartMatch())
        assert await ann.problem() == "table/empty-seats"
        await ben.join(code)
        await ben.say(say.AddBot(kind="random"))
        assert await ben.problem() == "table/not-owner"
        await ann.say(say.AddBot(kind="clever"))
        assert await ann.problem() == "table/unknown-bot"
        await ann.say(say.AddBot(kind="hard"))
        await ann.say(say.StartMatch())
        assert await ann.problem() == "table/not-ready"
        await ben.say(say.StartMatch())
        assert await ben.problem() == "table/not-owner"
        await ben.ready()
        await ann.until(lambda: seen(ann).seats[1].ready)
        await ann.say(say.StartMatch())
        await ann.my_turn()
        await ann.say(say.StartMatch())
        assert await ann.problem() == "table/started"


async def test_a_faction_is_played_once_and_bots_give_way(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await ben.join(await ann.create("three"))
        await ann.say(say.AddBot(kind="random"))
        await ann.say(say.ChooseFaction(faction="birch", seat=2))
        await ann.until(lambda: seen(ann).seats[2].faction == "birch")
        await ben.say(say.ChooseFaction(faction="birch"))
        await ben.until(lambda: seen(ben).seats[1].faction == "birch" and seen(ben).seats[2].faction == "")
        await ann.say(say.ChooseFaction(faction="birch"))
        assert await ann.problem() == "table/faction-taken"
        await ann.say(say.ChooseFaction(faction="amber", seat=1))
        assert await ann.problem() == "table/not-a-bot"
        await ann.say(say.ChooseFaction(faction="nobody"))
        assert await ann.problem() == "table/unknown-faction"


async def test_a_set_up_that_cannot_be_played_leaves_the_table_open(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client()
        await ann.create("two")
        await ann.say(say.AddBot(kind="random"))
        await ann.say(say.ChooseFaction(faction="frost"))
        await ann.say(say.StartMatch())
        assert await ann.problem() == "table/set-up"
        assert seen(ann).state == "open"


async def test_the_owner_changes_the_table_before_the_start(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await ben.join(await ann.create("two"))
        await ben.ready()
        await ann.say(say.ChangeTable(scenario="three", name="Trio", seconds=30, private=True))
        await ben.until(lambda: len(seen(ben).seats) == 3)
        table = seen(ben)
        assert (table.name, table.seconds, table.private, table.seats[1].ready) == ("Trio", 30, True, False)
        await ben.say(say.ChangeTable(name="Mine"))
        assert await ben.problem() == "table/not-owner"
        await ann.say(say.ChangeTable(scenario="hundred"))
        assert await ann.problem() == "table/unknown-scenario"


async def test_ownership_passes_when_the_owner_leaves(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await run.client("Ann"), await run.client("Ben")
        await ben.join(await ann.create())
        await ann.say(say.LeaveTable())
        assert await ann.left() == "left"
        await ben.until(lambda: seen(ben).owner == ben.talk.you)
        assert seen(ben).seats[0].who == ""
        await ann.say(say.LeaveTable())
        assert await ann.problem() == "table/none"


async def test_the_owner_removes_a_seat_and_a_spectator_for_good(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, eve = await run.client("Ann"), await run.client("Ben"), await run.client("Eve")
        code = await ann.create("three")
        await ben.join(code)
        await eve.say(say.WatchTable(code=code))
        await ann.until(lambda: len(seen(ann).watchers) == 1)
        await ann.say(say.RemoveSeat(seat=1))
        assert await ben.left() == "removed"
        await ben.say(say.JoinTable(code=code))
        assert await ben.problem() == "table/removed"
        await ann.say(say.RemoveWatcher(who=eve.talk.you))
        assert await eve.left() == "removed"
        await eve.say(say.WatchTable(code=code))
        assert await eve.problem() == "table/removed"


async def test_a_bot_takes_over_from_one_who_leaves_a_match(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ann.say(say.LeaveTable())
        assert await ann.left() == "left"
        await ben.until(lambda: seen(ben).seats[0].bot == "hard" and seen(ben).owner == ben.talk.you)
        await ben.my_turn("yes")


async def heard_by(run: Running, speaker: Client, *listeners: Client) -> list[str]:
    """Return what each of the listeners has heard once all that was said before has come."""
    await speaker.say(say.Chat(text="hello\x1b there"))
    await speaker.hear(ChatLine)
    for client in listeners:
        await client.say(say.ListTables())
        await client.hear(Lobby, keep=True)
    return [next((m.text for m in client.heard if isinstance(m, ChatLine)), "") for client in listeners]


@pytest.mark.parametrize(("heard", "expected"), [(False, ""), (True, "hello there")])
async def test_spectators_are_heard_by_players_only_where_the_table_allows_it(
    tmp_path: Path, heard: bool, expected: str
) -> None:
    async with running(tmp_path) as run:
        ann, eve, eva = await run.client("Ann"), await run.client("Eve"), await run.client("Eva")
        code = await ann.create()
        await ann.say(say.ChangeTable(watchers_heard=heard))
        await ann.until(lambda: seen(ann).watchers_heard == heard)
        for watcher in (eve, eva):
            await watcher.say(say.WatchTable(code=code))
            await watcher.arrived()
        for client in (ann, eve, eva):
            client.heard.clear()
        assert await heard_by(run, eve, ann, eva) == [expected, "hello there"]


async def test_players_are_heard_by_all(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, eve = await run.client("Ann"), await run.client("Eve")
        code = await ann.create()
        await eve.say(say.WatchTable(code=code))
        await eve.until(lambda: eve.talk.table is not None)
        for client in (ann, eve):
            client.heard.clear()
        assert await heard_by(run, ann, eve) == ["hello there"]
        await ann.say(say.Chat(text="\u202e\x07"))
        assert await ann.problem() == "chat/empty"


async def test_the_lobby_shows_ones_own_tables_and_turns_first(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, _ = await two_players(run)
        eve = await run.client("Eve")
        await eve.create()
        await ann.say(say.ListTables())
        await ann.until(lambda: ann.talk.lobby is not None and len(ann.talk.lobby.tables) == 2)
        assert ann.talk.lobby is not None
        first, second = ann.talk.lobby.tables
        assert (first.mine, first.turn, first.state, first.waits) == (True, True, "live", ("Ann",))
        assert (second.mine, second.turn, second.state, second.owner) == (False, False, "open", "Eve")
