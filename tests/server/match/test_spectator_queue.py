"""Spectators are served in turn, whatever becomes of one job."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from bench import scenes
from engine.core.view.prompts import cause_of
from server.match.channels import SPECTATOR, Channels
from server.match.spectator_queue import Backlog, SpectatorGate, SpectatorQueue
from tests.support.clients.programs import until
from tests.support.doubles.supervisor import supervisor


class Onlooker:
    """A viewer that keeps what it has been offered, piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[tuple[bytes, ...]] = []

    def offer(self, *parts: bytes, droppable: bool = False) -> None:
        self.pieces.append(parts)


async def test_what_waits_behind_a_job_that_fails_is_done() -> None:
    tasks = supervisor()
    crowd, done = SpectatorQueue(SpectatorGate(tasks)), []

    def fail() -> Iterator[None]:
        yield
        raise ValueError

    def job(number: int) -> Iterator[None]:
        done.append(number)
        yield

    crowd.add(fail)
    crowd.add(lambda: job(1))
    await until(lambda: done == [1] and tasks.metrics.task_faults.get("spectators") == 1)
    crowd.add(lambda: job(2))
    await until(lambda: done == [1, 2] and crowd._task is None)


async def test_nothing_is_done_after_the_end() -> None:
    crowd, done = SpectatorQueue(SpectatorGate(supervisor())), []

    def job() -> Iterator[None]:
        done.append(1)
        yield

    crowd.add(job)
    (ending,) = crowd.stop()
    await asyncio.gather(ending, return_exceptions=True)
    assert ending.cancelled()
    assert not done


async def test_what_gathers_until_its_turn_comes_is_told_together_and_in_order() -> None:
    crowd, told = SpectatorQueue(SpectatorGate(supervisor())), []

    def tell(words: list[str]) -> Iterator[None]:
        told.append(words)
        if len(told) == 1:
            untold.add("meanwhile", tell)
        yield

    untold = Backlog[str](crowd)
    untold.add("first", tell)
    untold.add("second", tell)
    assert not told
    await until(lambda: len(told) == 2)
    assert told == [["first", "second"], ["meanwhile"]]
    await asyncio.gather(*crowd.stop(), return_exceptions=True)


async def test_steps_that_have_gathered_go_to_each_spectator_in_one_piece() -> None:
    game = scenes.match()
    match, projector = game.match, game.projector
    seat = match.may_act()[0]
    shot = scenes.shots(match.state)[seat]
    channels = Channels(projector, 10, SpectatorGate(supervisor()))
    first, second, late = Onlooker(), Onlooker(), Onlooker()

    def shoot(number: int) -> None:
        step = match.propose(cause_of(match, seat, number.to_bytes(16, "big"), shot))
        match.settle(step)
        channels.publish(projector.advance(step))

    for viewer in (first, second):
        channels.attach(viewer, SPECTATOR)
    shoot(1)
    shoot(2)
    channels.attach(late, SPECTATOR)
    shoot(3)
    for viewer in (first, second, late):
        viewer.pieces.clear()  # the pictures of the beginning
    await until(lambda: bool(late.pieces))
    [three] = first.pieces
    assert second.pieces == [three]
    assert len(three) == 3
    # who came later has the first two in his picture
    assert late.pieces == [three[2:]]
    await asyncio.gather(*channels.stop(), return_exceptions=True)
