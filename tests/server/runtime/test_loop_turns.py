"""Turns of the loop: work that finds one long is done in a coming one, in its order, and others come between."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path

import pytest

from server.runtime.loop_turns import LONG_SECONDS, LoopTurns
from tests.server.match.test_replays import finished


class Work:
    """Pieces of work that each take `seconds` of a clock of their own."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.time = 0.0
        self.turns = LoopTurns(lambda: self.time)
        self.done: list[str] = []

    async def do(self, name: str) -> None:
        if self.turns.is_long():
            await self.turns.wait()
        self.time += self.seconds
        self.done.append(name)

    async def look(self, rounds: int) -> None:
        """Note each turn of the loop."""
        for _ in range(rounds):
            await asyncio.sleep(0)
            self.done.append("|")


async def test_short_work_is_all_done_in_its_turn() -> None:
    work = Work(LONG_SECONDS / 100)
    await asyncio.gather(*(work.do(name) for name in "abcdef"), work.look(1))
    assert "".join(work.done) == "abcdef|"


async def test_long_work_is_done_one_a_turn_in_its_order() -> None:
    work = Work(LONG_SECONDS * 2)
    await asyncio.gather(*(work.do(name) for name in "abcd"), work.look(20))
    assert [part for part in "".join(work.done).split("|") if part] == ["a", "b", "c", "d"]


async def test_what_came_first_goes_before_what_comes_while_it_waits() -> None:
    work = Work(LONG_SECONDS * 2)
    first = [asyncio.ensure_future(work.do(name)) for name in "abc"]
    await asyncio.sleep(0)
    second = [asyncio.ensure_future(work.do(name)) for name in "de"]
    await asyncio.gather(*first, *second)
    assert "".join(work.done) == "abcde"


async def test_work_that_is_cancelled_while_it_waits_leaves_its_place_to_others() -> None:
    work = Work(LONG_SECONDS * 2)
    tasks = [asyncio.ensure_future(work.do(name)) for name in "abc"]
    await asyncio.sleep(0)
    tasks[1].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert work.done == ["a", "c"]


async def test_matches_are_played_to_their_end_where_each_turn_has_room_for_one_piece_of_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count()
    monkeypatch.setattr("server.app.LoopTurns", lambda _: LoopTurns(lambda: float(next(ticks))))
    async with finished(tmp_path) as (_, ann, ben):
        assert "result" in ann.scene.nodes
        assert "result" in ben.scene.nodes
    assert next(ticks) > 20
