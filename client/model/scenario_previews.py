"""Pictures of scenarios before their set-up, as the server shows them: asked for once, and kept by their hash. Needs no
window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from protocol.errors import BadFrame
from protocol.ids import NodeId
from protocol.scene.delta import typed
from protocol.scene.nodes import AnyNode
from protocol.text import Text
from protocol.wire.choices import OptionValue
from protocol.wire.client_message import Message
from protocol.wire.from_server import TableView
from protocol.wire.previews import GetPreview, Preview

MOST_KEPT: Final = 32
"""Of the newest, across tables and links."""
RETRY_SECONDS: Final = 10.0
"""After which one that was refused is asked for again: a bound may have passed."""

Key = tuple[str, str, tuple[tuple[str, OptionValue], ...]]
"""System, scenario, and the options that are not at their default."""


class SeenScenario(NamedTuple):
    """The table of a scenario. `left_out`: pieces of terrain that the dice are yet to lay."""

    hash: str
    nodes: Mapping[NodeId, AnyNode]
    left_out: int = 0


class SeenPreviews:
    """Previews of a session. `say` sends a message; `clock` gives seconds."""

    def __init__(self, say: Callable[[Message], object], clock: Callable[[], float]) -> None:
        self._say = say
        self._clock = clock
        self.is_known = False
        """True where the server shows scenarios."""
        self._seen: dict[str, SeenScenario] = {}
        """By hash, the one that came last at the end."""
        self._hash_of: dict[Key, str] = {}
        self._fresh: set[Key] = set()
        """Those told on this link: another server, or another version, may have another content."""
        self._refused: dict[Key, tuple[Text, float]] = {}
        """Why there is none, and when that was told."""
        self._asked: Key | None = None

    def begin(self, *, is_known: bool) -> None:
        """Begin on a new link: what was seen before is asked about again, by its hash."""
        self.is_known, self._asked = is_known, None
        self._fresh.clear()
        self._refused.clear()

    def want(self, table: TableView) -> None:
        """Ask for the picture of a table's scenario, unless it is there or on its way."""
        key = _key_of(table)
        if not self.is_known or key in (self._asked, *self._fresh):
            return
        refused = self._refused.get(key)
        if refused is None or self._clock() - refused[1] > RETRY_SECONDS:
            self._asked = key
            self._say(GetPreview(table.system, table.scenario, dict(table.options), self._hash_of.get(key)))

    def of(self, table: TableView) -> SeenScenario | None:
        """Return the picture of a table's scenario, None where it is not there."""
        return self._seen.get(self._hash_of.get(_key_of(table), ""))

    def why_not(self, table: TableView) -> Text | None:
        """Return why there is no picture, None where there is one or it is on its way."""
        refused = self._refused.get(_key_of(table))
        return refused[0] if refused is not None else None

    def take(self, told: Preview) -> None:
        """Take in an answer."""
        key = told.system, told.scenario, tuple(sorted(told.options.items()))
        if key == self._asked:
            self._asked = None
        self._refused.pop(key, None)
        if told.code:
            self._refused[key] = told.text or Text(told.code), self._clock()
        elif told.nodes:
            self._keep(key, told)
        elif told.hash in self._seen:
            self._hash_of[key] = told.hash
            self._fresh.add(key)
        else:
            # it has been forgotten meanwhile
            self._hash_of.pop(key, None)

    def _keep(self, key: Key, told: Preview) -> None:
        try:
            nodes = {id: typed(node) for id, node in told.nodes.items()}
        except BadFrame as bad:
            self._refused[key] = bad.text, self._clock()
            return
        self._seen.pop(told.hash, None)
        self._seen[told.hash] = SeenScenario(told.hash, nodes, told.left_out)
        self._hash_of[key] = told.hash
        self._fresh.add(key)
        while len(self._seen) > MOST_KEPT:
            gone = next(iter(self._seen))
            del self._seen[gone]
            for other in [other for other, named in self._hash_of.items() if named == gone]:
                del self._hash_of[other]
                self._fresh.discard(other)


def _key_of(table: TableView) -> Key:
    return table.system, table.scenario, tuple(sorted(table.options.items()))
