"""View of a bot at a table laid for a test: scene, prompt and details straight from the state."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.system import all_parts
from engine.rulesets.action_cards.rules.verbs import VERBS, prompt
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.view import scene
from protocol.ids import NodeId
from protocol.scene.fields import AnyField
from protocol.scene.nodes import AnyNode


class Outlook:
    """View of `seat`; after `patience` questions if an answer is due, it is."""

    def __init__(self, state: Skirmish, seat: int = 0, patience: int = 1_000_000) -> None:
        self._game = cast("Any", SimpleNamespace(state=state, bare=True))
        self.seat = seat
        shown = [*all_parts(scene.public(state)), *scene.private(state, Seat(seat))]
        self.nodes: Mapping[NodeId, AnyNode] = {part.id: part.make() for part in shown}
        self.prompt = prompt(self._game, Seat(seat))
        self.known = state
        self.patience = patience
        self.asked = 0

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        try:
            return VERBS.detail_for(self._game, Seat(self.seat), choice, fields)
        except IllegalIntent:
            return None

    def is_due(self) -> bool:
        self.asked += 1
        return self.asked > self.patience
