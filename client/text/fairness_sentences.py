"""Words for the programs' parts in the dice: who had one in a round, and how far it could have been chosen.

No window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from client.text.own_words import OwnWords
from client.text.spoken import SPOKEN
from protocol.fairness.round_parts import MarkState, Presence, RoundMark
from protocol.text import Text, text
from protocol.text_format import format_text
from protocol.wire.from_server import TableView

PREFIX: Final = "fair."
WORDS: Final = OwnWords(__package__, "fairness")
ENGLISH: Final = WORDS.english

Name = Callable[[int], str]
MOST_CHOICES: Final = 16
"""More sets of dice than 2 ** 16 are not counted out."""


def headline(mark: RoundMark, round: int, name: Name) -> Text:
    """Return the first sentence about a round that was checked."""
    if mark.whose is MarkState.YOURS:
        return text("fair.nobody", round=round)
    if mark.whose is MarkState.NOT:
        how = text(f"fair.any.{_number(mark)}", names=listed(map(name, mark.seats)))
    else:
        how = _how_far(mark, name)
    return text("fair.far", round=round, how=how)


def mark_line(mark: RoundMark, round: int, seat: int) -> Text:
    """Return the line below the dice about a round that was checked. `seat`: the viewer's, -1 for a spectator."""
    if mark.whose is MarkState.NOT and not mark.seats:
        return text("fair.line.host", round=round)
    if mark.whose is MarkState.NOT and seat < 0:
        return text("fair.line.watched", round=round)
    return text(f"fair.line.{mark.whose.value}", round=round, sets=_sets(mark), behind=mark.behind)


def round_line(mark: RoundMark, name: Name) -> Text:
    """Return how far the dice of a round could have been chosen, or whose programs they rest on. `mark` is any but
    YOURS."""
    if mark.whose is MarkState.NOT:
        return text(f"fair.rests.{_number(mark)}", names=listed(map(name, mark.seats)))
    return _how_far(mark, name)


def seats_line(presence: Sequence[Presence], name: Name) -> Text:
    """Return each seat of a round with its part."""
    seats = (say(f"fair.seat.{part.value}", name=name(seat)) for seat, part in enumerate(presence))
    return text("fair.seats", seats=", ".join(seats))


def listed(names: Iterable[str]) -> str:
    """Return names as one says them: "a, b and c"."""
    *first, last = [*names] or [""]
    return say("fair.and", first=", ".join(first), last=last) if first else last


def name_at(view: TableView | None, seat: int, own: str = "") -> str:
    """Return how the people at a table know a seat: by name, one of several of the same name, or without one, by its
    number, too. `own`: the words for one's own seat."""
    if view is not None and seat == view.seat and own:
        return own
    return unmistaken({one.seat: one.name for one in view.seats} if view is not None else {}, seat)


def unmistaken(names: dict[int, str], seat: int) -> str:
    """Return the name of a seat, with its number where others have the same name or it has none."""
    name = names.get(seat, "")
    if not name:
        return say("fair.unnamed", number=seat + 1)
    is_alone = list(names.values()).count(name) == 1
    return name if is_alone else say("fair.same_name", name=name, number=seat + 1)


def say(key: str, **arguments: str | int) -> str:
    """Return the program's own words, which no server replaces."""
    return format_text(Text(key, {**arguments}), WORDS.entries, SPOKEN.plural)


def _number(mark: RoundMark) -> str:
    return ("none", "one", "more")[min(len(mark.seats), 2)]


def _how_far(mark: RoundMark, name: Name) -> Text:
    who = listed([say("fair.the_host"), *map(name, mark.chosen)])
    return text(f"fair.choice.{mark.whose.value}", who=who, sets=_sets(mark), behind=mark.behind)


def _sets(mark: RoundMark) -> Text:
    if mark.choices > MOST_CHOICES:
        return text("fair.sets.more", sets=2**MOST_CHOICES)
    return text("fair.sets", sets=2**mark.choices)
