"""People who look at pages of tables: each is told its page, and then what changes on it, once a second at most."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Set
from time import perf_counter
from typing import Final

from protocol.ids import TableId
from protocol.wire.codec import encode
from protocol.wire.from_client import FindTables
from protocol.wire.table_lists import MyGames
from server.lobby.finding.page import Page
from server.lobby.finding.query import EVERYTHING, Query
from server.lobby.finding.search import Search
from server.lobby.services import Services
from server.lobby.sessions import Session
from server.lobby.table.table_record import TableRecord

DAY: Final = 24 * 3600
GATHER_SECONDS: Final = 0.5
"""For which changes are gathered before they are told."""
TELL_SECONDS: Final = 1.0
"""From one time that changes are told to the next."""
TURN_SECONDS: Final = 0.002
"""For which others wait while changes are told."""
TURN_MESSAGES: Final = 25
"""That are made in one turn of the loop: all of them are written at its end."""
NO_GAMES: Final = encode(MyGames())
SEARCHES: Final = "looks"
"""The kind of searches by filters that are held."""


class _Looker:
    """What a connection looks at, and was told of it. `version`: of the page, None for none; `games`: its own; `stale`:
    these may be others by now."""

    def __init__(self) -> None:
        self.page: Page | None = None
        self.version: int | None = None
        self.games = NO_GAMES
        self.stale = True


class Lookers:
    """Connections that look at pages of tables, the pages, and the searches that they are of."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._directory = services.directory
        self._lookers: dict[Session, _Looker] = {}
        self._searches: dict[Query, Search] = {}
        self._pages: dict[tuple[Query, int], Page] = {}
        self._lock = asyncio.Lock()
        """Held while a search or what is told is made: others run meanwhile, and tables change."""
        self._changed = asyncio.Event()
        self._told_at = -TELL_SECONDS

    def __contains__(self, session: object) -> bool:
        return session in self._lookers

    async def look(self, session: Session, asked: FindTables) -> None:
        """Let a connection look at a page from now on, and send it. Raises Refused."""
        query = Query.of(asked)
        bounds, key = self._services.bounds, str(id(session))
        async with self._lock:
            if query not in self._searches and query != EVERYTHING:
                bounds.check(SEARCHES, session.asker)
                bounds.spend("searches", session.asker)
            page = await self._page(query, asked.first)
            if session.is_closing:
                return
            if query == EVERYTHING:
                bounds.release(SEARCHES, key)
            else:
                bounds.hold(SEARCHES, key, *session.asker)
            session.has_asked_for_lobby = True
            looker = self._lookers.setdefault(session, _Looker())
            looker.page, looker.version, looker.stale = page, None, True
            self._tell(session, looker)

    async def _page(self, query: Query, first: int) -> Page:
        """Return a page; a search that nobody has made yet is made for it."""
        if not self._searches:
            self._directory.changes()
        search = self._searches.get(query)
        if search is None:
            search = Search(query, self._directory)
            await search.begin(self._since())
            self._searches[query] = search
        key = (query, first)
        if key not in self._pages:
            self._pages[key] = Page(search, first, self._directory)
        return self._pages[key]

    def leave(self, session: Session) -> None:
        """Forget a connection."""
        if self._lookers.pop(session, None) is not None:
            self._services.bounds.release(SEARCHES, str(id(session)))

    def changed(self) -> None:
        """Tell soon what has changed: of tables, or of who looks."""
        self._changed.set()

    async def watch(self) -> None:
        """Tell changes, for ever."""
        clock = self._services.clock
        while True:
            await self._changed.wait()
            await clock.sleep(max(GATHER_SECONDS, self._told_at + TELL_SECONDS - clock.now()))
            self._changed.clear()
            self._told_at = clock.now()
            async with self._lock:
                await self._tell_changes()

    async def _tell_changes(self) -> None:
        """Take what has changed, and tell it to all who look, some at a time."""
        self._drop_unused()
        changes, turn = self._directory.changes(), _Turn()
        for search in list(self._searches.values()):
            search.update(changes)
            search.trim(self._since())
            await turn.step()
        for page in list(self._pages.values()):
            page.refresh(changes)
            await turn.step()
        people = self._people_of(changes)
        for session, looker in list(self._lookers.items()):
            looker.stale |= session.who in people
            if session in self._lookers and self._tell(session, looker):
                await turn.step()

    def _people_of(self, changes: Mapping[TableId, TableRecord | None]) -> Set[str]:
        """Return all whose own games these tables are, or were."""
        people: set[str] = set()
        for id, before in changes.items():
            for record in (before, self._directory.record(id)):
                if record is not None:
                    people.update(record.let_in)
        return people

    def _drop_unused(self) -> None:
        """Drop the pages and searches that nobody looks at."""
        used = {id(looker.page) for looker in self._lookers.values()}
        self._pages = {key: page for key, page in self._pages.items() if id(page) in used}
        queries = {query for query, _ in self._pages}
        self._searches = {query: search for query, search in self._searches.items() if query in queries}

    def _tell(self, session: Session, looker: _Looker) -> bool:
        """Send what a connection does not know yet, while it looks; return True where there was anything."""
        page = looker.page
        if page is None or not session.sees_lobby or not (looker.stale or looker.version != page.version):
            return False
        if not session.conversation.is_clear:
            # the newest when it has read what it was told before: slow readers gather no old ones
            self._changed.set()
            return False
        if looker.stale:
            rows = self._directory.own(session.who)
            games, before, looker.stale = encode(MyGames(tuple(rows))) if rows else NO_GAMES, looker.games, False
            if games != before:
                looker.games = games
                session.offer(games)
        if looker.version != page.version:
            session.offer(self._news(session.who, looker.version, page))
            looker.version = page.version
        return True

    def _news(self, who: str, version: int | None, page: Page) -> bytes:
        """Return the message by which one who knows this version knows the newest."""
        hidden = self._directory.hidden(who)
        if hidden:
            return page.without(hidden)
        return page.change if version is not None and version == page.version - 1 else page.whole

    def _since(self) -> int:
        """Return since when a match must have ended to be shown, in unix seconds."""
        return self._services.clock.wall() - self._services.limits.shown_days * DAY


class _Turn:
    """A turn of the loop, which ends for others after so many messages or so much time."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._began, self._made = perf_counter(), 0

    async def step(self) -> None:
        """Count one more; let others run where it is time."""
        self._made += 1
        if self._made >= TURN_MESSAGES or perf_counter() - self._began > TURN_SECONDS:
            await asyncio.sleep(0)
            self._begin()
