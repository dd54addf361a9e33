"""The telling of people that a seat is kept for them: at once where they are here, else when they ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.wire.seating import Invitation
from server.content.systems import scenario_in, scenario_name
from server.lobby.table.table_names import title_of

if TYPE_CHECKING:
    from protocol.wire.seating import GetInvitations
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.lobby.table.table_record import TableRecord


class Invitations:
    """Invitations of all tables of a lobby. Nobody is told of a seat that is kept by somebody whom they have
    blocked."""

    def __init__(self, services: Services, lobby: Lobby) -> None:
        self._services = services
        self._lobby = lobby

    async def page(self, session: Session, _: GetInvitations) -> None:
        session.follows_invitations = True
        self._lobby.dates.follow(session)
        for row in self._services.directory.own(session.who):
            if row.kept:
                self._say(session, self._lobby.table(row.id).record)

    def tell(self, table: TableRecord, who: str) -> None:
        """Tell a person of the seat that is kept for them at this table."""
        for session in self._lobby.connections(who):
            if session.follows_invitations:
                self._say(session, table)

    def _say(self, session: Session, table: TableRecord) -> None:
        if self._services.people.is_blocked(session.who, table.owner):
            return
        name = scenario_name(scenario_in(self._services.systems, table.system, table.scenario), table.scenario)
        by = next((seat.name for seat in table.seats if seat.who == table.owner), "")
        session.say(Invitation(table.id, title_of(table), table.system, name, by, table.again))
