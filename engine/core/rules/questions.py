"""Questions: stops of a procedure that ask one seat or several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast

import msgspec
from msgspec.structs import replace

from engine.core.rules.audience import Seat
from engine.core.rules.errors import RuleBug
from engine.core.rules.replies import check_reply, choice_named, completed, next_field
from protocol.ids import NodeId
from protocol.scene.advice import Gesture
from protocol.scene.fields import AnyField, Option, Pieces
from protocol.scene.nodes import Choice, Reply
from protocol.text import Text

if TYPE_CHECKING:
    from engine.core.rules.game import Probe

A = TypeVar("A")

Detail = Callable[["Probe[Any]", Reply, AnyField], AnyField]
"""The function that fills in a lazy field of a question: it gets a probe of what the seat knows, the choice with the
fields filled in so far, and the field as offered. It raises IllegalIntent where those fields cannot be."""


class Window(msgspec.Struct, frozen=True, omit_defaults=True):
    """The way in which a question closes. `choice`: with the last answer. `sealed`: after a minimum (the table's
    reaction time) and all answers, or at the deadline. `vote`: after `seconds`, neither earlier nor later. `present`:
    seats that are not connected are not waited for, so that it closes as soon as the others have answered, at once
    where there are none."""

    kind: Literal["choice", "sealed", "vote"] = "choice"
    seconds: int = 0
    present: bool = False


CHOICE = Window()
SEALED = Window("sealed")


@dataclass(frozen=True)
class Ask(Generic[A]):
    """The part of a question for one seat: choices as the client shows them, the reply that counts when none comes, and
    the function that makes a value of a reply.

    `parse` may raise IllegalIntent; it is called only with replies that fit the choices. It must accept `default`.
    `detail` gives lazy fields their options; `parse` checks what was chosen of them. An ask with a lazy field and
    without `detail` raises RuleBug as it is made.
    """

    title: Text
    choices: tuple[Choice, ...]
    default: Reply
    parse: Callable[[Reply], A]
    rule: str = ""
    detail: Detail | None = None

    def __post_init__(self) -> None:
        if self.detail is None:
            for choice in self.choices:
                for field in choice.fields:
                    if field.lazy:
                        raise RuleBug(f"nothing fills in the lazy field {field.key!r} of {choice.id!r}")

    def next_field(self, probe: Probe[Any], choice: str, fields: Mapping[str, object]) -> AnyField:
        """Return the first field of `choice` that `fields` lacks, with its options. Raises IllegalIntent."""
        field = next_field(choice_named(self.choices, choice), fields)
        return self.detail(probe, Reply(choice, dict(fields)), field) if field.lazy and self.detail else field

    def read(self, reply: Reply) -> A:
        """Return the value of `reply`. Raises IllegalIntent."""
        return self.parse(completed(check_reply(self.choices, reply), reply))


class StoredQuestion(msgspec.Struct, frozen=True, omit_defaults=True):
    """An open question as the log keeps it: the seats asked, and a salted digest of everything that was offered with
    it (what lazy fields offer is worked out when it is asked for)."""

    question: int
    kind: str
    window: Window
    seats: tuple[int, ...]
    digest: bytes
    moment: bool = False


@dataclass(frozen=True)
class Question:
    """An open question. `moment`: only seats with a stop there are asked; the others' standing orders answer. `about`:
    the nodes that a moment is about."""

    id: int
    kind: str
    window: Window
    asks: Mapping[Seat, Ask[Any]]
    moment: bool = False
    about: tuple[NodeId, ...] = ()

    def digest(self, salt: bytes) -> bytes:
        """Return 16 bytes over all that is offered, to compare a rebuilt question with the one that was asked. Gestures
        offer nothing."""
        offered = [(seat, a.title, _without_gestures(a.choices), a.default) for seat, a in sorted(self.asks.items())]
        return digest16(salt, msgspec.msgpack.encode((self.kind, self.window, offered)))


def _without_gestures(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    return tuple([choice if choice.gesture is None else replace(choice, gesture=None) for choice in choices])


def digest16(salt: bytes, data: bytes) -> bytes:
    """Return 16 bytes of BLAKE2b over `data`, keyed with `salt`."""
    return blake2b(data, digest_size=16, key=salt).digest()


def pick_one(title: Text, options: Sequence[Option], default: str, rule: str = "") -> Ask[str]:
    """Ask for one of `options`; each is a choice of its own. The value is the option's id."""
    choices = tuple(
        Choice(o.id, o.name or Text(o.id), hint=o.hint, about=(NodeId(o.id),), gesture=Gesture()) for o in options
    )
    return Ask(title, choices, Reply(default), lambda reply: reply.choice, rule)


def pick_some(
    title: Text, options: Sequence[Option], least: int, most: int, default: Sequence[str], rule: str = ""
) -> Ask[tuple[str, ...]]:
    """Ask for `least` to `most` of `options`, node ids. The value is the ids in the order picked."""
    field = Pieces("picked", title, options=tuple(options), least=least, most=most, default=tuple(default))
    on: Literal["piece", "group"] = "group" if all(o.id.startswith("group/") for o in options) else "piece"
    choice = Choice("pick", title, (field,), gesture=Gesture(object="picked", on=on))
    reply = Reply("pick", {"picked": list(default)})
    return Ask(title, (choice,), reply, lambda r: tuple(cast("list[str]", r.fields["picked"])), rule)


def confirm(title: Text, yes: Text, no: Text, *, default: bool, rule: str = "") -> Ask[bool]:
    """Ask yes or no."""
    choices = (Choice("yes", yes, key="y"), Choice("no", no, key="n"))
    return Ask(title, choices, Reply("yes" if default else "no"), lambda reply: reply.choice == "yes", rule)
