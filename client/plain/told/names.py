"""Short names of the things on the table, unlike each other, by which they are said and typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from client.model.table.tabletop import Tabletop
from client.model.words.short_names import short_name
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE


class ShortNames:
    """Names of one scene: groups by their initials and number ("F5"), terrain as T1, T2 and on, marked areas as Z1,
    single pieces of no group as P1."""

    def __init__(self, top: Tabletop, texts: Texts) -> None:
        groups = {id: texts.say(group.name) for id, group in top.groups.items()}
        alone = [id for id in top.pieces if top.group_of.get(id, NO_NODE) not in top.groups]
        self.short: dict[NodeId, str] = {
            **_unlike({id: short_name(name) for id, name in groups.items()}),
            **_numbered("T", top.features),
            **_numbered("Z", top.zones),
            **_numbered("P", alone),
        }
        self._whole = groups
        self._ids = {name.lower(): id for id, name in self.short.items()}

    def of(self, id: NodeId) -> str:
        """Return the short name of a thing, its id where it has none."""
        return self.short.get(id, id)

    def find(self, words: str) -> NodeId:
        """Return the thing that is meant by a short name, by an initial with the number, or by its whole name; NO_NODE
        where none or more than one is."""
        wanted = words.strip().lower()
        if wanted in self._ids:
            return self._ids[wanted]
        whole = [id for id, name in self._whole.items() if name.lower() == wanted]
        return _only(whole) or _only(self._like(wanted)) or _only(self._beginning(wanted))

    def _like(self, wanted: str) -> Iterable[NodeId]:
        """Yield groups whose short name has the same first letter and number: F5 for FL5."""
        letters = wanted.rstrip("0123456789")
        number = wanted[len(letters) :]
        for id in self._whole if len(letters) == 1 and number else ():
            short = self.short[id].lower()
            if short.startswith(letters) and short[len(short.rstrip("0123456789")) :] == number:
                yield id

    def _beginning(self, wanted: str) -> Iterable[NodeId]:
        """Yield groups whose whole name begins so."""
        return (id for id, name in self._whole.items() if len(wanted) > 2 and name.lower().startswith(wanted))


def _only(found: Iterable[NodeId]) -> NodeId:
    """Return the one thing that was found; NO_NODE for none or several."""
    known = list(found)
    return known[0] if len(known) == 1 else NO_NODE


def _numbered(letter: str, ids: Iterable[NodeId]) -> dict[NodeId, str]:
    return {id: f"{letter}{number}" for number, id in enumerate(ids, 1)}


def _unlike(names: Mapping[NodeId, str]) -> dict[NodeId, str]:
    """Return the names, with a letter behind those that several have."""
    times = Counter(name.lower() for name in names.values())
    seen: Counter[str] = Counter()
    found: dict[NodeId, str] = {}
    for id, name in names.items():
        seen[name.lower()] += 1
        ending = chr(ord("a") + seen[name.lower()] - 1) if times[name.lower()] > 1 else ""
        found[id] = name + ending
    return found
