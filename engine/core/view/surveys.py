"""Surveys: the possibilities of a thing by each choice with a gesture for it, from the choice's own fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from engine.core.rules.advice import ChoiceSurvey, Forecasts
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.steps import Steps, finished
from engine.core.view.barred_reasons import why_none
from engine.core.view.proposals import preferred_fields, values_of
from engine.core.view.situations import Situation
from protocol.ids import NodeId
from protocol.scene import fields as scene
from protocol.scene.advice import Forecast, Gesture, Target
from protocol.scene.fields import AnyField, Band, Barred
from protocol.scene.nodes import Choice

MOST_OPTIONS: Final = 8
"""Options of a field before the object that a survey looks at."""


def surveyed_choices(situation: Situation[Any], subject: NodeId) -> tuple[Choice, ...]:
    """Return the choices with a gesture for this thing, the lowest rank first."""
    found = [choice for choice in situation.choices() if choice.gesture and _is_about(choice, subject)]
    return tuple(sorted(found, key=lambda choice: choice.gesture.rank if choice.gesture else 0))


def _is_about(choice: Choice, subject: NodeId) -> bool:
    """Tell whether a thing is the subject of a choice, be it barred."""
    gesture = choice.gesture or Gesture()
    field = next((field for field in choice.fields if field.key == gesture.subject), None)
    if field is None:
        return subject in choice.about
    offered = (*getattr(field, "options", ()), *getattr(field, "barred", ()))
    return any(option.id == subject for option in offered)


def survey_of(situation: Situation[Any], choice: Choice, subject: NodeId) -> ChoiceSurvey:
    """Return the possibilities of a thing by a choice."""
    return finished(survey_steps(situation, choice, subject))


def survey_steps(situation: Situation[Any], choice: Choice, subject: NodeId) -> Steps[ChoiceSurvey]:
    """Work out the possibilities of a thing by a choice: at each step one field, a part of one, or one object with its
    forecast."""
    try:
        return (yield from _survey(situation, choice, subject, {}, {}))
    except IllegalIntent as refused:
        return ChoiceSurvey(refused.refusal.text)


def _survey(
    situation: Situation[Any],
    choice: Choice,
    subject: NodeId,
    filled: Mapping[str, object],
    preferred: Mapping[str, object],
) -> Steps[ChoiceSurvey]:
    """Work out the possibilities with the first fields filled in. `preferred`: what the system fills in."""
    gesture, fields = choice.gesture or Gesture(), dict(filled)
    for field in choice.fields[len(filled) :]:
        known: AnyField = field
        if field.lazy:
            known = yield from situation.detail_steps(choice.id, fields)
            yield
        if field.key == gesture.subject:
            why = next((bar.why for bar in getattr(known, "barred", ()) if bar.id == subject), None)
            if why is not None:
                return ChoiceSurvey(why)
            fields[field.key] = [subject] if isinstance(known, scene.Pieces) else str(subject)
            preferred = preferred_fields(situation, choice, fields)
        elif field.key == gesture.object:
            return (yield from _of_object(situation, choice, fields, known))
        else:
            value = preferred.get(field.key, next(values_of(known), None))
            if value is None:
                raise IllegalIntent("reply/missing-field", field=field.key)
            if isinstance(known, scene.PickOption) and not known.auto and len(known.options) > 1:
                found = []
                for one in islice(values_of(known), MOST_OPTIONS):
                    onward = {**fields, field.key: one}
                    found.append((yield from _survey(situation, choice, subject, onward, preferred)))
                return _together(found)
            fields[field.key] = value
        if field.key == gesture.subject and not gesture.object:
            break
    return ChoiceSurvey()


def _together(found: Sequence[ChoiceSurvey]) -> ChoiceSurvey:
    """Return what can be done by any of several options: each object as the first has it that can meet it."""
    targets: dict[NodeId, Target] = {}
    for target in (target for one in found for target in one.targets):
        if target.id not in targets or (targets[target.id].why is not None and target.why is None):
            targets[target.id] = target
    why = found[0].why if all(one.why is not None for one in found) else None
    reach = tuple(band for one in found if one.why is None for band in one.reach)
    return ChoiceSurvey(why, reach, tuple(targets.values()))


def _of_object(
    situation: Situation[Any], choice: Choice, fields: Mapping[str, object], known: AnyField
) -> Steps[ChoiceSurvey]:
    """Work out the reach or the targets of the field that a second click fills."""
    match known:
        case scene.Pieces() | scene.PickOption():
            targets = []
            for target in _targets(situation, choice, fields, known):
                targets.append(target)
                yield
            targets += map(_barred, known.barred)
            return ChoiceSurvey(None if known.options else why_none(known.barred), targets=tuple(targets))
        case scene.PickPoint() | scene.Template():
            bands = (Band(choice.name, known.reach, known.regions),) if known.regions or known.reach else ()
            return ChoiceSurvey(reach=bands)
        case scene.PickCell():
            return ChoiceSurvey(reach=(Band(choice.name, cells=known.options),))
        case scene.PathPoint():
            return ChoiceSurvey(reach=(Band(choice.name, regions=(known.path,)),))
        case scene.Way():
            return ChoiceSurvey(reach=known.bands)
    return ChoiceSurvey()


def _targets(
    situation: Situation[Any], choice: Choice, fields: Mapping[str, object], known: scene.Pieces | scene.PickOption
) -> Iterator[Target]:
    system = situation.system
    for option in known.options:
        value: object = [option.id] if isinstance(known, scene.Pieces) else option.id
        forecast = None
        if isinstance(system, Forecasts):
            forecast = system.forecast(situation.probe(), situation.seat, choice, {**fields, known.key: value})
        yield target_of(NodeId(option.id), forecast)


def target_of(id: NodeId, forecast: Forecast | None) -> Target:
    """Return a possible object with what a forecast says of it."""
    if forecast is None:
        return Target(id)
    return Target(
        id,
        chance=forecast.chance,
        loss=forecast.mean,
        cover=forecast.cover,
        back=tuple(each.group for each in forecast.back),
    )


def _barred(bar: Barred) -> Target:
    return Target(NodeId(bar.id), bar.why, by=bar.by)


def targets_from(situation: Situation[Any], subject: NodeId) -> tuple[Target, ...]:
    """Return the groups that a thing could act on in a situation, by the choice of the lowest rank that reaches each;
    those that it cannot reach at all are left out."""
    return finished(target_steps(situation, subject))


def target_steps(situation: Situation[Any], subject: NodeId) -> Steps[tuple[Target, ...]]:
    """Work out the targets of `targets_from`: at each step some of the choices, or a step of the survey of one."""
    found: dict[NodeId, Target] = {}
    yield from situation.choices_steps()
    choices = surveyed_choices(situation, subject)
    yield
    for choice in choices:
        if choice.gesture is not None and choice.gesture.on == "group":
            survey = yield from survey_steps(situation, choice, subject)
            for target in survey.targets:
                if target.why is None:
                    found.setdefault(target.id, target)
    return tuple(found.values())
