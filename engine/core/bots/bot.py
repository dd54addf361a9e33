"""Bots: programs that play a seat from its scene and prompt, with no more knowledge than a person has."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Protocol, TypeVar

from protocol.ids import NodeId
from protocol.scene.fields import AnyField
from protocol.scene.nodes import AnyNode, Prompt, Reply

T = TypeVar("T")


class BotView(Protocol):
    """The part of a match that a bot may look at. `nodes` are the public and the seat's private scene together."""

    @property
    def seat(self) -> int:
        """The seat that the bot plays."""

    @property
    def nodes(self) -> Mapping[NodeId, AnyNode]:
        """The scene by node id."""

    @property
    def prompt(self) -> Prompt:
        """The prompt of the seat."""

    @property
    def known(self) -> Any:
        """The state as the seat knows it (`System.known`); None over the wire."""

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        """Return the next field of a choice given the fields before it; None where the server refuses. `bare`: the
        caller needs neither the reasons of barred options nor the edge of a template, which may then be missing."""

    def is_due(self) -> bool:
        """Tell whether an answer is wanted now, however good: time is up, or the table waits for it no longer. Called
        from the thread that thinks. False without a deadline: there a bot's budget is counted in the things that it
        looks at."""


class Picture:
    """The fixed part of a BotView: the scene and the prompt as they were when the bot was asked."""

    known: Any = None

    def __init__(self, seat: int, nodes: Mapping[NodeId, AnyNode], prompt: Prompt) -> None:
        self.seat = seat
        self.nodes = nodes
        self.prompt = prompt

    def is_due(self) -> bool:
        """Return False: there is no deadline."""
        return False


class Bot(Protocol):
    """A player by program, made with a seed; the same seed and the same views give the same decisions.

    A kind that looks at `known` has an attribute `needs_known`, which is true: it plays in the server's seats only.
    """

    async def decide(self, view: BotView) -> Reply:
        """Choose a reply to the prompt. It may turn out illegal: then `refused` is called and the bot is asked
        again."""

    def refused(self, reply: Reply, code: str) -> None:
        """Note that this reply was refused."""


def needs_known(kind: Callable[[int], Bot]) -> bool:
    """Tell whether a kind of bot looks at what a seat knows, beside its scene and prompt."""
    return bool(getattr(kind, "needs_known", False))


def default_reply(prompt: Prompt) -> Reply:
    """Return the reply of a prompt's default choice, its fields filled with their defaults."""
    choice = next((c for c in prompt.choices if c.id == prompt.default), prompt.choices[0])
    defaults = {field.key: default_of(field) for field in choice.fields if not field.auto}
    return Reply(choice.id, {key: value for key, value in defaults.items() if value is not None})


def default_of(field: AnyField | None) -> object | None:
    """Return the default of a field in wire form, None where it has none."""
    default = getattr(field, "default", None)
    return list(default) if isinstance(default, tuple) else default


def run_inline(decision: Coroutine[Any, Any, T]) -> T:
    """Drive a coroutine that never really waits (all details at hand) without an event loop."""
    try:
        decision.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    decision.close()
    raise RuntimeError("a bot may await nothing but its view's detail")
