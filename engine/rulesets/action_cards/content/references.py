"""Names that files of content may use of one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, NamedTuple

from engine.rulesets.action_cards.content.schema import Document, MapEntry


class Known(NamedTuple):
    """Names that other files may use: kinds of terrain (by id; whether they are barriers), factions, maps, events. Of
    faulty files the ids count, so that no other file is blamed for naming them; `blind`: one could not be read at all,
    and might define anything; `whole`: every file is sound."""

    kinds: Mapping[str, bool]
    factions: Set[str]
    maps: Mapping[str, MapEntry | None]
    events: Set[str]
    blind: bool
    whole: bool

    @classmethod
    def of(cls, documents: Iterable[Document], unread: Iterable[Mapping[str, Any]]) -> Known:
        kinds: dict[str, bool] = {}
        factions: set[str] = set()
        maps: dict[str, MapEntry | None] = {}
        events: set[str] = set()
        blind, whole = False, True
        for values in unread:
            blind, whole = blind or not values, False
            terrain = values.get("terrain")
            events |= set(given) if isinstance(given := values.get("event"), dict) else set()
            for id, kind in terrain.items() if isinstance(terrain, dict) else ():
                kinds[id] = isinstance(kind, dict) and kind.get("line") is True
            factions |= _id_of(values, "faction")
            maps |= dict.fromkeys(_id_of(values, "map"))
        for document in documents:
            kinds |= {id: kind.line for id, kind in document.terrain.items()}
            events |= document.event.keys()
            factions |= {document.faction.id} if document.faction is not None else set()
            maps |= {document.map.id: document.map} if document.map is not None else {}
        return cls(kinds, factions, maps, events, blind, whole)


def _id_of(values: Mapping[str, Any], table: str) -> set[str]:
    entry = values.get(table)
    id = entry.get("id") if isinstance(entry, dict) else None
    return {id} if isinstance(id, str) else set()
