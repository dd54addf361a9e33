"""The end of a seat's activations: said to the match once a seat is taken, and whenever the person changes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client.storage.profile import Ending
from protocol.ids import TableId
from protocol.scene.fields import PickOption
from protocol.scene.nodes import Choice, Prompt, Reply

ENDING: Final = "core:ending"
"""The reserved aside that says it, with one field."""
FIELD: Final = "ends"


def listed_asides(prompt: Prompt) -> tuple[Choice, ...]:
    """Return the asides of a prompt that are offered beside its choices: this one is a setting of the person."""
    return tuple(aside for aside in prompt.asides if aside.id != ENDING)


class ActivationEnding:
    """Sender of the person's setting. It is said once a table and after a change, so that two programs with different
    settings in one seat do not answer each other for ever."""

    def __init__(self, wanted: Callable[[], Ending], intend: Callable[[Reply], object]) -> None:
        self._wanted = wanted
        self._intend = intend
        self._said: dict[TableId, Ending] = {}

    def update(self, table: TableId, prompt: Prompt | None) -> None:
        """Say the setting where the prompt offers to, unless the match has it already."""
        aside = next((aside for aside in prompt.asides if aside.id == ENDING), None) if prompt is not None else None
        wanted = self._wanted()
        if aside is None or self._said.get(table) == wanted:
            return
        self._said[table] = wanted
        held = next((field.default for field in aside.fields if isinstance(field, PickOption)), "")
        if held != wanted:
            self._intend(Reply(ENDING, {FIELD: wanted}))
