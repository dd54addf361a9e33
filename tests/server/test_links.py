"""Links: programs add to the dice by themselves; the host waits for none of them longer than three seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from client import verify
from engine.core.causes import RoundOpened, TableEvent
from engine.core.dice import MatchDice
from engine.core.match import Match
from protocol import from_client as say
from protocol.from_server import LinkWanted, Problem
from protocol.limits import Limits
from protocol.links import LinkChain, before
from protocol.replay import read
from server.checking import check
from server.links import WAIT_SECONDS
from tests.support.duel import Duel
from tests.support.wire import Client, Running, running

ANN, BEN = b"a" * 32, b"b" * 32


async def players(run: Running, ben_secret: bytes) -> tuple[Client, Client]:
    """Ann and Ben at a duel that is about to start; Ben's program speaks for itself without a secret."""
    ann, ben = await run.client("Ann", link_secret=ANN), await run.client("Ben", link_secret=ben_secret)
    await ben.join(await ann.create())
    await ben.ready()
    await ann.until(lambda: ann.talk.table is not None and all(s.ready or s.seat == 0 for s in ann.talk.table.seats))
    return ann, ben


async def start(ann: Client) -> None:
    await ann.say(say.StartMatch(t="start"))


def table_of(client: Client) -> str:
    assert client.talk.table is not None
    return client.talk.table.id


async def steps_of(run: Running, table: str) -> list[Any]:
    """The steps of a match as they are stored."""
    match: Match[Any] = Match(Duel(), table, MatchDice(bytes(32), table))
    return [match.codec.decode(stored.step) for stored in await run.server.store.read(table)]


def rounds(steps: list[Any]) -> list[tuple[bytes, ...]]:
    return [step.cause.links for step in steps if isinstance(step.cause, RoundOpened)]


def notes(steps: list[Any]) -> list[tuple[str, int, str]]:
    causes = [step.cause for step in steps if isinstance(step.cause, TableEvent)]
    return [(cause.kind, cause.seat, cause.detail) for cause in causes]


async def rest_to_the_end(*players: Client) -> None:
    for turn in range(6):
        player = players[turn % 2]
        await player.my_turn()
        assert await player.intend("rest") == ""
    for player in players:
        await player.until(lambda player=player: player.state == "finished")  # type: ignore[misc]


async def test_both_programs_add_to_every_round_and_the_record_holds(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await players(run, BEN)
        await start(ann)
        await rest_to_the_end(ann, ben)
        table = table_of(ann)
        opened = rounds(await steps_of(run, table))
        assert len(opened) == 3
        for seat, secret in enumerate((ANN, BEN)):
            known = LinkChain(secret, table).tip
            for links in opened:
                assert before(table, links[seat]) == known
                known = links[seat]
    [file] = (tmp_path / "replays").iterdir()
    assert "Everything holds" in verify.check(file.read_bytes())[0]
    check(read(file.read_bytes(), Limits()), Duel())


async def test_a_wrong_link_is_refused_and_logged_and_does_not_hold_the_table_up(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await players(run, b"")
        table = table_of(ben)
        await ben.say(say.Tip(t="tip", table=table, tip=LinkChain(BEN, table).tip))
        await start(ann)
        wanted = await ben.hear(LinkWanted)
        await ben.say(say.Link(t="link", table=table, round=wanted.round, link=bytes(32)))
        assert (await ben.hear(Problem)).code == "link/wrong"
        await ann.my_turn()
        steps = await steps_of(run, table)
        assert notes(steps) == [("link_wrong", 1, "1")]
        assert [bool(link) for link in rounds(steps)[0]] == [True, False]
        link = LinkChain(BEN, table).after(wanted.known) or b""
        await ben.say(say.Link(t="link", table=table, round=wanted.round, link=link))
        assert (await ben.hear(Problem)).code == "link/late"


async def test_a_silent_program_is_waited_for_three_seconds_and_its_late_link_is_logged_once(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await players(run, b"")
        table = table_of(ben)
        chain = LinkChain(BEN, table)
        await ben.say(say.Tip(t="tip", table=table, tip=chain.tip))
        sleepers = 2  # the lobby's chores
        await start(ann)
        wanted = await ben.hear(LinkWanted)
        await run.clock.until_sleeping(sleepers)
        run.clock.advance(WAIT_SECONDS - 0.1)
        assert rounds(await steps_of(run, table)) == []
        run.clock.advance(0.1)
        await ann.my_turn()
        for _ in range(2):
            link = chain.after(wanted.known) or b""
            await ben.say(say.Link(t="link", table=table, round=wanted.round, link=link))
            assert (await ben.hear(Problem)).code == "link/late"
        assert await ann.intend("rest") == ""
        steps = await steps_of(run, table)
        assert [bool(link) for link in rounds(steps)[0]] == [True, False]
        assert notes(steps) == [("link_absent", 1, "1"), ("link_late", 1, "1")]


async def test_of_two_tips_the_last_counts_from_the_next_round_and_is_logged_before_any_link(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await players(run, b"")
        table = table_of(ben)
        one, two = LinkChain(BEN, table), LinkChain(b"c" * 32, table)
        await ben.say(say.Tip(t="tip", table=table, tip=one.tip))
        await ben.say(say.Tip(t="tip", table=table, tip=two.tip))
        await start(ann)
        wanted = await ben.hear(LinkWanted)
        assert wanted.known == two.tip
        # a third tip while the round is open changes nothing in it
        await ben.say(say.Tip(t="tip", table=table, tip=one.tip))
        await ben.say(say.Link(t="link", table=table, round=1, link=two.after(two.tip) or b""))
        await ann.my_turn()
        assert await ann.intend("rest") == ""
        await ben.my_turn()
        await ben.say(say.ListTables(t="list"))
        assert await ben.intend("rest") == ""
        assert (await ben.hear(LinkWanted)).known == one.tip
        await ben.say(say.Link(t="link", table=table, round=1, link=two.after(two.tip) or b""))
        assert (await ben.hear(Problem)).code == "link/late"
        await ben.say(say.Link(t="link", table=table, round=2, link=one.after(one.tip) or b""))
        await ann.my_turn()
        steps = await steps_of(run, table)
        assert all(all(links) for links in rounds(steps))
        kinds = [type(step.cause).__name__ for step in steps]
        assert kinds[:4] == ["Start", "Tip", "Tip", "RoundOpened"]
        assert kinds[-2:] == ["Tip", "RoundOpened"]


async def test_a_program_that_is_gone_is_not_waited_for(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await players(run, b"")
        table = table_of(ben)
        await ben.say(say.Tip(t="tip", table=table, tip=LinkChain(BEN, table).tip))
        await start(ann)
        await ben.hear(LinkWanted)
        await ben.close()
        await ann.my_turn()
        steps = await steps_of(run, table)
        assert [bool(link) for link in rounds(steps)[0]] == [True, False]
        assert notes(steps) == [("link_absent", 1, "1")]


async def test_links_follow_their_chain_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await players(run, BEN)
        await start(ann)
        await ann.my_turn()
        table, tokens = table_of(ann), (ann.talk.token, ben.talk.token)
    async with running(tmp_path) as run:
        again = [
            await run.client(name, token, secret)
            for name, token, secret in zip(("Ann", "Ben"), tokens, (ANN, BEN), strict=True)
        ]
        for client in again:
            await client.say(say.OpenTable(t="open", table=table))
            await client.arrived()
        await rest_to_the_end(*again)
        opened = rounds(await steps_of(run, table))
        assert len(opened) == 3 and all(all(links) for links in opened)
        assert before(table, opened[1][0]) == opened[0][0]
