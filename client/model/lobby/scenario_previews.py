"""Pictures of scenarios before their set-up, as the server shows them. Needs no window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from client.model.lobby.seen_by_hash import SeenByHash
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
        self.is_known = False
        """True where the server shows scenarios."""
        self._seen: SeenByHash[Key, SeenScenario] = SeenByHash(clock, MOST_KEPT)

    def begin(self, *, is_known: bool) -> None:
        """Begin on a new link: what was seen before is asked about again, by its hash."""
        self.is_known = is_known
        self._seen.begin()

    def want(self, table: TableView) -> None:
        """Ask for the picture of a table's scenario, unless it is there or on its way."""
        key = _key_of(table)
        if self.is_known and self._seen.wants(key):
            self._say(GetPreview(table.system, table.scenario, dict(table.options), self._seen.known(key)))

    def of(self, table: TableView) -> SeenScenario | None:
        """Return the picture of a table's scenario, None where it is not there."""
        return self._seen.of(_key_of(table))

    def why_not(self, table: TableView) -> Text | None:
        """Return why there is no picture, None where there is one or it is on its way."""
        return self._seen.why_not(_key_of(table))

    def take(self, told: Preview) -> None:
        """Take in an answer."""
        key = told.system, told.scenario, tuple(sorted(told.options.items()))
        if told.code:
            self._seen.refuse(key, told.text or Text(told.code))
        elif not told.nodes:
            self._seen.same(key, told.hash)
        else:
            try:
                nodes = {id: typed(node) for id, node in told.nodes.items()}
            except BadFrame as bad:
                self._seen.refuse(key, bad.text)
                return
            self._seen.keep(key, told.hash, SeenScenario(told.hash, nodes, told.left_out))


def _key_of(table: TableView) -> Key:
    return table.system, table.scenario, tuple(sorted(table.options.items()))
