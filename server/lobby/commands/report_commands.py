"""The command by which people report others, and lines of theirs, to the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from protocol.ids import NO_TABLE
from protocol.text_cleaning import clean_line
from protocol.wire.from_server import ChatLine, ReportTaken
from server.accounts.current_names import CurrentNames
from server.lobby.lobby_talk import line_of_lobby
from server.runtime.refusals import Refused
from server.talk.reports import AROUND, StoredReport, around

if TYPE_CHECKING:
    from protocol.wire import from_client as said
    from server.accounts.identities import Identities
    from server.lobby.services import Services
    from server.lobby.sessions import Session


class ReportCommands:
    """Methods, one for each message, called for the session that has sent it. One that raises Refused or StoreError has
    stored nothing."""

    def __init__(self, services: Services, identities: Identities) -> None:
        self._services = services
        self._identities = identities

    async def report(self, session: Session, asked: said.Report) -> None:
        if asked.who == session.who:
            raise Refused("people/self")
        account = await self._identities.find(asked.who)
        if account is None:
            raise Refused("people/unknown")
        self._services.bounds.spend("reports", session.asker)
        words = clean_line(asked.words)[: self._services.limits.chat_length].rstrip()
        at = self._services.clock.wall()
        report = StoredReport(session.who, session.name, account.id, account.name, asked.reason, words, at)
        if asked.line is not None:
            lines, place = await self._found(session, asked.who, asked.line)
            live = session.table if not asked.line.number else None
            table = live.record.id if live is not None else NO_TABLE
            report = replace(report, lines=lines, place=place, table=table)
        await self._services.reports.add(report)
        session.say(ReportTaken(asked.who))

    async def _found(self, session: Session, who: str, line: said.ReportedLine) -> tuple[tuple[ChatLine, ...], int]:
        """Return a line with those around it, and its place among them. Raises Refused where the reporter cannot read
        such a line of this person, StoreError."""
        for lines in await self._conversations(session, line):
            for place, one in enumerate(lines):
                if (one.who, one.text, one.at, one.number) == (who, line.text, line.at, line.number):
                    return around(lines, place)
        raise Refused("report/no-line")

    async def _conversations(self, session: Session, line: said.ReportedLine) -> list[list[ChatLine]]:
        """Return the conversations in which a line may be: of the lobby where it has a number."""
        if not line.number:
            return [] if session.table is None else await session.table.past.conversations(session)
        names = CurrentNames(self._identities)
        found = await self._services.lobby_lines.page(line.number + AROUND + 1, 2 * AROUND + 1)
        return [[line_of_lobby(one, await names.of(one.line.who)) for one in reversed(found)]]
