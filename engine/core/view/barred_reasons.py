"""Reasons of a choice that cannot be made: those against its objects, counted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from protocol.scene.fields import Barred
from protocol.text import Text

MOST_REASONS: Final = 3
"""Reasons that are told one by one; pointing at an object tells the others."""


def why_none(barred: Sequence[Barred]) -> Text:
    """Return why a choice cannot be made of which every object is refused: the commonest reasons, each with the number
    of the objects that it bars. Of a reason in several wordings the first is told, as an example."""
    if len(barred) < 2:
        return barred[0].why if barred else Text("survey.nothing")
    by_code: dict[str, list[Text]] = {}
    for bar in barred:
        by_code.setdefault(bar.code, []).append(bar.why)
    first, *others = sorted(by_code.values(), key=len, reverse=True)
    if not others:
        return _reason("survey.all", first, len(barred))
    told = [_reason("survey.most", first, len(barred))]
    told += [_reason("survey.more", reasons, len(barred)) for reasons in others[: MOST_REASONS - 1]]
    untold = sum(map(len, others[MOST_REASONS - 1 :]))
    if untold:
        told.append(Text("survey.others", {"share": untold}))
    return reduce(lambda before, after: Text("survey.joined", {"before": before, "after": after}), told)


def _reason(key: str, reasons: Sequence[Text], count: int) -> Text:
    """Return a reason with its share of all objects; `key`: of the entry for one wording."""
    is_same = all(why == reasons[0] for why in reasons)
    return Text(key if is_same else f"{key}.such", {"share": len(reasons), "count": count, "why": reasons[0]})
