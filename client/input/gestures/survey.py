"""Survey of one thing: what the server has found so far that it could do, by choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from protocol.ids import NodeId, PromptId
from protocol.scene.advice import Target
from protocol.scene.nodes import NO_NODE, NO_PROMPT, Choice, Prompt
from protocol.wire.from_server import Proposed, Surveyed


@dataclass
class GroupSurvey:
    """Survey of `subject` at a prompt. `number`: of the question; `found`: its answers so far, by choice; `code`: why
    there are none."""

    subject: NodeId = NO_NODE
    prompt: PromptId = NO_PROMPT
    number: int = -1
    link: int = 0
    found: dict[str, Surveyed] = field(default_factory=dict)
    is_done: bool = True
    code: str = ""

    def take(self, message: Surveyed | Proposed) -> bool:
        """Take in an answer; return False for one of another question."""
        if not isinstance(message, Surveyed) or message.id != self.number:
            return False
        if message.choice:
            self.found[message.choice] = message
        self.is_done, self.code = not message.more, message.code
        return True

    def by_rank(self, prompt: Prompt, only: str = "") -> Iterator[tuple[Choice, Surveyed]]:
        """Yield the choices that are known with what was found, the lowest rank first. `only`: this one alone."""
        known = [choice for choice in prompt.choices if choice.id in self.found and only in ("", choice.id)]
        for choice in sorted(known, key=lambda choice: choice.gesture.rank if choice.gesture is not None else 0):
            yield choice, self.found[choice.id]

    def targets(self, prompt: Prompt, only: str = "") -> dict[NodeId, tuple[Choice, Target]]:
        """Return every possible object with the choice of the lowest rank that reaches it; of those that none reaches
        the first reason."""
        reached: dict[NodeId, tuple[Choice, Target]] = {}
        barred: dict[NodeId, tuple[Choice, Target]] = {}
        for choice, found in self.by_rank(prompt, only):
            for target in found.targets if found.why is None else ():
                (reached if target.why is None else barred).setdefault(target.id, (choice, target))
        return {**{id: pair for id, pair in barred.items() if id not in reached}, **reached}
