"""Tables without people whose accounts are deleted: their seats are given up, their names and words go."""

from __future__ import annotations

import secrets
from functools import partial
from typing import TYPE_CHECKING

from protocol.errors import BadReplay
from protocol.fairness.replay_sections import BEGINNING_BYTES, FIRST_VERSION, version_of
from server.accounts.display_names import holds_one_of
from server.accounts.identities import ACCOUNTS, read_account
from server.lobby.matches.renamed_replays import without_people
from server.lobby.removals import seat_given_up
from server.lobby.table import seat_changes
from server.lobby.table.table_chat import forget_lines, lists_of
from server.lobby.table.table_names import seats_of, without_name
from server.lobby.table.table_record import FINISHED
from server.match.bots.bot_factory import new_seed
from server.match.replays import save
from server.runtime.errors import KeyDamaged
from server.runtime.former_keys import former_keys
from server.runtime.long_threads import in_thread
from server.runtime.refusals import Refused
from server.store.port import StoreDamaged, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.table.live_table import LiveTable
    from server.lobby.table.table_record import TableRecord


class ForgottenPeople:
    """The forgetting of people at all tables of a lobby."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._lobby = lobby

    async def forget(self, people: frozenset[str]) -> frozenset[str]:
        """Take these people from all tables, and return those of whom nothing is left there: a match that is just
        ending keeps its seats until it has ended, and what the store cannot do now is left for the next time."""
        names = {who: found for who in people if (found := await self._names_of(who)) is not None}
        known = frozenset(names)
        left: set[str] = set()
        async for record in self._lobby.records():
            for who in known & _people_of(record):
                left |= set() if await self._has_left(record, who, names[who]) else {who}
            if not await self._are_lines_gone(record, known):
                left |= known
        for live in self._lobby.in_memory():
            live.past.chat.forget(known)
        return known - left

    async def _names_of(self, who: str) -> frozenset[str] | None:
        """Return the name of a person, with those that they have given up; None where they cannot be read now."""
        try:
            found = await self._services.store.find_record(ACCOUNTS, who)
        except StoreError as problem:
            self._services.log.error("store", problem=str(problem))
            return None
        account = read_account(found.data) if found is not None else None
        return frozenset((account.name, *account.former) if account is not None else ())

    async def _has_left(self, table: TableRecord, who: str, names: frozenset[str]) -> bool:
        """Return True where a table has nothing of this person any more, or has gone; False also where that cannot be
        done now."""
        live = self._lobby.find(table.id)
        try:
            return live is None or await self._leave(live, who, names)
        except Refused as refused:
            if self._lobby.find(table.id) is None:
                return True
            self._services.log.warning("not-forgotten", table=table.id, problem=refused.code)
            return False
        except StoreError as problem:
            self._services.log.error("store", table=table.id, problem=str(problem))
            return False

    async def _are_lines_gone(self, table: TableRecord, people: frozenset[str]) -> bool:
        """Delete the lines of these people at a table; return False where that cannot be done now. Lines that can
        never be read again are shown to nobody."""
        is_done = True
        for name in lists_of(table.id, len(table.seats)):
            try:
                await forget_lines(self._services, name, people)
            except StoreError as problem:
                self._services.log.error("store", table=table.id, problem=str(problem))
                is_done = is_done and isinstance(problem, StoreDamaged)
        return is_done

    async def _leave(self, live: LiveTable, who: str, names: frozenset[str]) -> bool:
        """Return True where a table has nothing of this person any more, whose names these were. Raises StoreError."""
        if live.record.seat_of(who) >= 0:
            await self._lobby.sleeping.wake(live)
        async with live.lock:
            record = live.record
            seat = -1 if record.state == FINISHED else record.seat_of(who)
            if live.is_over and record.state != FINISHED:
                return False
            if seat >= 0:
                record = seat_changes.leave(record, who, self._lobby.matches.substitute(record), new_seed())
            elif record.state == FINISHED and not await self._struck(record, who, names):
                return False
            record = without_name(record, who, secrets.token_hex(8), names)
            if record != live.record:
                keep = self._lobby.amend if record.state == FINISHED else self._lobby.save
                await keep(live, record)
        if seat >= 0:
            seat_given_up(self._lobby, live, seat)
        return True

    async def _struck(self, table: TableRecord, who: str, names: frozenset[str]) -> bool:
        """Take the name of a person from the result and the replay of a finished match. Return False where the file
        cannot be written now."""
        seats = seats_of(table, who)
        is_theirs = partial(holds_one_of, names={*names, *(table.seats[seat].name for seat in seats)})
        await self._lobby.book.strike(table.match, seats, is_theirs)
        if not table.replay or table.replay_dropped:
            return True
        try:
            await in_thread(self._rename_in, self._services.replays / table.replay, seats, is_theirs)
        except (BadReplay, FileNotFoundError) as problem:
            self._services.log.error("replay-not-renamed", match=table.match, problem=str(problem))
        except (OSError, KeyDamaged) as problem:
            self._services.log.error("replay-not-renamed", match=table.match, problem=str(problem))
            return False
        return True

    def _rename_in(self, path: Path, seats: Collection[int], is_theirs: Callable[[str], bool]) -> None:
        """Overwrite names in a file of version 1. Raises BadReplay, OSError."""
        with path.open("rb") as file:
            if version_of(file.read(BEGINNING_BYTES)) > FIRST_VERSION:
                return
        former = [each.public for each in former_keys(path.parent.parent)]
        before = path.read_bytes()
        after = without_people(before, seats, is_theirs, self._services.key, former)
        if after != before:
            save(path, after)


def _people_of(record: TableRecord) -> set[str]:
    """Return all whose names a table may have, or who hold a seat there, or for whom one is kept."""
    return {*record.people, *record.kept_for, *record.line_up, *(seat.former for seat in record.seats)}
