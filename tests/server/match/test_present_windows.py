"""Questions that wait for nobody who is away: they close with the last answer of those who are connected."""

from functools import partial
from pathlib import Path

import pytest

from engine.core.rules.questions import Window
from protocol.wire import from_client as say
from server.match.deadlines import Deadlines
from tests.server.match.test_deadlines import act, due, duel
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.systems.duel_state import Parley


@pytest.fixture(autouse=True)
def parleys_of_those_present(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parley of the duel, which lasts ten seconds, waits for those who are connected only."""
    monkeypatch.setattr("tests.support.systems.duel.Window", partial(Window, present=True))


def awaited(client: Client) -> tuple[int, ...]:
    """The seats that the table waits for."""
    return () if client.talk.table is None else tuple(clock.seat for clock in client.talk.table.clocks)


async def parley(run: Running) -> tuple[Client, Client]:
    ann, ben = await two_players(run)
    assert await ann.intend("parley") == ""
    await ann.my_turn("yes")
    await ben.my_turn("yes")
    return ann, ben


async def test_it_closes_with_the_last_answer_and_not_before(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await parley(run)
        assert await ann.intend("yes") == ""
        assert not ben.offers("focus")
        assert await ben.intend("yes") == ""
        await ben.my_turn()


async def test_it_closes_when_its_time_is_up(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        _, ben = await parley(run)
        await run.clock.until_sleeping(2)
        run.clock.advance(10)
        await ben.my_turn()


async def test_who_was_away_is_not_waited_for(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        await ben.cut()
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[1].away >= 0)
        assert await ann.intend("parley") == ""
        await ann.my_turn("yes")
        assert await ann.intend("yes") == ""
        await ann.until(lambda: awaited(ann) == (1,))


async def test_who_goes_is_not_waited_for_any_longer(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await parley(run)
        assert await ann.intend("no") == ""
        await ben.close()
        await ann.until(lambda: awaited(ann) == (1,))


async def test_where_nobody_is_left_it_closes_at_once(tmp_path: Path) -> None:
    """The clocks stand still, since nobody who plays is there."""
    async with running(tmp_path) as run:
        ann, ben = await parley(run)
        eve = await run.client("Eve")
        assert ann.talk.table is not None
        await eve.say(say.WatchTable(table=ann.talk.table.id))
        await eve.until(lambda: awaited(eve) == (0, 1))
        await ann.close()
        await ben.close()
        await eve.until(lambda: awaited(eve) == (1,))


def test_it_keeps_its_time_at_a_table_without_a_clock() -> None:
    match, deadlines = duel(), Deadlines(None, 3)
    deadlines.time.run(0, on=True)
    act(match, Parley())
    deadlines.observe(match, 0, actor=0)
    found = due(deadlines, match, 0)
    assert found is not None
    assert found[0] == 10
    assert [view.left for view in deadlines.views(4)] == [6_000, 6_000]
