"""Pages of factions, for those who choose one: made once of each, and kept."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from protocol.wire.faction_pages import FactionShown, GetFaction
from server.lobby.finding.kept_answers import KeptAnswers
from server.runtime.refusals import Refused

if TYPE_CHECKING:
    from server.content.systems import Installed
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.net.rule_queries import RuleQueries

MOST_KEPT: Final = 256
"""Pages of up to 40 kilobytes."""

Key = tuple[str, str]
"""System and faction."""


class FactionPages:
    """The command by which people look at a faction. Anybody may, wherever they are."""

    def __init__(self, services: Services, questions: RuleQueries) -> None:
        self._services = services
        self._kept: KeptAnswers[Key, FactionShown] = KeptAnswers(questions, MOST_KEPT)

    async def show(self, session: Session, asked: GetFaction) -> None:
        installed = self._services.systems.get(asked.system)
        if installed is None:
            raise Refused("table/unknown-system")
        key = asked.system, asked.faction
        found = await self._kept.find(key, session.asker, lambda: _made(installed, asked.faction))
        session.say(replace(found, sheet=found.sheet if asked.known != found.hash else None))


def _made(installed: Installed, faction: str) -> FactionShown:
    """Make a page. Raises Refused where there is no such faction."""
    sheet = installed.system.faction_sheet(installed.content, faction)
    if sheet is None:
        raise Refused("table/unknown-faction")
    packed = msgspec.msgpack.encode(sheet, order="deterministic")
    name = hashlib.blake2b(packed, digest_size=12).hexdigest()
    return FactionShown(installed.system.name, faction, name, sheet)


def not_shown(asked: GetFaction, refused: Refused) -> FactionShown:
    """Return the answer where there is no page."""
    return FactionShown(asked.system, asked.faction, code=refused.code, text=refused.text)
