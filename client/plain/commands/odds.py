"""Odds of one group against others, as the table tells them before anything is done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from client.input.gestures.aims import with_subject
from client.plain.talk.advice import target_words
from client.plain.told.shown_table import ShownTable
from client.text.forecast_words import forecast_lines
from client.text.phrases import phrase
from protocol.ids import NodeId
from protocol.scene.advice import Target
from protocol.scene.fields import Pieces
from protocol.scene.nodes import Choice, Prompt

if TYPE_CHECKING:
    from client.plain.program import PlainProgram

SECONDS = 4.0
"""Seconds for which an answer of the table is waited for."""


def odds_lines(program: PlainProgram, prompt: Prompt, subject: NodeId, targets: Sequence[NodeId]) -> Iterator[str]:
    """Yield what a group could do to others by each choice; to one that is named with the whole forecast. Waits for the
    answers of the table."""
    advice, shown = program.talk.command_advice, program.shown()
    advice.look_at(subject, prompt)
    program.wait(lambda: advice.survey.is_done, SECONDS)
    found = 0
    for choice, surveyed in list(advice.survey.by_rank(prompt)):
        for target in surveyed.targets:
            if (targets and target.id not in targets) or (not targets and target.why is not None):
                continue
            found += 1
            yield _line(choice, target, shown)
            if targets and target.why is None:
                yield from _forecast(program, choice, subject, target, shown)
        if surveyed.why is not None and not surveyed.targets and targets:
            name = shown.texts.say(choice.name)
            yield phrase("plain.cannot", name=name, why=shown.texts.say(surveyed.why))
            found += 1
    if not found:
        yield phrase("plain.odds.none", name=shown.name(subject))


def _line(choice: Choice, target: Target, shown: ShownTable) -> str:
    name = phrase("plain.odds.of", choice=shown.texts.say(choice.name), target=shown.name(target.id))
    if target.why is not None:
        by = phrase("plain.refused.by", name=shown.name(target.by)) if target.by else ""
        why = " ".join(filter(None, (shown.texts.say(target.why), by)))
        return phrase("plain.cannot", name=name, why=why)
    words = target_words(target, shown)
    return f"{name}: {words}" if words else name


def _forecast(
    program: PlainProgram, choice: Choice, subject: NodeId, target: Target, shown: ShownTable
) -> Iterator[str]:
    """Yield the lines of the forecast of a choice on an object: dice, modifiers, and what could come back."""
    key = choice.gesture.object if choice.gesture is not None else ""
    field = next((field for field in choice.fields if field.key == key), None)
    if field is None:
        return
    value: object = [target.id] if isinstance(field, Pieces) else target.id
    fields = {**with_subject(choice, subject), key: value}
    advice = program.talk.command_advice
    advice.propose(choice.id, fields)
    program.wait(lambda: advice.answer_to(choice.id, fields) is not None, SECONDS)
    proposal = advice.answer_to(choice.id, fields)
    if proposal is not None and proposal.forecast is not None:
        yield from list(forecast_lines(proposal.forecast, shown.texts, shown.name))[1:]
