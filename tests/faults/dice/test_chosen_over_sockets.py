"""Attacks A, B and E of the issue by real servers on real clients: none of them gets dice that read *yours*."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.fairness.dice_round_check import Verdict
from protocol.fairness.round_parts import MarkState
from protocol.ids import TableId, table_of
from protocol.wire import from_client as say
from tests.support.chosen_dice.servers import VICTIM, Chooser, asking_again
from tests.support.clients.people import Person, mark, strike
from tests.support.clients.wire import Running, running

Patch = pytest.MonkeyPatch


class Opened(list[tuple[int, bool]]):
    """The parts that a program has said, each with whether all facts were known to it at that time."""

    def __init__(self, person: Person) -> None:
        super().__init__()
        conversation = person.session.conversation
        honest = conversation.say

        def heard(message: say.Message) -> None:
            if isinstance(message, say.Entropy):
                self.append((message.round, person.check.is_live and person.check.parts.call_open is not None))
            honest(message)

        conversation.say = heard  # type: ignore[method-assign]


async def at_table(run: Running, folder: Path) -> tuple[Person, Person]:
    """Ann and Ben at a duel that is about to start."""
    ann, ben = Person(run, "Ann", folder / "ann" / "default"), Person(run, "Ben", folder / "ben" / "default")
    await ann.arrived()
    await ben.arrived()
    await ann.say(say.CreateTable(system="duel", scenario="two", name="Duel", private=False))
    await ann.at_table()
    table = ann.session.conversation.table
    assert table is not None
    await ann.say(say.ChangeTable(reaction_seconds=0))
    await ben.say(say.JoinTable(code=table.code))
    await ben.at_table()
    await ben.say(say.SetReady(ready=True))
    await ann.until(lambda: all(s.ready or s.seat == 0 for s in (ann.session.conversation.table or table).seats))
    return ann, ben


async def visitor(run: Running, folder: Path, table: TableId) -> Person:
    """Someone who comes later, and is told the record as it stands."""
    eve = Person(run, "Eve", folder / "eve" / "default")
    await eve.arrived()
    await eve.say(say.WatchTable(table=table))
    await eve.told()
    return eve


async def test_a_dice_chosen_in_the_first_round(tmp_path: Path, monkeypatch: Patch) -> None:
    """The host has the dice that it wished for, and everybody reads WRONG: Ann, who was called twice, at once; the
    others since the proof is not over the call of the record."""
    chooser = Chooser(round=1)
    chooser.apply(monkeypatch)
    async with running(tmp_path) as run:
        ann, ben = await at_table(run, tmp_path)
        opened = Opened(ann)
        await ann.say(say.StartMatch())
        await ann.until(lambda: ann.session.table_check.check is not None and ann.verdict is Verdict.WRONG)
        assert ann.check.why.k == "fair.call_wrong"
        await ben.until(lambda: ben.session.table_check.check is not None and ben.verdict is Verdict.WRONG)
        assert ben.check.why.k == "fair.proof_wrong"
        assert opened == [(1, True)]
        assert chooser.tries > 1
        await strike(ann, ben, 1)
        eve = await visitor(run, tmp_path, table_of(ann.check.match))
        assert eve.check.why.k == "fair.proof_wrong"
        await ben.until(lambda: bool(ben.session.feed.dice))
        assert ben.session.feed.dice[-1].faces == chooser.wished
        for person in (ann, ben, eve):
            assert 1 not in person.check.parts.rounds
            await person.leave()


async def test_a_without_a_call_that_was_told_no_part_leaves_a_program(tmp_path: Path, monkeypatch: Patch) -> None:
    """The host asks before it has told anything: in v1 that was enough."""
    chooser = Chooser(round=1, tells=False)
    chooser.apply(monkeypatch)
    async with running(tmp_path) as run:
        ann, ben = await at_table(run, tmp_path)
        opened = Opened(ann)
        await ann.say(say.StartMatch())
        for person in (ann, ben):
            await person.told()
        await ann.until(lambda: chooser.has_asked)
        await ann.say(say.Chat(text="still here"))
        await ann.until(lambda: any(line.text == "still here" for line in ann.session.feed.chat))
        assert chooser.part is None
        assert not opened
        for person in (ann, ben):
            await person.leave()


async def test_b_dice_chosen_in_a_later_round_after_a_cut(tmp_path: Path, monkeypatch: Patch) -> None:
    """Ann's program comes back, is asked at once, and answers when it has been told everything, the false call too.
    The friend's new chain is called a round too late to help the host; and everybody reads WRONG."""
    chooser = Chooser(round=2)
    chooser.apply(monkeypatch)
    async with running(tmp_path) as run:
        ann, ben = await at_table(run, tmp_path)
        opened = Opened(ann)
        await ann.say(say.StartMatch())
        for person in (ann, ben):
            await person.told()
        await strike(ann, ben, 1)
        ann.session.reconnect()
        await ann.until(lambda: ann.session.state == "up" and ann.check.is_live)
        await strike(ben, ann, 0)
        await ann.until(lambda: ann.verdict is Verdict.WRONG)
        await ben.until(lambda: ben.verdict is Verdict.WRONG)
        assert (ann.check.why.k, ben.check.why.k) == ("fair.call_wrong", "fair.proof_wrong")
        assert opened == [(1, True), (2, True)]
        assert mark(ann, 1).whose is mark(ben, 1).whose is MarkState.YOURS
        for person in (ann, ben):
            assert 2 not in person.check.parts.rounds
            await person.leave()


async def test_e_a_part_that_was_dropped_is_not_given_again(tmp_path: Path, monkeypatch: Patch) -> None:
    """Ann's part of round 2 is thrown away; in round 3 the host asks for both. Her seat sits out then, so that the
    call does not name it, and nothing is opened: the dice of both rounds read *older*, with k."""
    asking_again(2, VICTIM)(monkeypatch)
    async with running(tmp_path) as run:
        ann, ben = await at_table(run, tmp_path)
        opened = Opened(ann)
        await ann.say(say.StartMatch())
        for _ in range(2):
            for one in (ann, ben):
                await one.act("rest")
        for person in (ann, ben):
            await person.until(lambda person=person: person.check.round == 3)  # type: ignore[misc]  # a default has no type
            assert person.verdict is Verdict.CHECKED
        assert opened == [(1, True), (2, True)]
        assert [mark(ann, round)[:3] for round in (1, 2, 3)] == [
            (MarkState.YOURS, 0, 0),
            (MarkState.OLDER, 1, 1),
            (MarkState.OLDER, 1, 2),
        ]
        assert [mark(ben, round)[:2] for round in (2, 3)] == [(MarkState.BUT, 1), (MarkState.YOURS, 0)]
        for person in (ann, ben):
            await person.leave()
