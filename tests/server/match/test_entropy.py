"""Parts in the dice over real sockets: programs add by themselves, and the host waits for none longer than it says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from client.fairness import verify
from engine.core.match.causes import EntropyCall, EntropyTip, RoundOpened, Seats, Start
from protocol.fairness.entropy_chain import leads_to
from protocol.fairness.replay import read
from protocol.ids import TableId, match_of
from protocol.limits import Limits
from protocol.wire import from_client as say
from protocol.wire.from_server import EntropyWanted, Problem
from server.match.checking import check
from server.match.entropy import RETURN_SECONDS, WAIT_SECONDS
from tests.support.clients.dice.linking import (
    HandMade,
    bound,
    by_hand,
    notes,
    own_chain,
    players,
    rest_to_the_end,
    rounds,
    start,
    steps_of,
    table_of,
)
from tests.support.clients.wire import Client, Running, running
from tests.support.servers.seats import cast, jump, seen
from tests.support.systems.duel import Duel

LOBBY = 2
"""Sleepers that a server has without any match."""


def given(steps: list[object]) -> list[list[bool]]:
    """Of each round, whose part is in."""
    return [[bool(link) for link in links] for links in rounds(steps)]


async def part_of(client: Client, chain: HandMade, of: int = 0) -> say.Entropy:
    """Wait for the request, and give the part by hand."""
    part = chain.part(await client.hear(EntropyWanted), of)
    await client.say(part)
    return part


async def has_said_its_tip(client: Client) -> None:
    """Wait until the server has the tip of this client's own program."""
    program = client.proof
    assert program is not None
    await client.until(lambda: program.stream is not None and program.stream.is_live)
    await client.pinged()


async def asked(run: Running) -> tuple[Client, Client, HandMade, EntropyWanted]:
    """Ann and Ben in a match whose first call is open; the test speaks for Ben's program, which has been asked."""
    ann, ben = await players(run, ben_adds=False)
    await start(ann)
    chain = await by_hand(ben)
    await ben.say(chain.tip())
    return ann, ben, chain, await ben.hear(EntropyWanted)


async def test_both_programs_add_to_every_round_and_the_record_holds(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await players(run)
        await start(ann)
        await rest_to_the_end(ann, ben)
        table = table_of(ann)
        steps = await steps_of(run, table)
        opened = rounds(steps)
        assert given(steps) == [[True, True]] * 3
        assert notes(steps) == []
        origin = (await bound(ann)).head
        for seat, client in enumerate((ann, ben)):
            tip = own_chain(client, origin).links.tip
            assert all(
                leads_to(match_of(table), origin, links[seat], tip, round) for round, links in enumerate(opened, 1)
            )
        kinds = [type(step.cause) for step in steps]
        assert kinds[:6] == [Start, Seats, EntropyTip, EntropyTip, EntropyCall, RoundOpened]
        assert all(kinds[place + 1] is RoundOpened for place, kind in enumerate(kinds) if kind is EntropyCall)
    [file] = (tmp_path / "replays").iterdir()
    assert "Everything holds" in verify.check(file.read_bytes())[0]
    check(read(file.read_bytes(), Limits()), Duel())


async def test_a_wrong_part_is_refused_and_logged_and_does_not_hold_the_table_up(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, chain, wanted = await asked(run)
        await ben.say(chain.part(wanted, of=2))
        assert (await ben.hear(Problem)).code == "entropy/wrong"
        # a seat has one try
        await ben.say(chain.part(wanted))
        assert (await ben.hear(Problem)).code == "entropy/late"
        await ann.my_turn()
        assert await ann.intend("rest") == ""
        steps = await steps_of(run, table_of(ben))
        assert given(steps) == [[True, False]]
        assert notes(steps) == [("part_wrong", 1, "1")]


async def test_the_proof_of_a_part_is_over_this_call(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        _, ben, chain, wanted = await asked(run)
        other = HandMade(match_of(table_of(ben)), chain.kept.origin, seed=7).part(wanted)
        right = chain.part(wanted)
        await ben.say(say.Entropy(table=right.table, round=1, link=right.link, proof=other.proof))
        assert (await ben.hear(Problem)).code == "entropy/wrong"


@pytest.mark.waits(times=200)
async def test_a_silent_program_is_waited_for_three_seconds_and_its_late_part_is_logged_once(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, chain, wanted = await asked(run)
        table = table_of(ben)
        await run.clock.until_sleeping(LOBBY + 1)
        run.clock.advance(WAIT_SECONDS - 0.1)
        assert given(await steps_of(run, table)) == []
        run.clock.advance(0.2)
        await ann.my_turn()
        for _ in range(2):
            await ben.say(chain.part(wanted))
            assert (await ben.hear(Problem)).code == "entropy/late"
        assert await ann.intend("rest") == ""
        steps = await steps_of(run, table)
        assert given(steps) == [[True, False]]
        assert notes(steps) == [("part_absent", 1, "1"), ("part_late", 1, "1")]


async def test_a_program_that_says_no_tip_is_waited_for_three_seconds_before_the_first_call(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await players(run, ben_adds=False)
        await start(ann)
        await bound(ben)
        await has_said_its_tip(ann)
        await run.clock.until_sleeping(LOBBY + 1)
        run.clock.advance(WAIT_SECONDS - 0.1)
        assert EntropyCall not in [type(step.cause) for step in await steps_of(run, table_of(ben))]
        run.clock.advance(0.2)
        await ann.my_turn()
        steps = await steps_of(run, table_of(ben))
        assert given(steps) == [[True, False]]
        assert notes(steps) == []


async def test_who_comes_back_within_the_three_seconds_is_asked_then_for_the_same_part(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, chain, wanted = await asked(run)
        await ben.cut()
        await run.clock.until_sleeping(LOBBY + 1)
        run.clock.advance(WAIT_SECONDS - 0.1)
        await ben.connect()
        await ben.say(chain.tip())
        part = await part_of(ben, chain)
        assert part == chain.part(wanted)
        await ann.my_turn()
        steps = await steps_of(run, table_of(ben))
        assert given(steps) == [[True, True]]
        assert notes(steps) == []
        # presence only: the tip is in the log once
        assert [type(step.cause) for step in steps].count(EntropyTip) == 2


async def test_a_program_that_is_gone_is_waited_for_at_most_three_seconds(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, *_ = await asked(run)
        await ben.close()
        await run.clock.until_sleeping(LOBBY + 1)
        run.clock.advance(WAIT_SECONDS)
        await ann.my_turn()
        assert await ann.intend("rest") == ""
        steps = await steps_of(run, table_of(ben))
        assert given(steps) == [[True, False]]
        assert notes(steps) == [("part_absent", 1, "1")]


async def test_a_second_tip_ends_the_first_chain_and_counts_from_the_round_after_the_next(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await players(run, ben_adds=False)
        await start(ann)
        one = await by_hand(ben)
        two = HandMade(match_of(table_of(ben)), one.kept.origin, seed=9)
        await ben.say(one.tip())
        await part_of(ben, one)
        await ann.my_turn()
        await ben.say(two.tip())
        await ben.pinged()
        for _ in range(2):
            for player in (ann, ben):
                await player.my_turn()
                assert await player.intend("rest") == ""
        await part_of(ben, two)
        await ann.my_turn()
        steps = await steps_of(run, table_of(ben))
        assert given(steps) == [[True, True], [True, False], [True, True]]
        # one that has ended is known, and refused
        await ben.say(one.tip())
        assert (await ben.hear(Problem)).code == "entropy/known"


async def back_at(run: Running, tokens: Sequence[str | None], table: TableId, *old: Client) -> list[Client]:
    """The same programs at a server that has started anew."""
    found = []
    for client, token in zip(old, tokens, strict=True):
        again = Client(run.port, client.talk.name, token, adds=True, chains=client.chains)
        await again.connect()
        run.clients.append(again)
        await again.say(say.OpenTable(table=table))
        await again.arrived()
        found.append(again)
    return found


async def test_parts_follow_their_chain_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await players(run)
        await start(ann)
        await ann.my_turn()
        table, tokens = table_of(ann), (ann.talk.token, ben.talk.token)
    async with running(tmp_path) as run:
        await rest_to_the_end(*await back_at(run, tokens, table, ann, ben))
        steps = await steps_of(run, table)
    assert given(steps) == [[True, True]] * 3
    assert [type(step.cause) for step in steps].count(EntropyTip) == 2


async def test_after_a_restart_the_same_call_is_asked_again_for_thirty_seconds(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, chain, before = await asked(run)
        table, tokens = table_of(ann), (ann.talk.token, ben.talk.token)
    async with running(tmp_path) as run:
        [ann] = await back_at(run, tokens[:1], table, ann)
        await ann.hear(EntropyWanted, keep=True)
        await ann.pinged()
        run.clock.advance(RETURN_SECONDS - 0.1)
        assert given(await steps_of(run, table)) == []
        ben = Client(run.port, "Ben", tokens[1], adds=True)
        ben.proof = None
        await ben.connect()
        run.clients.append(ben)
        await ben.say(say.OpenTable(table=table))
        await ben.arrived()
        await ben.say(chain.tip())
        again = await ben.hear(EntropyWanted)
        assert again == before
        await ben.say(chain.part(again))
        await ann.my_turn()
        steps = await steps_of(run, table)
    assert given(steps) == [[True, True]]
    assert [type(step.cause) for step in steps].count(EntropyCall) == 1


async def test_who_is_not_back_within_thirty_seconds_is_absent(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben, *_ = await asked(run)
        table, tokens = table_of(ann), (ann.talk.token, ben.talk.token)
    async with running(tmp_path) as run:
        [ann] = await back_at(run, tokens[:1], table, ann)
        await ann.hear(EntropyWanted, keep=True)
        await ann.pinged()
        run.clock.advance(RETURN_SECONDS)
        await ann.my_turn()
        assert await ann.intend("rest") == ""
        steps = await steps_of(run, table)
    assert given(steps) == [[True, False]]
    assert ("part_absent", 1, "1") in notes(steps)


async def test_a_table_by_mail_has_no_parts(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await players(run)
        await ann.change(mail=True)
        await ben.ready()
        await ann.until(
            lambda: ann.talk.table is not None and all(s.ready or s.seat == 0 for s in ann.talk.table.seats)
        )
        await start(ann)
        await ann.my_turn()
        assert not (await bound(ben)).parts
        await ben.say(HandMade(match_of(table_of(ben)), b"", seed=3).tip())
        assert (await ben.hear(Problem)).code == "entropy/none"
        steps = await steps_of(run, table_of(ann))
    assert rounds(steps) == [()]
    assert not {EntropyTip, EntropyCall} & {type(step.cause) for step in steps}


async def test_a_seat_that_passes_to_a_bot_and_back_begins_a_new_chain(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann, ben = await players(run)
        await start(ann)
        await ann.my_turn()
        await ben.close()
        await ann.until(lambda: seen(ann).seats[1].away >= 0)
        await jump(run, 30, ann)
        await ann.until(lambda: seen(ann).vote is not None)
        await cast(ann, yes=True)
        await ann.until(lambda: seen(ann).seats[1].bot != "")
        await ben.connect()
        await ann.until(lambda: seen(ann).seats[1].bot == "")
        await rest_to_the_end(ann, ben)
        steps = await steps_of(run, table_of(ann))
    passed = [step.cause.holders for step in steps if isinstance(step.cause, Seats)]
    assert passed == [("person", "person"), ("person", "bot"), ("person", "person")]
    assert [step.cause.seat for step in steps if isinstance(step.cause, EntropyTip)] == [0, 1, 1]
    # the end of its first chain cost the seat round 2
    assert given(steps) == [[True, True], [True, False], [True, True]]


async def test_a_bots_seat_has_no_part(tmp_path: Path) -> None:
    async with running(tmp_path) as run:
        ann = await run.client("Ann", adds=True)
        await ann.create()
        await ann.say(say.AddBot(kind="hard"))
        await ann.until(lambda: all(seat.bot or seat.who for seat in seen(ann).seats))
        await start(ann)
        await ann.my_turn()
        steps = await steps_of(run, table_of(ann))
    assert given(steps) == [[True, False]]
    assert notes(steps) == []
    assert [step.cause.holders for step in steps if isinstance(step.cause, Seats)] == [("person", "bot")]
