"""Mark of a table's dice as one's own program sees it: checked or not, and by whose choice they could be others.

No window.
"""

from __future__ import annotations

from functools import partial

from client.fairness.dice_round_check import Verdict
from client.fairness.table_check import TableCheck
from client.text.fairness_sentences import Name, headline, mark_line, name_at, say
from protocol.fairness.round_parts import MarkState, RoundMark, mark_of
from protocol.text import Text, text

Sign = Verdict | MarkState


class DiceMark:
    """Mark of the dice of a table, from this program's own check of it."""

    def __init__(self, table_check: TableCheck) -> None:
        self.table_check = table_check

    @property
    def round(self) -> int:
        """Round that the mark is about: the newest that was checked; 0 where none was, or not all holds."""
        check = self.table_check.check
        if check is None or check.last_checked is None or self.table_check.verdict is not Verdict.CHECKED:
            return 0
        return check.last_checked.round

    @property
    def sign(self) -> Sign:
        """Sign that stands for the table."""
        return self.of(self.round).whose if self.round else self.table_check.verdict

    @property
    def line(self) -> Text:
        """Mark in a line."""
        return mark_line(self.of(self.round), self.round, self.seat) if self.round else self.table_check.why

    @property
    def sentence(self) -> Text:
        """Mark in a sentence: whether anybody could have chosen the dice, how far, or that they are not to be
        trusted."""
        if self.round:
            mark = self.of(self.round)
            return headline(mark, self.round, self.names(mark))
        is_running = self.table_check.verdict is Verdict.RUNNING
        return self.table_check.why if is_running else text("fair.no_trust", why=self.table_check.why)

    @property
    def seat(self) -> int:
        """Seat that one's program follows the match from, -1 for a spectator."""
        return self.table_check.check.seat if self.table_check.check is not None else -1

    def of(self, round: int) -> RoundMark:
        """Return the mark of a round that has begun."""
        check, own = self.table_check.check, self.table_check.proof_client.contributor
        if check is None or own is None or round not in check.parts.rounds:
            return RoundMark(MarkState.NOT)
        return mark_of(check.parts.rounds, round, check.seat, own.is_own)

    def names(self, mark: RoundMark) -> Name:
        """Return how the people at the table know each seat in a round of this mark; one's own program is "you", and
        any other that speaks for one's seat is not."""
        own = say("fair.your_seat" if mark.whose is MarkState.NOT else "fair.you")
        return partial(name_at, self.table_check.table, own=own)

    @property
    def cannot_keep(self) -> str:
        """Reason for which this program cannot keep its part, and so gives none, in the system's words; empty where it
        can."""
        own = self.table_check.proof_client.contributor
        return own.problem if own is not None else ""

    def other_chains(self) -> list[tuple[int, bool]]:
        """Return the chains of one's own seat that are not this program's: the round that ran when each was logged,
        and whether it is the seat's present one."""
        check, own = self.table_check.check, self.table_check.proof_client.contributor
        # a program that has not said a chain yet does not know which are its own
        if check is None or own is None or not (own.has_said or own.problem):
            return []
        present = check.parts.participation.chains.get(check.seat)
        others = [(tip, round) for tip, round in check.chains if not own.is_own(tip)]
        return [(round, present is not None and present.tip == tip) for tip, round in others]
