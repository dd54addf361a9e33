"""Names that files of content may use of one another, as far as they can be read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from typing import NamedTuple

from engine.core.content.content_files import Unread
from engine.core.content.unsound import needed, sound
from engine.kit.scenario.references import defined, is_blind
from engine.kit.terrain.checks import barrier_kinds
from engine.rulesets.action_cards.content.schema import Document, FactionEntry, MapEntry, ScenarioEntry
from engine.rulesets.action_cards.state.model import Terrain


class Known(NamedTuple):
    """Names that other files may use: kinds of terrain (by id; whether they are barriers, may be unsound), factions,
    maps (None where one has no document), events, scenarios, and what of this can be played with. `blind`: a file could
    not be read at all, and might define anything."""

    kinds: Mapping[str, bool]
    factions: Set[str]
    maps: Mapping[str, MapEntry | None]
    events: Set[str]
    scenarios: Set[str]
    terrain: Mapping[str, Terrain]
    forces: Mapping[str, int]
    blind: bool

    @classmethod
    def of(cls, documents: Collection[Document], unread: Unread) -> Known:
        terrain = defined("terrain", documents, unread)
        maps = defined("map", documents, unread, single=True)
        factions = defined("faction", documents, unread, single=True)
        return cls(
            barrier_kinds(documents, unread),
            factions.keys(),
            {id: table if isinstance(table, MapEntry) else None for id, table in maps.items()},
            defined("event", documents, unread).keys(),
            defined("scenario", documents, unread, single=True).keys(),
            {id: kind for id, kind in terrain.items() if isinstance(kind, Terrain)},
            dict(sound(*[force_of(one) for one in factions.values() if isinstance(one, FactionEntry)])),
            is_blind(unread, documents),
        )

    def table(self, scenario: ScenarioEntry) -> ScenarioEntry:
        """Return a scenario on its map. Raises UnsoundValue where that is not known."""
        read = {id: table for id, table in self.maps.items() if table is not None}
        return scenario.laid_on(needed(read, scenario.map)) if scenario.map else scenario


def force_of(faction: FactionEntry) -> Iterator[tuple[str, int]]:
    """Yield a faction's id and its figures."""
    yield faction.id, sum(squad.count * len(squad.figures) for squad in faction.squad)
