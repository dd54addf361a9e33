"""Bots: they see a scene and a prompt, no more than a person would."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from typing import Any, Protocol, TypeVar

from protocol.scene.nodes import AnyField, AnyNode, Prompt, Reply

T = TypeVar("T")


class BotView(Protocol):
    """What a bot may look at. `nodes` are the public and the seat's private scene together."""

    @property
    def seat(self) -> int:
        """The seat that the bot plays."""

    @property
    def nodes(self) -> Mapping[str, AnyNode]:
        """The scene by node id."""

    @property
    def prompt(self) -> Prompt:
        """What may be done now."""

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        """The next field of a choice given the fields before it; None where the server refuses. `bare`: who asks looks
        neither at the reasons of what is barred nor at the edge of a template, which may then be missing."""

    def is_due(self) -> bool:
        """Whether an answer is wanted now, however good: time is up, or nobody waits for it any more. Asked from the
        thread that thinks. Never so where nobody waits: there a bot's budget is counted in what it looks at."""


class Picture:
    """The part of a BotView that stands still: the scene and the prompt as they were when the bot was asked."""

    def __init__(self, seat: int, nodes: Mapping[str, AnyNode], prompt: Prompt) -> None:
        self.seat = seat
        self.nodes = nodes
        self.prompt = prompt

    def is_due(self) -> bool:
        """Nobody presses for an answer."""
        return False


class Bot(Protocol):
    """A player by program. Made with a seed; the same seed and the same views give the same decisions."""

    async def decide(self, view: BotView) -> Reply:
        """A reply to the prompt. It may turn out illegal: then the bot is asked again, with `refused` called before."""

    def refused(self, reply: Reply, code: str) -> None:
        """This reply was refused."""


def default_reply(prompt: Prompt) -> Reply:
    """The prompt's own default, its fields filled with theirs."""
    choice = next((c for c in prompt.choices if c.id == prompt.default), prompt.choices[0])
    fields: dict[str, object] = {}
    for field in choice.fields:
        default = getattr(field, "default", None)
        if not field.auto and default is not None:
            fields[field.key] = list(default) if isinstance(default, tuple) else default
    return Reply(choice.id, fields)


def run_inline(decision: Coroutine[Any, Any, T]) -> T:
    """Drive a coroutine that never really waits (all details at hand) without an event loop."""
    try:
        decision.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    decision.close()
    raise RuntimeError("a bot may await nothing but its view's detail")
