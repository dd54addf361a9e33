"""The load: one intent in flight a table, at full speed or paced."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from bench.players import Table


@dataclass
class Span:
    """Results of a timed span. `late`: seconds from the time an intent was due until all held its delta."""

    intents: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    late: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    @property
    def cost(self) -> float:
        """Microseconds of the server's CPU an intent."""
        return self.cpu / self.intents * 1e6

    @property
    def rate(self) -> float:
        """Intents a second."""
        return self.intents / self.seconds

    def quantile(self, share: float) -> float:
        """Return the milliseconds within which this share of all intents was done."""
        return sorted(self.late)[min(len(self.late) - 1, int(len(self.late) * share))] * 1e3


async def full_speed(tables: Sequence[Table], seconds: float, cpu: Callable[[], float]) -> Span:
    """Send every table's next intent as soon as its last is done, for `seconds`."""
    span = Span()
    is_over = False

    def on_delta(table: Table, size: int) -> None:
        span.intents += 1
        span.late.append(perf_counter() - table.sent)
        span.sizes.append(size)

    def on_ready(table: Table) -> None:
        if not is_over:
            table.shoot()

    _follow(tables, on_delta, on_ready)
    gc.disable()
    before, began = cpu(), perf_counter()
    for table in tables:
        table.shoot()
    await asyncio.sleep(seconds)
    is_over = True
    # intents in flight are counted with their whole cost
    await _quiet(tables)
    span.cpu, span.seconds = cpu() - before, perf_counter() - began
    gc.enable()
    return span


async def paced(tables: Sequence[Table], rate: float, seconds: float, cpu: Callable[[], float]) -> Span:
    """Send `rate` intents a second in all, each table in its turn; a busy table's wait counts as delay."""
    span = Span()
    loop = asyncio.get_running_loop()
    due: dict[int, float] = {}
    between = len(tables) / rate
    finish = perf_counter() + seconds

    def on_delta(table: Table, size: int) -> None:
        span.intents += 1
        span.late.append(perf_counter() - due.pop(table.number))
        span.sizes.append(size)

    def shoot(table: Table, at: float) -> None:
        if perf_counter() > finish:
            return
        loop.call_later(max(0.0, at + between - perf_counter()), shoot, table, at + between)
        if table.number in due:
            return  # one intent in flight: the wait of the one before it shows that it could not be sent
        due[table.number] = at
        if not table.is_busy:
            table.shoot()

    def on_ready(table: Table) -> None:
        if table.number in due:
            table.shoot()

    _follow(tables, on_delta, on_ready)
    gc.disable()
    before, began = cpu(), perf_counter()
    for number, table in enumerate(tables):
        start = began + number / rate
        loop.call_later(start - began, shoot, table, start)
    await asyncio.sleep(seconds)
    await _quiet(tables)
    span.cpu, span.seconds = cpu() - before, perf_counter() - began
    gc.enable()
    return span


def _follow(tables: Sequence[Table], on_delta: Callable[[Table, int], None], on_ready: Callable[[Table], None]) -> None:
    for table in tables:
        table.on_delta, table.on_ready = on_delta, on_ready


async def _quiet(tables: Sequence[Table]) -> None:
    for _ in range(2_000):
        if not any(table.is_busy for table in tables):
            return
        await asyncio.sleep(0.005)
    refused = {player.refused for table in tables for player in table.players if player.refused}
    raise SystemExit(f"Some tables are not answered any more; refused: {', '.join(refused) or 'nothing'}")
