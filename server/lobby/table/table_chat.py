"""The chat of one table as it is remembered, for those who come later: each room's lines apart, so that no room's lines
crowd out those that others read."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from protocol.errors import BadFrame
from protocol.limits import CHAT_LINES
from protocol.wire.codec import decode_message, encode
from protocol.wire.from_server import ChatLine
from server.lobby.table.table_record import FINISHED, TableRecord
from server.store.port import StoreError
from server.talk.lobby_lines import KEPT_SECONDS

if TYPE_CHECKING:
    from protocol.ids import TableId
    from protocol.limits import Limits
    from server.lobby.services import Services

Room = str
TO_ALL: Final[Room] = ""
"""The room of what players say to all; before there were others, spectators' lines lay here, too."""
WATCHERS: Final[Room] = "watchers"


def of_side(side: int) -> Room:
    """Return the room of the seats of a side."""
    return f"side/{side}"


def list_of(table: TableId, room: Room = TO_ALL) -> str:
    """Return the name of the list of a room's lines in the store."""
    return f"chat/{table}/{room}" if room else f"chat/{table}"


def lists_of(table: TableId, seats: int) -> list[str]:
    """Return the names of all lists that a table of so many seats may have."""
    return [list_of(table, room) for room in (TO_ALL, WATCHERS, *map(of_side, range(seats)))]


def is_chat_due(record: TableRecord, now: int) -> bool:
    """Return True where the match has been over for so long, in Unix seconds, that its chat is to go."""
    return record.state == FINISHED and not record.chat_dropped and record.changed + KEPT_SECONDS <= now


def chat_line(stored: bytes, limits: Limits) -> ChatLine | None:
    """Decode a stored line; return None for one that cannot be read."""
    try:
        line = decode_message(stored, limits)
    except BadFrame:
        return None
    return line if isinstance(line, ChatLine) else None


class _RoomLines:
    """The newest lines of one room."""

    def __init__(self, name: str, services: Services) -> None:
        self._name = name
        self._services = services
        self._lines: deque[ChatLine] = deque(maxlen=CHAT_LINES)
        self._is_read = False

    async def keep(self, line: ChatLine) -> None:
        """Remember a line. Where the store cannot, it is remembered until the server stops."""
        self._lines.append(line)
        # only then: what is read was said before
        await self.read()
        try:
            await self._services.store.append_line(self._name, encode(line), CHAT_LINES)
        except StoreError as problem:
            self._services.log.error("store", problem=str(problem))

    def forget(self, people: Collection[str]) -> None:
        """Forget what these people have said, as far as it is in memory."""
        for line in [line for line in self._lines if line.who in people]:
            self._lines.remove(line)

    async def read(self) -> Sequence[ChatLine]:
        """Return the lines, with what was said before the server was started, which is read once."""
        if not self._is_read:
            await self._read_stored()
        return self._lines

    async def _read_stored(self) -> None:
        try:
            stored = await self._services.store.newest_lines(self._name, CHAT_LINES)
        except StoreError as problem:
            self._services.log.error("store", problem=str(problem))
            return
        if self._is_read:  # by another, meanwhile
            return
        self._is_read = True
        found = [chat_line(line.line, self._services.limits) for line in sorted(stored)]
        self._lines.extendleft(line for line in reversed(found) if line is not None)


async def forget_lines(services: Services, name: str, people: Collection[str]) -> None:
    """Delete all that these people have said from a list in the store. Raises StoreError; lines of others may stand
    there twice then, until it is done again."""
    stored = [line.line for line in sorted(await services.store.newest_lines(name, CHAT_LINES))]
    said = {line: chat_line(line, services.limits) for line in stored}
    others = [line for line, read in said.items() if read is None or read.who not in people]
    if len(others) == len(stored):
        return
    for line in others:
        # what is left falls off behind the others with the last one
        await services.store.append_line(name, line, len(others) if line is others[-1] else CHAT_LINES)
    if not others:
        await services.store.delete_lines(name)


class TableChat:
    """The lines of one table by room. What only two know is never among them."""

    def __init__(self, table: TableId, services: Services) -> None:
        self._table = table
        self._services = services
        self._rooms: dict[Room, _RoomLines] = {}

    def room(self, room: Room) -> _RoomLines:
        """Return the lines of a room."""
        if room not in self._rooms:
            self._rooms[room] = _RoomLines(list_of(self._table, room), self._services)
        return self._rooms[room]

    def forget(self, people: Collection[str]) -> None:
        """Forget what these people have said, as far as it is in memory."""
        for room in self._rooms.values():
            room.forget(people)

    async def lines(self, rooms: Sequence[Room]) -> list[ChatLine]:
        """Return the lines of these rooms of the last month in the order in which they were said, of one second those
        of the first room first."""
        oldest = self._services.clock.wall() - KEPT_SECONDS
        found = [line for room in rooms for line in await self.room(room).read()]
        return sorted([line for line in found if line.at > oldest], key=lambda line: line.at)
