"""Prompts made of a match, and causes made of replies to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeVar

import msgspec

from engine.core.match.causes import Answered, Aside, Intended, Undo
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.questions import Ask
from engine.core.rules.steps import Steps, finished
from engine.core.view.asides import ENDING, asides_of, is_aside, settings_by
from protocol.ids import NodeId
from protocol.scene.fields import AnyField, Barred, Option
from protocol.scene.nodes import NO_PROMPT, Prompt, Reply, UndoState, Waits
from protocol.text import Text

S = TypeVar("S")
T = TypeVar("T")

RESERVED: Final = "core:"
"""Begins the ids of choices of the core."""
UNDO: Final = f"{RESERVED}undo"
"""The reserved choice that takes the seat's last act back."""


SortedOut = tuple[tuple[Option, ...], tuple[Barred, ...]]
"""Options of a field, and what it bars."""


def sorted_out(
    things: Iterable[T],
    node: Callable[[T], NodeId],
    check: Callable[[T], object],
    option: Callable[[NodeId, T], Option],
) -> SortedOut:
    """Return the options of a field: the things that a check lets pass, and those that it bars, with the reason."""
    return finished(sorting_steps(things, node, check, option))


def sorting_steps(
    things: Iterable[T],
    node: Callable[[T], NodeId],
    check: Callable[[T], object],
    option: Callable[[NodeId, T], Option],
) -> Steps[SortedOut]:
    """Work out what `sorted_out` returns: at each step one thing."""
    options: list[Option] = []
    barred: list[Barred] = []
    for thing in things:
        id = node(thing)
        try:
            check(thing)
        except IllegalIntent as illegal:
            refused = illegal.refusal
            barred.append(Barred(id, refused.code, refused.text, refused.by))
        else:
            options.append(option(id, thing))
        yield
    return tuple(options), tuple(barred)


def prompt_source(match: Match[S], seat: Seat) -> Ask[Any] | Prompt | None:
    """Return what is put to a seat that the table waits for (`may_act`): its part of the question, or the rules'
    prompt.

    A system that gives the same object as long as nothing in it changes spares all that follows (`prompt_key`).
    """
    question = match.question
    return match.system.prompt(match.probe(seat), seat) if question is None else question.asks[seat]


def prompt_key(match: Match[S], seat: Seat, source: Ask[Any] | Prompt | None) -> tuple[object, ...]:
    """Return the objects that decide what `prompt_for` gives: while they are the same ones (`is`), so is the prompt.

    `source` is what `prompt_source` gives, None for all others: they see nothing of the state.
    """
    if source is None:
        return idle_prompt_key(match)
    state = match.state if match.system.moments else None
    return (source, match.question, state, match.record.settings, match.undo_refusal(seat))


def idle_prompt_key(match: Match[S]) -> tuple[object, ...]:
    """Return the prompt key of every seat that is neither asked nor to act."""
    undo = match.undo
    state = match.state if match.system.moments else None
    return (match.version > 0, state, match.record.settings, match.quiescent, undo.points, undo.barrier)


def prompt_for(match: Match[S], seat: Seat, source: Ask[Any] | Prompt | None) -> Prompt | None:
    """Make the prompt of this seat, without an id; None where it can neither act nor take back. `source`: as of
    `prompt_key`. How its activations end is asked where it acts, not where it watches."""
    if not match.version:
        return None
    undo, asides = _undo_state(match.undo_refusal(seat)), asides_of(match, seat)
    if isinstance(source, Prompt):
        return msgspec.structs.replace(source, undo=undo, asides=asides)
    question = match.question
    if source is not None and question is not None:
        kind, default = question.window.kind, source.default.choice
        return Prompt(NO_PROMPT, source.title, source.choices, kind, default, undo, source.rule, asides)
    asides = tuple([aside for aside in asides if aside.id != ENDING])
    return Prompt(NO_PROMPT, Text("prompt.watch"), (), undo=undo, asides=asides) if undo.can or asides else None


@cache
def _undo_state(code: str) -> UndoState:
    """Make the undo state of a code; the same object for the same code, to be compared by identity."""
    return UndoState(not code, Text(f"refuse.undo/{code}") if code else None)


def waits_for(match: Match[S], waiting: Sequence[Seat]) -> Waits:
    """Make the node that names the seats the table waits for (those of `may_act`), from public facts alone."""
    seats = tuple(int(seat) for seat in waiting)
    question = match.question
    if question is not None:
        return Waits(seats, Text(f"waits.{question.kind}"), question.window.kind)
    return Waits(seats, Text("waits.turn"))


def cause_of(
    match: Match[S], seat: Seat, id: bytes, reply: Reply, said: bytes = b""
) -> Intended | Answered | Undo | Aside:
    """Make the cause that a filled-in choice of this seat stands for. Raises IllegalIntent where its form is wrong.

    `said`: the digest of the reply for the log (32 bytes), which an answer, kept whole there, does without.
    """
    if reply.choice.startswith(RESERVED):
        if reply.choice == UNDO:
            return Undo(seat, id, said)
        if is_aside(reply.choice):
            return Aside(seat, id, settings_by(match, seat, reply), said)
    question = match.question
    if question is not None:
        if seat not in question.asks:
            raise IllegalIntent("turn/wait")
        return Answered(seat, id, question.id, reply)
    if not match.quiescent:
        raise IllegalIntent("turn/wait")
    if seat not in match.turn:
        raise IllegalIntent("turn/not-yours")
    intent = match.system.parse(match.known(seat), seat, reply)
    return Intended(seat, id, match.codec.encode_intent(intent), said)


def detail_for(
    match: Match[S], seat: Seat, choice: str, fields: Mapping[str, object], *, bare: bool = False
) -> AnyField:
    """Return the first field of `choice` that `fields` lacks, with its options. Raises IllegalIntent. `bare`: as of a
    Game."""
    question = match.question
    if question is None and match.quiescent and seat in match.turn:
        return match.system.detail(match.probe(seat, bare=bare), seat, choice, fields)
    if question is not None and seat in question.asks:
        return question.asks[seat].next_field(match.probe(seat, bare=bare), choice, fields)
    raise IllegalIntent("turn/not-yours")
