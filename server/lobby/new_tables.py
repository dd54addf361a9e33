"""Records of new tables."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.core.rules.system import ScenarioInfo
from protocol.ids import TableId
from server.lobby.seat_codes import new_code
from server.lobby.table.table_record import SeatRecord, TableRecord

if TYPE_CHECKING:
    from server.lobby.services import Services
    from server.lobby.sessions import Session


def new_table(
    services: Services, owner: Session, system: str, scenario: ScenarioInfo, name: str, seats: Sequence[SeatRecord]
) -> TableRecord:
    """Return the record of a table that this person opens, public, with the system's pace; seats that are not given are
    free."""
    now = services.clock.wall()
    return TableRecord(
        TableId(secrets.token_hex(6)),
        new_code(),
        name,
        system,
        scenario.id,
        owner.who,
        (*seats, *[SeatRecord()] * (scenario.seats - len(seats))),
        now,
        now,
        code_ends=now + services.limits.invite_seconds,
        language=owner.language,
        **services.systems[system].system.pace._asdict(),
    )
