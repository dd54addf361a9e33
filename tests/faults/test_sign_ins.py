"""Guessing passwords: five failures for a name, twenty for an address, and nothing to be learnt from the time taken."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest

from protocol.limits import Limits
from tests.support.names import CHEAP, cheaply, keeps, refusal, signs_in
from tests.support.wire import Running

REAL = Limits()
WRONG = "session/not-signed-in"
QUARTER = 15 * 60


@pytest.mark.parametrize("name", ["Ann", "Nobody"])
async def test_after_five_failures_a_name_is_refused_for_a_quarter_of_an_hour(tmp_path: Path, name: str) -> None:
    async with cheaply(tmp_path) as run:
        ann = await run.client("Ann")
        await keeps(ann)
        told = [await signs_in(run, name, f"guess number {n}") for n in range(7)]
        assert all(client.talk.ended == told[0].talk.ended is not None for client in told)
        assert run.server.metrics.sign_ins.get("wrong") == 5 and run.server.metrics.sign_ins.get("locked") == 2
        assert await refusal(run, name) == WRONG
        assert (await run.client("Ann", ann.talk.token)).talk.you == ann.talk.you  # by token he comes back as ever
        run.clock.advance(QUARTER)
        assert await refusal(run, name) == ("" if name == "Ann" else WRONG)


async def test_twenty_failures_of_an_address_stop_it_whatever_the_names(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        ann = await run.client("Ann")
        await keeps(ann)
        for number in range(20):
            assert await refusal(run, f"Somebody {number}") == WRONG
        assert await refusal(run) == WRONG
        assert run.server.metrics.sign_ins.get("locked") == 1
        assert await refusal(run, address="127.0.0.2") == ""
        run.clock.advance(QUARTER)
        assert await refusal(run) == ""


async def test_guesses_that_come_all_at_once_are_no_more_than_five(tmp_path: Path) -> None:
    async with cheaply(tmp_path) as run:
        await keeps(await run.client("Ann"))
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(refusal(run, "Ann", f"guess number {n}")) for n in range(12)]
        assert {task.result() for task in tasks} == {WRONG}
        assert run.server.metrics.sign_ins.get("wrong") == 5


Clock = Callable[[], float]


async def cost(run: Running, name: str, clock: Clock) -> float:
    """What a wrong password costs until it is refused, from the first byte to the close."""
    begun = clock()
    assert await refusal(run, name, "a wrong password") == WRONG
    return clock() - begun


async def costs(folder: Path, samples: int, clock: Clock) -> tuple[float, float]:
    """Medians for a name that is kept and for one that is not, at the real cost of a hash, by turns."""
    patient = replace(CHEAP, failures=10**6, failures_per_address=10**6, handshakes_per_second=10**6)
    dear = replace(patient, password_kib=REAL.password_kib, password_passes=REAL.password_passes)
    seen: dict[str, list[float]] = {"Ann": [], "Nobody": []}
    async with cheaply(folder, dear) as run:
        await keeps(await run.client("Ann"))
        for turn in range(samples):
            for name in sorted(seen, reverse=turn % 2 == 0):
                seen[name].append(await cost(run, name, clock))
    return median(seen["Ann"]), median(seen["Nobody"])


async def test_it_takes_as_long_to_refuse_a_name_that_nobody_keeps(tmp_path: Path) -> None:
    """In time of the processor: what else the machine does just now is no difference between names."""
    known, unknown = await costs(tmp_path, 31, time.process_time)
    assert known > 0.005 and abs(known - unknown) < 0.005, (known, unknown)


@pytest.mark.long("sign-ins")
async def test_long_it_takes_as_long_in_ten_thousand_tries(tmp_path: Path) -> None:
    begun = time.process_time(), time.perf_counter()
    known, unknown = await costs(tmp_path, 5_000, time.perf_counter)
    cores = (time.process_time() - begun[0]) / (time.perf_counter() - begun[1])
    print(f"kept {known * 1000:.2f} ms, nobody's {unknown * 1000:.2f} ms; {cores:.2f} cores, guesser included")
    assert abs(known - unknown) < 0.005 and cores <= 1
