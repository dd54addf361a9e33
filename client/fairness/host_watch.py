"""Watch over a host: what is seen and told at a server goes into the record of its host. Needs no window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client.fairness.dice_round_check import Verdict
from client.fairness.finished_match_check import FinishedMatchCheck
from client.fairness.host_book import HostBook
from client.fairness.host_record import ABANDONED, BOTS, ENDED, MOST_LETTERS, HostRecord
from client.fairness.table_check import TableCheck
from protocol.ids import MatchId, match_of
from protocol.proof.signed_texts import KEY_BYTES
from protocol.wire.from_server import Delta, FromServer, Proof, TableView, Welcome

VOIDED: Final = "log.voided"
NO_RESULT: Final = "result.ended"
MOST_NOTES: Final = 1_000
"""Notes of one connection: a hostile host must not keep the disk busy."""


class HostWatch:
    """Watch of one connection. All matches that are seen count, those one only watches too."""

    def __init__(self, book: HostBook, table_check: TableCheck) -> None:
        self._book = book
        self._table_check = table_check
        self._noted: set[tuple[str, ...]] = set()

    @property
    def record(self) -> HostRecord:
        """Record of the host that one is connected to."""
        return self._book.of(self._table_check.key)

    def hear(self, message: FromServer) -> None:
        """Take what the conversation and the live check have taken."""
        match message:
            case Welcome() if message.key == self._table_check.key:
                self._note(f"claim {message.claim}", lambda record: record.note_claim(message.claim))
            case TableView(state="live"):
                id = _bounded(match_of(message.id))
                self._note("begin", lambda record: record.begin(id), id)
            case TableView(state="finished"):
                id = _bounded(match_of(message.id))
                self._note("end", lambda record: record.end(id, _end_of(message)), id)
            case Delta() if any(cue.text.k == VOIDED for cue in message.cues):
                self._at_match("void", lambda record, id: record.give_up(id))
            case Proof():
                self._note_proof()
            case _:
                pass

    def note_check(self, after: FinishedMatchCheck) -> None:
        """Note the verdict of the check after a match, or of the live check, whichever is worse."""
        id = _bounded(after.match)
        found = {after.verdict, self._live_verdict(after.match)}
        verdict = next((bad for bad in (Verdict.WRONG, Verdict.UNPROVEN) if bad in found), Verdict.CHECKED)
        self._note(f"judge {verdict.value}", lambda record: record.note_verdict(id, verdict), id)
        if after.has_given_up:
            self._note("void", lambda record: record.give_up(id), id)

    def _note_proof(self) -> None:
        """Note a proof against the host that the live check has found; it stands, whatever follows."""
        check = self._table_check.check
        if check is not None and check.verdict is Verdict.WRONG:
            self._at_match("wrong", lambda record, id: record.note_verdict(id, Verdict.WRONG))

    def _live_verdict(self, match: MatchId) -> Verdict:
        """Take what the live check says of a match; another key than the server had before is no fault of it."""
        table_check = self._table_check
        if table_check.check is None or table_check.check.match != match:
            return Verdict.RUNNING
        return table_check.check.verdict if table_check.is_stranger else table_check.verdict

    def _at_match(self, what: str, change: Callable[[HostRecord, MatchId], bool]) -> None:
        check = self._table_check.check
        if check is not None:
            id = _bounded(check.match)
            self._note(what, lambda record: change(record, id), id)

    def _note(self, what: str, change: Callable[[HostRecord], bool], id: str = "") -> None:
        """Change the record, once for each thing and match."""
        key = self._table_check.key
        if len(key) == KEY_BYTES and (what, id) not in self._noted and len(self._noted) < MOST_NOTES:
            self._noted.add((what, id))
            self._book.note(key, change)


def _bounded(id: MatchId) -> MatchId:
    return MatchId(id[:MOST_LETTERS])


def _end_of(view: TableView) -> str:
    """Return the end of a finished match: ENDED, ABANDONED or BOTS."""
    if not any(seat.who for seat in view.seats):
        return BOTS
    return ENDED if view.result is not None and view.result.k != NO_RESULT else ABANDONED
