"""Links: programs add to the dice by themselves; the host waits for none of them longer than three seconds."""

from __future__ import annotations

from pathlib import Path

from client import verify
from protocol import from_client as say
from protocol.from_server import LinkWanted, Problem
from protocol.limits import Limits
from protocol.links import LinkChain, before
from protocol.replay import read
from server.checking import check
from server.links import WAIT_SECONDS
from tests.support.duel import Duel
from tests.support.linking import ANN, BEN, notes, players, rest_to_the_end, rounds, start, steps_of, table_of
from tests.support.wire import running


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
        await ben.say(say.Tip(table=table, tip=LinkChain(BEN, table).tip))
        await start(ann)
        wanted = await ben.hear(LinkWanted)
        await ben.say(say.Link(table=table, round=wanted.round, link=bytes(32)))
        assert (await ben.hear(Problem)).code == "link/wrong"
        await ann.my_turn()
        steps = await steps_of(run, table)
        assert notes(steps) == [("link_wrong", 1, "1")]
        assert [bool(link) for link in rounds(steps)[0]] == [True, False]
        link = LinkChain(BEN, table).after(wanted.known) or b""
        await ben.say(say.Link(table=table, round=wanted.round, link=link))
        assert (await ben.hear(Problem)).code == "link/late"


async def test_a_silent_program_is_waited_for_three_seconds_and_its_late_link_is_logged_once(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await players(run, b"")
        table = table_of(ben)
        chain = LinkChain(BEN, table)
        await ben.say(say.Tip(table=table, tip=chain.tip))
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
            await ben.say(say.Link(table=table, round=wanted.round, link=link))
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
        await ben.say(say.Tip(table=table, tip=one.tip))
        await ben.say(say.Tip(table=table, tip=two.tip))
        await start(ann)
        wanted = await ben.hear(LinkWanted)
        assert wanted.known == two.tip
        # a third tip while the round is open changes nothing in it
        await ben.say(say.Tip(table=table, tip=one.tip))
        await ben.say(say.Link(table=table, round=1, link=two.after(two.tip) or b""))
        await ann.my_turn()
        assert await ann.intend("rest") == ""
        await ben.my_turn()
        await ben.say(say.ListTables())
        assert await ben.intend("rest") == ""
        assert (await ben.hear(LinkWanted)).known == one.tip
        await ben.say(say.Link(table=table, round=1, link=two.after(two.tip) or b""))
        assert (await ben.hear(Problem)).code == "link/late"
        await ben.say(say.Link(table=table, round=2, link=one.after(one.tip) or b""))
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
        await ben.say(say.Tip(table=table, tip=LinkChain(BEN, table).tip))
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
            await client.say(say.OpenTable(table=table))
            await client.arrived()
        await rest_to_the_end(*again)
        opened = rounds(await steps_of(run, table))
        assert len(opened) == 3 and all(all(links) for links in opened)
        assert before(table, opened[1][0]) == opened[0][0]
