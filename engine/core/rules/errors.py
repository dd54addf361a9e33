"""The exceptions of the engine, and the refusal that one of them carries.

EschatonError
|-- RefusedError (asked for something that may not be; nothing changed)
|   |-- IllegalIntent     a player's intent, answer or request that the rules or the moment forbid
|   |-- SetupRefused      a scenario with factions or lists that cannot be played
|   |-- ListRefused       an army list that may not be played
|   `-- ContentRefused    files of content that cannot be used
|-- FaultError (a program of ours erred)
|   |-- RuleBug           a rule that failed in a step; the step is dropped
|   |-- RuleDiverged      a procedure that did not repeat its log; the match is parked
|   `-- RuleDisabled      code whose rule is switched off for a proof; never in play
|-- DamageError (bytes that cannot be read or trusted)
|   `-- LogDamaged        a stored step, intent or snapshot
|-- EffectReached         not an error: the end of a check that found nothing to refuse
`-- UnsoundValue          not an error: the end of a check of content that could not be read
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from protocol.errors import DamageError, EschatonError, FaultError, RefusedError
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Point
from protocol.text import Text

T = TypeVar("T")
R = TypeVar("R")


class Refusal(NamedTuple):
    """The reason why an intent cannot be done: a stable code, and a text that tells the player what to do. `by`: the
    node that is in the way, NO_NODE for none; `at`: the node or the point at fault, where the rules know it."""

    code: str
    text: Text
    by: NodeId = NO_NODE
    at: NodeId | Point | None = None


def refusal(code: str) -> Refusal:
    """Make a refusal whose text is the catalogue entry named `refuse.` and the code."""
    return Refusal(code, Text(f"refuse.{code}"))


class IllegalIntent(RefusedError):
    """A request of a player that the rules or the moment forbid: `refusal` says why. Nothing has changed."""

    def __init__(self, code: str, text: Text | None = None, **arguments: str | int | Text) -> None:
        """Make the refusal of this code; `text` defaults to that of `refusal`, with these arguments."""
        super().__init__(code)
        self.refusal = Refusal(code, Text(f"refuse.{code}", arguments) if text is None else text)

    @classmethod
    def repeated(cls, refusal: Refusal) -> IllegalIntent:
        """Make a refusal once more. To keep an exception in a name for later and raise it would tie its traceback to
        the frame of that name: all that it knows, a whole match, would wait for a collection."""
        return cls(refusal.code, refusal.text).showing(refusal.by, refusal.at)

    def showing(self, by: NodeId = NO_NODE, at: NodeId | Point | None = None) -> IllegalIntent:
        """Return the same refusal with what is in the way, and the node or the point at fault."""
        self.refusal = self.refusal._replace(by=by, at=at)
        return self


def forbid(condition: object, code: str, at: NodeId | Point | None = None) -> None:
    """Refuse an intent where a condition holds. Raises IllegalIntent with this code, and the place at fault."""
    if condition:
        raise IllegalIntent(code).showing(at=at)


def is_legal(check: Callable[[], object]) -> bool:
    """Tell whether a check raises no IllegalIntent; other exceptions pass through."""
    try:
        check()
    except IllegalIntent:
        return False
    return True


def passing(things: Iterable[T], check: Callable[[T], object]) -> list[T]:
    """Return the things for which a check raises no IllegalIntent."""
    return [thing for thing in things if is_legal(partial(check, thing))]


def first_passing(things: Iterable[T], check: Callable[[T], R], code: str) -> R:
    """Return what a check gives for the first thing that it does not refuse. Raises its first IllegalIntent, or one of
    this code where there is no thing at all."""
    first: Refusal | None = None
    for thing in things:
        try:
            return check(thing)
        except IllegalIntent as illegal:
            first = first or illegal.refusal
    raise IllegalIntent(code) if first is None else IllegalIntent.repeated(first)


class SetupRefused(RefusedError):
    """A set-up that cannot be played: `text` says why and what to change."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.k)
        self.text = text


class ListRefused(RefusedError):
    """An army list that may not be played: `faults` names everything that is wrong with it, and what has changed since
    it was made, where that is the reason."""

    def __init__(self, faults: Sequence[Text]) -> None:
        super().__init__(", ".join(fault.k for fault in faults))
        self.faults = tuple(faults)


class ContentRefused(RefusedError):
    """Content that cannot be used. `problems`: one line each, naming file, line, key and reason."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class RuleBug(FaultError):
    """A rule that raised, refused after its first effect, ran without end or yielded nonsense. The step was dropped."""


class RuleDiverged(FaultError):
    """A waiting procedure that did not repeat its log when run again. The match must be parked, never guessed on."""


class RuleDisabled(FaultError):
    """A call of code whose rule is switched off for a proof (implements.py); never raised in play."""


class LogDamaged(DamageError):
    """A stored step, intent or snapshot that cannot be read or does not follow the step before it."""


class EffectReached(EschatonError):
    """The end of a probe (game.py) that got past all checks: the intent is legal."""


class UnsoundValue(EschatonError, ValueError):
    """The end of a check that looked at a value of a `file` that could not be read ("": that nothing defines). As a
    ValueError it makes a value that is converted from an unsound one unsound, too."""

    def __init__(self, file: str) -> None:
        super().__init__(f"a value of {file or 'some file'} could not be read")
        self.file = file
