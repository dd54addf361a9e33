"""Acts of bots begin one by one, and few are carried out at a time."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

from server.match.bots.bot_scheduler import BotScheduler


async def test_one_begins_in_a_turn_of_the_loop_and_others_run_between_them() -> None:
    turns, done = BotScheduler(), list[str]()
    for number in range(3):
        turns.enter(lambda number=number: done.append(f"bot {number}"))  # type: ignore[misc]  # a default has no type
    for number in range(3):
        await asyncio.sleep(0)
        done.append(f"person {number}")
    assert done == ["bot 0", "person 0", "bot 1", "person 1", "bot 2", "person 2"]


async def test_none_begins_while_so_many_are_carried_out() -> None:
    turns, begun = BotScheduler(most=2), list[int]()
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(turns.running())
        second.enter_context(turns.running())
        for number in range(2):
            turns.enter(lambda number=number: begun.append(number))  # type: ignore[misc]  # a default has no type
        await asyncio.sleep(0)
        assert begun == []
        first.close()
        await asyncio.sleep(0)
        assert begun == [0]
    await asyncio.sleep(0)
    assert begun == [0, 1]


async def test_an_act_that_fails_makes_room() -> None:
    turns, begun = BotScheduler(most=1), list[int]()
    try:
        with turns.running():
            turns.enter(lambda: begun.append(1))
            raise RuntimeError
    except RuntimeError:
        await asyncio.sleep(0)
    assert begun == [1]
