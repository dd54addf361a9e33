"""The watch over what tables have to tell their people: each occasion once, to those who are not looking.

Whoever is connected elsewhere hears of a turn in their window. A minute later, whoever does not look then is told by
webhook. What a webhook has told is in its record, so that a restart repeats nothing; after one a match tells of its
turn when it is read again, within an hour, and a table of its date at once.
"""

from __future__ import annotations

import asyncio
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from protocol.wire.webhooks import TurnTold
from server.lobby.notices.occasions import TURN, occasions_at
from server.lobby.notices.webhook_state import tell_state
from server.lobby.notices.webhook_words import occasion_words
from server.lobby.table.table_names import title_of
from server.runtime.clock import set_or_due
from server.runtime.refusals import Refused
from server.runtime.tasks import stop
from server.store.port import StoreError

if TYPE_CHECKING:
    from protocol.ids import TableId
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.table.live_table import LiveTable
    from server.webhooks.webhook_book import Webhook

SETTLE_SECONDS: Final = 60
"""That an occasion lasts before a webhook tells of it: a link that is lost comes back, and others act meanwhile."""
LOOKING_SECONDS: Final = 600
"""Since the person's own last message, in which they are looking: a window may stay open over night."""
AGAIN_SECONDS: Final = 3600
"""After a message that has not arrived."""
LATER_SECONDS: Final = 600
"""After one that was one too many, and after the store has failed."""
AT_ONCE: Final = 8
"""People to whom messages are on their way at a time."""


class NoticeWatch:
    """Watch over all tables of a lobby."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._lobby = lobby
        self._known: dict[TableId, dict[str, str]] = {}
        """By table and person: the occasion that they know of."""
        self._settled: dict[TableId, dict[str, str]] = {}
        """Those of them with which nothing is left to do: they stand in the person's webhook, or are not sent there."""
        self._due: dict[str, dict[TableId, float]] = {}
        """By person and table: when to look whether they are to be told, in the clock's time."""
        self._due_at: dict[TableId, set[str]] = {}
        """The people of these looks, by table."""
        self._next = inf
        """The time of the next look that the watch waits for."""
        self._at_work: dict[str, asyncio.Task[None]] = {}
        self._woken = asyncio.Event()

    async def open(self) -> None:
        """Read what webhooks have told. Raises StoreError."""
        async for who, webhook in self._services.webhooks.book.each():
            for id, occasion in webhook.told.items():
                self._known.setdefault(id, {})[who] = occasion
                self._settled.setdefault(id, {})[who] = occasion
                # it may have passed without a word, by a kill
                self._look_at(who, id, SETTLE_SECONDS)

    def look(self, live: LiveTable) -> None:
        """Look at a table that has changed, whose match waits for others, or to which somebody has come."""
        id, found = live.record.id, occasions_at(live, self._services.clock.wall())
        if live.is_asleep and not found:
            # since a restart nobody knows for whom it waits
            return
        for who in self._people_of(id) - found.keys():
            self._is_over(who, id)
        for who, occasion in found.items():
            is_due = id in self._due.get(who, ())
            if self._known.get(id, {}).get(who) == occasion:
                is_settled = self._settled.get(id, {}).get(who) == occasion
                if self._has_webhook(who) and not is_settled and not is_due and not self._is_at(who, live):
                    self._look_at(who, id, SETTLE_SECONDS)
            elif self._is_looking(who) and self._is_at(who, live):
                self._knows(who, id, occasion)
            elif not is_due:
                self._say(who, live, occasion)
                if self._has_webhook(who):
                    self._look_at(who, id, SETTLE_SECONDS)
                else:
                    self._knows(who, id, occasion)

    def gone(self, id: TableId) -> None:
        """Forget a table that has gone."""
        for who in self._people_of(id):
            self._is_over(who, id)

    def _people_of(self, id: TableId) -> set[str]:
        return {*self._known.get(id, ()), *self._due_at.get(id, ())}

    def _is_over(self, who: str, id: TableId) -> None:
        """Forget an occasion that has passed, in the store, too."""
        self._forget(self._known, who, id)
        if who in self._settled.get(id, ()):
            self._look_at(who, id, 0)
        else:
            self._look_no_more(who, id)

    def _knows(self, who: str, id: TableId, occasion: str) -> None:
        self._known.setdefault(id, {})[who] = occasion

    @staticmethod
    def _forget(held: dict[TableId, dict[str, str]], who: str, id: TableId) -> None:
        people = held.get(id, {})
        people.pop(who, None)
        if not people:
            held.pop(id, None)

    def _has_webhook(self, who: str) -> bool:
        webhooks = self._services.webhooks
        return bool(webhooks.hosts) and who in webhooks.book.people

    def _is_looking(self, who: str) -> bool:
        since = self._services.clock.now() - LOOKING_SECONDS
        return any(session.spoke_at > since for session in self._lobby.connections(who))

    def _is_at(self, who: str, live: LiveTable) -> bool:
        return any(session.table is live for session in self._lobby.connections(who))

    def _say(self, who: str, live: LiveTable, occasion: str) -> None:
        """Tell a person who is connected of a turn; of dates they are told by the table."""
        if occasion != TURN:
            return
        for session in self._lobby.connections(who):
            if session.follows_invitations and session.table is not live:
                session.say(TurnTold(live.record.id, title_of(live.record)))

    def _look_at(self, who: str, id: TableId, seconds: float) -> None:
        """Look so much later whether a person is to be told."""
        due = self._services.clock.now() + seconds
        self._due.setdefault(who, {})[id] = due
        self._due_at.setdefault(id, set()).add(who)
        if due < self._next:
            self._woken.set()

    def _look_no_more(self, who: str, id: TableId) -> None:
        tables, people = self._due.get(who, {}), self._due_at.get(id, set())
        tables.pop(id, None)
        people.discard(who)
        if not tables:
            self._due.pop(who, None)
        if not people:
            self._due_at.pop(id, None)

    # In time

    async def watch(self) -> None:
        """Tell who is to be told, until cancelled."""
        clock = self._services.clock
        try:
            while True:
                self._woken.clear()
                now = clock.now()
                waiting = {who: min(tables.values()) for who, tables in self._due.items() if who not in self._at_work}
                for who in sorted(waiting, key=waiting.__getitem__)[: AT_ONCE - len(self._at_work)]:
                    if waiting[who] <= now:
                        self._begin(who, [id for id, due in self._due[who].items() if due <= now])
                        del waiting[who]
                has_room = len(self._at_work) < AT_ONCE
                self._next = min(waiting.values(), default=inf) if has_room else -inf
                if waiting and has_room:
                    await set_or_due(self._woken, clock, self._next)
                else:
                    await self._woken.wait()
        finally:
            await stop(self._at_work.values())

    def _begin(self, who: str, tables: list[TableId]) -> None:
        for id in tables:
            self._look_no_more(who, id)
        self._at_work[who] = task = self._services.tasks.begin(self._mind(who, tables), "notice")
        task.add_done_callback(partial(self._done, who))

    def _done(self, who: str, _: object) -> None:
        del self._at_work[who]
        self._woken.set()

    async def _mind(self, who: str, tables: list[TableId]) -> None:
        """Tell a person what there is to tell at these tables, one after another."""
        for id in tables:
            try:
                await self._mind_table(who, id)
            except Refused:
                self._look_at(who, id, LATER_SECONDS)
            except StoreError as problem:
                self._services.log.error("store", problem=str(problem))
                self._look_at(who, id, LATER_SECONDS)
            live = self._lobby.find(id)
            if live is not None:
                # the turn may have passed while the message was on its way
                self.look(live)

    async def _mind_table(self, who: str, id: TableId) -> None:
        """Raises Refused, StoreError."""
        webhook = await self._services.webhooks.book.find(who)
        live = self._lobby.find(id)
        occasion = occasions_at(live, self._services.clock.wall()).get(who, "") if live is not None else ""
        if live is not None and live.is_asleep and not occasion:
            return
        told = "" if webhook is None else webhook.told.get(id, "")
        if webhook is not None and told and not occasion:
            await self._note(who, id, "")
        elif not occasion or occasion == told or webhook is None or webhook.is_off or not self._has_webhook(who):
            self._settle(who, id, occasion)
        elif self._known.get(id, {}).get(who) == occasion or self._is_looking(who):
            await self._note(who, id, occasion)
        elif live is not None:
            await self._deliver(who, live, webhook, occasion)

    async def _note(self, who: str, id: TableId, occasion: str) -> None:
        """Note in the webhook that its person knows of an occasion, or ("") of none at this table."""

        def noted(webhook: Webhook) -> Webhook:
            told = {table: word for table, word in webhook.told.items() if table != id}
            return replace(webhook, told=told | {id: occasion} if occasion else told)

        await self._services.webhooks.book.change(who, noted)
        self._settle(who, id, occasion)

    def _settle(self, who: str, id: TableId, occasion: str) -> None:
        """Take an occasion, or none, about which nothing is left to do."""
        for held in (self._known, self._settled):
            if occasion:
                held.setdefault(id, {})[who] = occasion
            else:
                self._forget(held, who, id)

    async def _deliver(self, who: str, live: LiveTable, webhook: Webhook, occasion: str) -> None:
        """Raises Refused, StoreError."""
        id = live.record.id
        words = occasion_words(live.record, webhook.place, occasion)
        after = await self._services.webhooks.deliver(who, words, id, occasion)
        if after is None or after.is_off or after.told.get(id) == occasion:
            self._settle(who, id, occasion)
        else:
            self._look_at(who, id, AGAIN_SECONDS)
        if after is not None and after.failures:
            tell_state(self._services.webhooks, self._lobby, who, after)
