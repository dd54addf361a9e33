"""The lines of the page about the dice of a table, and of the one about a replay's: rounds, seats, and what went wrong.

No window.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from client.fairness.dice_mark import DiceMark, Sign
from client.fairness.live_check import Fairness, RoundCheck, Verdict
from client.text.fair_words import Name, round_line, seats_line
from protocol.fairness.history import History
from protocol.fairness.marks import Mark, RoundParts, Whose, mark_of
from protocol.text import Text, text

ROUNDS: Final = 40
"""Rounds that are listed, the newest first; those that are not as they should be go before others."""


class Line(NamedTuple):
    """A line of a page. `sign`: the mark at its left; `right`: words at its right end; `is_loud`: of what is not as it
    should be; `is_quiet`: of what is always there; `is_below`: it belongs to the line above."""

    words: Text
    sign: Sign | None = None
    right: str = ""
    is_loud: bool = False
    is_quiet: bool = False
    is_below: bool = False


def table_lines(mark: DiceMark) -> list[Line]:
    """Return all that is known of the dice at this table, below the first sentence."""
    check = mark.fair_play.check
    if check is None:
        return []
    shown = listed(list(check.rounds.values()))
    earlier = sum(bool(number) for number in check.rounds) - len(shown)
    lines = [*_own_part(mark, check), *_aloud(check)]
    for one in shown:
        lines += _round(mark, check, one)
    if earlier:
        lines.append(Line(text("fair.earlier", rounds=earlier), is_quiet=True))
    lines += _voids(check.parts.rounds[0])
    lines += [Line(Text(key), is_quiet=True) for key in ("fair.page.words", "fair.page.means")]
    return [*lines, Line(mark.fair_play.host, is_quiet=True)]


def listed(rounds: list[RoundCheck]) -> list[RoundCheck]:
    """Return the rounds to show: the newest, and among them whatever is wrong or unproven."""
    played = [check for check in rounds if check.round]
    bad = [check for check in played if check.verdict in (Verdict.WRONG, Verdict.UNPROVEN)][1 - ROUNDS :]
    good = [check for check in played if check not in bad][-(ROUNDS - len(bad)) :]
    return sorted([*bad, *good], key=lambda check: -check.round)


def replay_lines(history: History, name: Name) -> list[Line]:
    """Return the rounds of a replay of dice 2 with the parts in each, the newest first."""
    rounds = history.rounds
    lines = []
    for number in range(history.round, 0, -1):
        mark = mark_of(rounds, number, -1)
        lines.append(Line(text("fair.round", round=number), mark.whose))
        lines += _parts(rounds[number], mark, name)
    return [*lines, *_voids(rounds[0]), Line(Text("fair.replay.means"), is_quiet=True)]


def _own_part(mark: DiceMark, check: Fairness) -> Iterator[Line]:
    """Whatever keeps one's own program from having a part."""
    if check.parts.bound is not None and not check.is_of_dice_1 and not check.parts.has_parts:
        yield Line(Text("fair.no_parts"), is_loud=True)
    if mark.cannot_keep:
        yield Line(text("fair.cannot_keep", why=mark.cannot_keep), is_loud=True)
    if mark.fair_play.refused is not None:
        yield Line(mark.fair_play.refused, is_loud=True)
    for round, is_present in reversed(mark.other_chains()):
        time = "now" if is_present else "then"
        yield Line(text(f"fair.other_program.{time}", round=max(round, 1)), is_loud=True)


def _aloud(check: Fairness) -> list[Line]:
    """The newest word, as a line to be read aloud."""
    ended = [one for one in check.rounds.values() if one.round and one.word]
    return [Line(text("fair.aloud", round=ended[-1].round, word=ended[-1].word))] if ended else []


def _round(mark: DiceMark, check: Fairness, one: RoundCheck) -> Iterator[Line]:
    its = mark.of(one.round)
    sign = its.whose if one.verdict is Verdict.CHECKED else one.verdict
    rolls, shown = len(one.rolls), len(one.shown)
    words = text("fair.page.round", round=one.round, rolls=rolls, shown=shown, cards=one.cards)
    yield Line(words, sign, one.word or "…")
    if one.why is not None:
        yield Line(one.why, is_loud=True, is_below=True)
    parts = check.parts.rounds.get(one.round)
    if parts is not None and not check.is_of_dice_1:
        yield from _parts(parts, its, mark.names(its))


def _parts(parts: RoundParts, mark: Mark, name: Name) -> Iterator[Line]:
    yield Line(seats_line(parts.presence, name), is_below=True)
    if mark.whose is not Whose.YOURS:
        yield Line(round_line(mark, name), is_below=True)
    yield from _voids(parts)
    for shuffled in sorted(parts.decks) if mark.whose is not Whose.YOURS else ():
        yield Line(text("fair.cards_from", round=shuffled), is_below=True)


def _voids(parts: RoundParts) -> Iterator[Line]:
    if parts.voids:
        key = "fair.given_up" if parts.round else "fair.given_up.first"
        yield Line(text(key, round=parts.round, acts=parts.voids), is_loud=True, is_below=True)
