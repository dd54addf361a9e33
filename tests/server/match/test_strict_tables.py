"""Strict tables over real sockets: what rolls is put off until the other programs have added to its dice."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import pytest

from client.fairness import verify
from engine.core.match.causes import Answered, Deferred, Expiry, Intended, PartsOpened, Start, Void
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.events import DiceRolled, QuestionClosed, StepDeferred
from protocol.fairness.replay import read
from protocol.ids import TableId, match_of
from protocol.limits import Limits
from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import EntropyWanted, Problem, Reject
from server.match.checking import check
from server.match.entropy import DEFERRED_SECONDS
from tests.support.clients.dice.linking import HandMade, by_hand, notes, rest_to_the_end, table_of
from tests.support.clients.wire import Client, Running, running, two_players
from tests.support.doubles.stores import FailingStore
from tests.support.systems.gamblers import GAMBLERS, Gamblers

LOBBY = 2
"""Sleepers that a server has without any match."""


async def steps_of(run: Running, table: TableId) -> list[Any]:
    """Return the steps of a match as they are stored."""
    match: Match[Any] = Match(Gamblers(), match_of(table), MatchDice(bytes(32), match_of(table)))
    return [match.codec.decode(stored.step) for stored in await run.server.store.read(match_of(table))]


def kinds(steps: list[Any]) -> list[type]:
    return [type(step.cause) for step in steps]


def given(step: Any) -> list[bool]:
    """Tell whose part is in."""
    return [bool(link) for link in step.cause.links]


async def ben_by_hand(run: Running) -> tuple[Client, Client, HandMade]:
    """Ann and Ben at a strict table, at Ann's turn; the test speaks for Ben's program, whose part is in round 1."""
    ann, ben = await run.client("Ann", adds=True), await run.client("Ben", adds=True)
    ben.proof = None
    await ben.join(await ann.create())
    await ann.change(strict=True)
    await ben.ready()
    await ann.until(lambda: ann.talk.table is not None and all(s.ready or s.seat == 0 for s in ann.talk.table.seats))
    await ann.say(say.StartMatch())
    chain = await by_hand(ben)
    await ben.say(chain.tip())
    await ben.say(chain.part(await ben.hear(EntropyWanted)))
    await ann.my_turn("gamble")
    return ann, ben, chain


async def test_an_act_that_rolls_waits_for_the_parts_of_the_others_and_the_record_holds(tmp_path: Path) -> None:
    async with running(tmp_path, systems=GAMBLERS) as run:
        ann, ben = await two_players(run, adds=True, strict=True)
        table = table_of(ann)
        await ann.my_turn("gamble")
        assert await ann.intend("gamble") == ""
        steps = await steps_of(run, table)
        start = steps[0].cause
        assert isinstance(start, Start)
        assert start.strict
        # one call, however many rolls
        assert kinds(steps)[-3:] == [Deferred, PartsOpened, Intended]
        assert given(steps[-2]) == [False, True]
        assert steps[-3].cause.cause == steps[-1].cause
        assert sum(isinstance(entry, DiceRolled) for entry in steps[-1].entries) == 3
        await rest_to_the_end(ann, ben)
        assert notes(await steps_of(run, table)) == []
    [file] = (tmp_path / "replays").iterdir()
    said = "\n".join(verify.check(file.read_bytes()))
    assert "Everything holds" in said
    assert "Strict table: 1 steps were fixed before their dice could be known." in said
    check(read(file.read_bytes(), Limits()), Gamblers())


async def test_what_rolls_nothing_is_not_put_off(tmp_path: Path) -> None:
    async with running(tmp_path, systems=GAMBLERS) as run:
        ann, _ = await two_players(run, adds=True, strict=True)
        assert await ann.intend("focus") == ""
        assert await ann.intend("rest") == ""
        assert Deferred not in kinds(await steps_of(run, table_of(ann)))


async def test_answers_are_fixed_and_all_programs_called_before_a_question_rolls(tmp_path: Path) -> None:
    async with running(tmp_path, systems=GAMBLERS) as run:
        ann, ben = await two_players(run, adds=True, strict=True, reaction_seconds=0)
        assert await ann.intend("strike", target=["seat/1"]) == ""
        await ben.my_turn("yes")
        assert await ben.intend("yes") == ""
        await ben.my_turn("gamble")
        steps = await steps_of(run, table_of(ann))
    place = kinds(steps).index(Deferred)
    assert kinds(steps)[place : place + 3] == [Deferred, PartsOpened, Expiry]
    deferred, closed, _ = steps[place].entries
    assert deferred == StepDeferred()
    assert isinstance(closed, QuestionClosed)
    assert steps[place + 2].entries[0] == closed
    assert given(steps[place + 1]) == [True, True]


@pytest.mark.waits(times=100)
async def test_a_silent_program_is_waited_for_one_second_and_the_roll_is_not_strict(tmp_path: Path) -> None:
    async with running(tmp_path, systems=GAMBLERS) as run:
        ann, ben, chain = await ben_by_hand(run)
        id = ann.talk.intend(Reply("gamble"), bytes(15) + b"1")
        await ann.flush()
        wanted = await ben.hear(EntropyWanted)
        await run.clock.until_sleeping(LOBBY + 1)
        run.clock.advance(DEFERRED_SECONDS - 0.1)
        assert kinds(await steps_of(run, table_of(ann)))[-1] is Deferred
        run.clock.advance(0.2)
        assert not isinstance(await ann.answer(id), Reject)
        await ben.say(chain.part(wanted))
        assert (await ben.hear(Problem)).code == "entropy/late"
        # his absence costs the seat its part in this round and the next: nothing is waited for any more
        assert await ann.intend("gamble") == ""
        assert await ann.intend("focus") == ""
        steps = await steps_of(run, table_of(ann))
    opened = [step for step in steps if isinstance(step.cause, PartsOpened)]
    assert [given(step) for step in opened] == [[False, False], [False, False]]
    assert notes(steps) == [("part_absent", 1, "1"), ("part_late", 1, "1")]


async def test_nothing_before_a_step_that_was_put_off_can_be_undone(tmp_path: Path) -> None:
    async with running(tmp_path, systems=GAMBLERS) as run:
        ann, ben, chain = await ben_by_hand(run)
        assert await ann.intend("focus") == ""
        first = ann.talk.intend(Reply("gamble"), bytes(15) + b"1")
        await ann.flush()
        wanted = await ben.hear(EntropyWanted)
        assert ann.prompt is not None
        undo = ann.talk.intend(Reply("undo"), bytes(15) + b"2")
        await ann.flush()
        await ann.pinged()
        await ben.say(chain.part(wanted))
        assert not isinstance(await ann.answer(first), Reject)
        refused = await ann.answer(undo)
        assert isinstance(refused, Reject)
        steps = await steps_of(run, table_of(ann))
    assert kinds(steps)[-3:] == [Deferred, PartsOpened, Intended]


async def test_bots_add_nothing_and_a_persons_part_makes_their_rolls_strict(tmp_path: Path) -> None:
    async with running(tmp_path, systems=GAMBLERS) as run:
        ann = await run.client("Ann", adds=True)
        await ann.create()
        await ann.change(strict=True, reaction_seconds=0)
        await ann.say(say.AddBot(kind="hard"))
        await ann.until(lambda: ann.talk.table is not None and bool(ann.talk.table.seats[1].bot))
        await ann.say(say.StartMatch())
        await ann.my_turn("gamble")
        assert await ann.intend("gamble") == ""
        assert await ann.intend("rest") == ""
        await ann.my_turn("yes")
        assert await ann.intend("yes") == ""
        await ann.my_turn("gamble")
        steps = await steps_of(run, table_of(ann))
    opened = [step for step in steps if isinstance(step.cause, PartsOpened)]
    assert [given(step) for step in opened] == [[False, False], [True, False]]


async def test_what_fails_on_its_dice_is_given_up_and_the_match_goes_on(tmp_path: Path) -> None:
    async with running(tmp_path, systems=GAMBLERS) as run:
        ann, _ = await two_players(run, adds=True, strict=True)
        steps: list[Any] = []
        for _ in range(100):
            run.clock.advance(1)
            # other parts, and so other dice, for the next try
            assert await ann.intend("gamble") == ""
            assert await ann.intend("dare") in ("", "rules/fault")
            steps = await steps_of(run, table_of(ann))
            if Void in kinds(steps):
                break
        assert kinds(steps)[-3:] == [Deferred, PartsOpened, Void]
        assert await ann.intend("rest") == ""


async def test_by_mail_the_option_is_without_effect(tmp_path: Path) -> None:
    async with running(tmp_path, systems=GAMBLERS) as run:
        ann, _ = await two_players(run, adds=True, strict=True, mail=True)
        assert await ann.intend("gamble") == ""
        steps = await steps_of(run, table_of(ann))
    assert not steps[0].cause.strict
    assert Deferred not in kinds(steps)


async def test_a_restart_between_a_step_that_is_put_off_and_its_outcome_changes_neither(tmp_path: Path) -> None:
    async with running(tmp_path, systems=GAMBLERS) as run:
        ann, ben = await two_players(run, adds=True, strict=True, reaction_seconds=0)
        ben_proof, ben.proof = ben.proof, None
        assert await ann.intend("strike", target=["seat/1"]) == ""
        await ben.my_turn("yes")
        assert await ben.intend("yes") == ""
        await ben.hear(EntropyWanted)
        table = table_of(ann)
        steps = await steps_of(run, table)
        assert kinds(steps)[-1] is Deferred
    ben.proof = ben_proof
    async with running(tmp_path, systems=GAMBLERS) as run:
        run.clients += [ann, ben]
        for client in (ann, ben):
            client.port = run.port
            await client.connect()
        await ben.my_turn("gamble")
        after = await steps_of(run, table)
    assert after[: len(steps)] == steps
    assert kinds(after)[len(steps) : len(steps) + 2] == [PartsOpened, Expiry]
    assert given(after[len(steps)]) == [True, True]
    assert after[len(steps) + 1].cause == steps[-1].cause.cause
    assert Answered not in kinds(after)


async def test_a_store_that_fails_amid_it_changes_nothing_and_nothing_is_done_twice(tmp_path: Path) -> None:
    store = FailingStore()
    async with running(tmp_path, systems=GAMBLERS, store=store) as run:
        ann, ben, chain = await ben_by_hand(run)

        async def acts(choice: str) -> str:
            """Let Ann act and Ben give the part that he is asked for; return the code of the refusal."""
            id = ann.talk.intend(Reply(choice), secrets.token_bytes(16))
            await ann.flush()
            await ben.say(chain.part(await ben.hear(EntropyWanted)))
            answer = await ann.answer(id)
            return answer.code if isinstance(answer, Reject) else ""

        id = ann.talk.intend(Reply("gamble"), bytes(16))
        await ann.flush()
        wanted = await ben.hear(EntropyWanted)
        before = await steps_of(run, table_of(ann))
        store.failing = True
        await ben.say(chain.part(wanted))
        refused = await ann.answer(id)
        assert isinstance(refused, Reject)
        assert refused.code == "store/unavailable"
        # whatever else is asked for, what was put off comes first
        assert await acts("rest") == "store/unavailable"
        store.failing = False
        assert await acts("rest") == "stale"
        after = await steps_of(run, table_of(ann))
    assert after[: len(before)] == before
    assert kinds(after)[len(before) :] == [PartsOpened, Intended]
    assert given(after[len(before)]) == [False, True]
    assert after[-1].cause == before[-1].cause.cause
