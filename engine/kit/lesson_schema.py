"""Lessons in TOML: a table [lesson] with the seats of its match and its steps, checked like all content."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Annotated, Final

from pydantic import Field

from engine.core.content.content_files import ContentFault, used_twice
from engine.core.content.content_schema import Entry, Id, Key, Place
from engine.core.content.toml_source import Loc
from engine.core.content.unsound import part, sound
from engine.core.rules.lessons import LessonPlan, LessonSeat
from engine.kit.scenario.references import ids_of, not_among
from engine.kit.values import Written, value
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Reply
from protocol.text import Text
from protocol.wire.lessons import PARTS, Lesson, LessonEnd, LessonStep

MOST_STEPS: Final = 60
Word = Annotated[str, Field(max_length=64)]
Value = int | str | bool | list[int] | list[str]


class EndEntry(Written, frozen=True):
    """End of a step: one of these, or nothing."""

    choice: Word = ""
    cue: Word = ""
    prompt: Word = ""


class StepEntry(Entry):
    """Step, as LessonStep documents it; `at` in the system's unit. Words are keys of the catalogue, or the words
    themselves."""

    id: Id
    text: Key
    picked: Annotated[str, Field(max_length=80)] = ""
    offer: Word = ""
    unless: Word = ""
    again: bool = False
    part: Word = ""
    choice: Word = ""
    subject: Word = ""
    object: Word = ""
    inside: bool = False
    held: Word = ""
    unheld: Word = ""
    at: Place | None = None
    ends: EndEntry = EndEntry()


class ActEntry(Entry):
    """Act that a bot tries: a choice and its fields as they stand on the wire, places in hundredths of the system's
    unit."""

    choice: Word
    fields: Annotated[dict[Id, Value], Field(max_length=8)] = {}


class SeatEntry(Entry):
    """Seat of the match. `army`: the code of an army list; `bot`: its kind, left out for the learner; `act`: what the
    bot tries first."""

    faction: Id
    army: Annotated[str, Field(max_length=400)] = ""
    bot: Annotated[str, Field(max_length=20)] = ""
    act: Annotated[list[ActEntry], Field(max_length=20)] = []


class LessonEntry(Entry):
    """Lesson: the scenario that is played in about so many minutes, with these `options` of the rules, who plays it,
    and the steps in order."""

    id: Id
    name: Key
    about: Key
    scenario: Word
    minutes: Annotated[int, Field(ge=1, le=120)] = 10
    options: Annotated[dict[Id, bool | int | str], Field(max_length=20)] = {}
    seat: Annotated[list[SeatEntry], Field(min_length=1, max_length=6)]
    step: Annotated[list[StepEntry], Field(min_length=1, max_length=MOST_STEPS)]


def lesson_faults(
    entry: LessonEntry, scenarios: Set[str], factions: Set[str], *, blind: bool = False
) -> Iterator[ContentFault]:
    """Yield what the schema cannot see: unknown scenarios, factions and parts of the window, a lesson without a
    learner, steps of one id or with two ends. `blind`: a file could not be read, and might define anything."""
    yield from sound(
        () if blind else _names(entry, scenarios, factions),
        _learner(entry),
        used_twice(("lesson", "step"), ids_of(entry.step)),
        *[fault for place, step in enumerate(entry.step) for fault in _step_faults(("lesson", "step", place), step)],
    )


def _names(entry: LessonEntry, scenarios: Set[str], factions: Set[str]) -> Iterator[ContentFault]:
    yield from sound(_scenario(entry, scenarios))
    for number, seat in enumerate(entry.seat):
        yield from sound(not_among(("lesson", "seat", number, "faction"), part(seat, "faction"), factions))


def _scenario(entry: LessonEntry, scenarios: Set[str]) -> Iterator[ContentFault]:
    yield from not_among(("lesson", "scenario"), entry.scenario.partition(":")[0], scenarios)


def _learner(entry: LessonEntry) -> Iterator[ContentFault]:
    if [bool(seat.bot) for seat in entry.seat] != [False, *[True] * (len(entry.seat) - 1)]:
        yield ContentFault(("lesson", "seat"), "the first seat is the learner's, all others have a bot")


def _step_faults(here: Loc, step: StepEntry) -> Iterator[Iterator[ContentFault]]:
    """Yield the checks of a step."""
    yield _part(here, step)
    yield _ends(here, step)
    yield _pointed_at(here, step)


def _part(here: Loc, step: StepEntry) -> Iterator[ContentFault]:
    if step.part:
        yield from not_among((*here, "part"), step.part, PARTS)


def _ends(here: Loc, step: StepEntry) -> Iterator[ContentFault]:
    if sum(map(bool, (step.ends.choice, step.ends.cue, step.ends.prompt))) > 1:
        yield ContentFault((*here, "ends"), "a step ends with a choice, a cue or a prompt")


def _pointed_at(here: Loc, step: StepEntry) -> Iterator[ContentFault]:
    if (step.subject or step.object or step.at) and not step.choice:
        yield ContentFault((*here, "choice"), "what is pointed at belongs to a choice")


def plan_of(entry: LessonEntry) -> LessonPlan:
    """Return a checked lesson."""
    steps = tuple(map(_step, entry.step))
    lesson = Lesson(entry.id, Text(entry.name), Text(entry.about), entry.scenario, entry.minutes, steps)
    return LessonPlan(lesson, tuple(map(_seat, entry.seat)), dict(entry.options))


def _step(step: StepEntry) -> LessonStep:
    return value(
        LessonStep,
        step,
        text=Text(step.text),
        picked=Text(step.picked) if step.picked else None,
        subject=NodeId(step.subject) if step.subject else NO_NODE,
        object=NodeId(step.object) if step.object else NO_NODE,
        held=NodeId(step.held) if step.held else NO_NODE,
        unheld=NodeId(step.unheld) if step.unheld else NO_NODE,
        ends=value(LessonEnd, step.ends),
    )


def _seat(seat: SeatEntry) -> LessonSeat:
    acts = tuple([Reply(act.choice, dict(act.fields)) for act in seat.act])
    return LessonSeat(seat.faction, seat.army, seat.bot, acts)
