"""Lines of the page about a table's dice, and of the one about a replay's: rounds, seats, and what went wrong.

No window.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from client.fairness.dice_mark import DiceMark, Sign
from client.fairness.dice_round_check import DiceRoundCheck, LiveDiceCheck, Verdict
from client.text.fairness_sentences import Name, round_line, seats_line
from protocol.fairness.round_history import RoundHistory
from protocol.fairness.round_parts import MarkState, RoundMark, RoundParts, mark_of
from protocol.text import Text, text

ROUNDS: Final = 40
"""Rounds that are listed, the newest first; those that are not as they should be go before others."""


class PageLine(NamedTuple):
    """Line of a page. `sign`: the mark at its left; `right`: words at its right end; `is_loud`: of what is not as it
    should be; `is_quiet`: of what is always there; `is_below`: it belongs to the line above."""

    words: Text
    sign: Sign | None = None
    right: str = ""
    is_loud: bool = False
    is_quiet: bool = False
    is_below: bool = False


def table_lines(mark: DiceMark) -> list[PageLine]:
    """Return all that is known of the dice at this table, below the first sentence."""
    check = mark.table_check.check
    if check is None:
        return []
    shown = listed(list(check.rounds.values()))
    earlier = sum(bool(number) for number in check.rounds) - len(shown)
    lines = [*_own_part(mark, check), *_aloud(check)]
    for one in shown:
        lines += _round(mark, check, one)
    if earlier:
        lines.append(PageLine(text("fair.earlier", rounds=earlier), is_quiet=True))
    lines += _voids(check.parts.rounds[0])
    lines += [PageLine(Text(key), is_quiet=True) for key in ("fair.page.words", "fair.page.means")]
    return [*lines, PageLine(mark.table_check.host, is_quiet=True)]


def listed(rounds: list[DiceRoundCheck]) -> list[DiceRoundCheck]:
    """Return the rounds to show: the newest, and among them whatever is wrong or unproven."""
    played = [check for check in rounds if check.round]
    bad = [check for check in played if check.verdict in (Verdict.WRONG, Verdict.UNPROVEN)][1 - ROUNDS :]
    good = [check for check in played if check not in bad][-(ROUNDS - len(bad)) :]
    return sorted([*bad, *good], key=lambda check: -check.round)


def replay_lines(history: RoundHistory, name: Name) -> list[PageLine]:
    """Return the rounds of a replay of dice 2 with the parts in each, the newest first."""
    rounds = history.rounds
    lines = []
    for number in range(history.round, 0, -1):
        mark = mark_of(rounds, number, -1)
        lines.append(PageLine(text("fair.round", round=number), mark.whose))
        lines += _parts(rounds[number], mark, name)
    return [*lines, *_voids(rounds[0]), PageLine(Text("fair.replay.means"), is_quiet=True)]


def _own_part(mark: DiceMark, check: LiveDiceCheck) -> Iterator[PageLine]:
    """Yield the reasons for which one's own program has no part."""
    if check.parts.bound is not None and not check.is_of_dice_1 and not check.parts.has_parts:
        yield PageLine(Text("fair.no_parts"), is_loud=True)
    if mark.cannot_keep:
        yield PageLine(text("fair.cannot_keep", why=mark.cannot_keep), is_loud=True)
    if mark.table_check.refused is not None:
        yield PageLine(mark.table_check.refused, is_loud=True)
    for round, is_present in reversed(mark.other_chains()):
        time = "now" if is_present else "then"
        yield PageLine(text(f"fair.other_program.{time}", round=max(round, 1)), is_loud=True)


def _aloud(check: LiveDiceCheck) -> list[PageLine]:
    """Return the newest word, as a line to be read aloud; none before the first."""
    ended = [one for one in check.rounds.values() if one.round and one.word]
    return [PageLine(text("fair.aloud", round=ended[-1].round, word=ended[-1].word))] if ended else []


def _round(mark: DiceMark, check: LiveDiceCheck, one: DiceRoundCheck) -> Iterator[PageLine]:
    its = mark.of(one.round)
    sign = its.whose if one.verdict is Verdict.CHECKED else one.verdict
    rolls, shown = len(one.rolls), len(one.shown)
    words = text("fair.page.round", round=one.round, rolls=rolls, shown=shown, cards=one.cards)
    yield PageLine(words, sign, one.word or "…")
    if one.why is not None:
        yield PageLine(one.why, is_loud=True, is_below=True)
    parts = check.parts.rounds.get(one.round)
    if parts is not None and not check.is_of_dice_1:
        yield from _parts(parts, its, mark.names(its))


def _parts(parts: RoundParts, mark: RoundMark, name: Name) -> Iterator[PageLine]:
    yield PageLine(seats_line(parts.presence, name), is_below=True)
    if mark.whose is not MarkState.YOURS:
        yield PageLine(round_line(mark, name), is_below=True)
    yield from _strict(parts)
    yield from _voids(parts)
    for shuffled in sorted(parts.decks) if mark.whose is not MarkState.YOURS else ():
        yield PageLine(text("fair.cards_from", round=shuffled), is_below=True)


def _strict(parts: RoundParts) -> Iterator[PageLine]:
    """Yield how many acts were put off until others had added to their dice, and for how many nobody did."""
    if parts.deferrals:
        yield PageLine(text("fair.strict", acts=len(parts.deferrals)), is_below=True)
    if parts.not_strict:
        yield PageLine(text("fair.not_strict", acts=parts.not_strict), is_loud=True, is_below=True)


def _voids(parts: RoundParts) -> Iterator[PageLine]:
    if parts.voids:
        key = "fair.given_up" if parts.round else "fair.given_up.first"
        yield PageLine(text(key, round=parts.round, acts=parts.voids), is_loud=True, is_below=True)
