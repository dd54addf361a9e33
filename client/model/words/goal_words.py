"""Words of a victory condition. Needs no window."""

from __future__ import annotations

from client.model.table.view_model import ViewModel
from client.text.phrases import named, phrase
from protocol.scene.nodes import Objective


def goal_words(model: ViewModel, objective: Objective) -> str:
    """Return a condition's name and state."""
    progress = f" {objective.progress}/{objective.goal}" if objective.goal else ""
    name = model.texts.say(objective.name)
    secret = phrase("goals.secret") if objective.secret and "secret" not in name.lower() else ""
    return f"{name}{secret}: {named('goals.state', objective.state)}{progress}"
