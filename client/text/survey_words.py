"""Words of a survey: in short, what one thing could do by a choice."""

from __future__ import annotations

from collections.abc import Callable

from client.text.forecast_words import percent
from client.text.lengths import short_length
from client.text.phrases import phrase
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.wire.from_server import Surveyed


def survey_words(
    found: Surveyed, texts: Texts, unit: str, name_of: Callable[[NodeId], str], *, is_brief: bool = False
) -> str:
    """Return how far it could go, and how many it could meet, with the likeliest of them; or why it cannot. `unit`: of
    the table, in or cm; `is_brief`: no names."""
    if found.why is not None:
        return texts.say(found.why)
    words = []
    reach = max((band.cost for band in found.reach), default=0)
    if reach:
        words.append(phrase("survey.reach", length=short_length(reach, unit)))
    free = [target for target in found.targets if target.why is None]
    if free:
        best, count = max(free, key=lambda target: target.chance), len({name_of(target.id) for target in free})
        words.append(_met(count, "" if is_brief else name_of(best.id), percent(best.chance) if best.chance else ""))
    elif found.targets:
        words.append(phrase("survey.none"))
    return ", ".join(words)


def _met(count: int, name: str, chance: str) -> str:
    """Return the words for so many that can be met, with the name of the likeliest and its chance, where these are
    told."""
    if not name:
        return (
            phrase("survey.brief.chance", count=count, chance=chance) if chance else phrase("survey.brief", count=count)
        )
    if count == 1:
        return phrase("survey.one", name=name, chance=chance) if chance else name
    return (
        phrase("survey.many", count=count, name=name, chance=chance) if chance else phrase("survey.brief", count=count)
    )
