"""Since when somebody is away is kept for those who hold seats, and for nobody else; a rest gives grace anew."""

from __future__ import annotations

from pathlib import Path

from protocol.wire import from_client as say
from server.lobby.table.presence import PresenceTracker
from tests.support.clients.programs import until
from tests.support.clients.wire import running, two_players


def test_after_a_rest_all_who_are_away_have_their_grace_anew() -> None:
    presence = PresenceTracker(0)
    for who in ("ann", "ben"):
        presence.arrived(who)
    presence.left("ann", 5)
    assert [presence.away(who, 100) for who in ("ann", "ben", "cleo")] == [95, 0, 100]
    presence.begin_anew(100)
    assert [presence.away(who, 130) for who in ("ann", "ben", "cleo")] == [30, 0, 30]
    assert presence.returns(["ann", "ben", "cleo"], (40, 60), 130) == 140


async def test_spectators_who_have_gone_are_not_remembered(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        assert ann.talk.table is not None
        [live] = run.server.lobby.tables()
        for number in range(3):
            eve = await run.client(f"Eve {number}")
            await eve.say(say.WatchTable(table=live.record.id))
            await eve.until(lambda eve=eve: eve.talk.table is not None)  # type: ignore[misc]  # a default has no type
            assert live.activity.presence.is_here(eve.talk.you)
            await eve.close()
            await until(lambda eve=eve: not live.activity.presence.is_here(eve.talk.you))  # type: ignore[misc]  # a default has no type
        await ben.close()
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.seats[1].away >= 0)
        assert set(live.activity.presence._gone) == {ben.talk.you}
