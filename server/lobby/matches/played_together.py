"""The note, for each person at a table whose match is on, of the others who are seated there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from server.people.contacts import Person
from server.runtime.tasks import stop
from server.store.port import RecordTooNew, StoreDamaged
from server.store.retry import until_stored

if TYPE_CHECKING:
    from server.lobby.services import Services
    from server.lobby.table.table_record import TableRecord


class PlayedTogether:
    """Writes in the background, so that no match waits for it."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._writing: set[asyncio.Task[None]] = set()

    def note(self, record: TableRecord) -> None:
        """Note those who are seated now."""
        people = [Person(seat.who, seat.name) for seat in record.seats if seat.who]
        for person in people if len(people) > 1 else ():
            others = [other for other in people if other != person]
            task = self._services.tasks.begin(self._write(person, others), "played")
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)

    async def _write(self, person: Person, others: Sequence[Person]) -> None:
        services = self._services

        def failed(problem: Exception) -> None:
            services.log.error("store", problem=str(problem))

        async def work() -> None:
            try:
                await services.people.played(person, others)
            except (RecordTooNew, StoreDamaged) as problem:
                # trying again would not help
                failed(problem)

        await until_stored(work, services.clock, failed)

    async def close(self) -> None:
        """Write no more."""
        await stop(self._writing)
