"""After a match: its replay is fetched and checked by itself, together with the receipts that were kept. No window."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from client import compare, verify
from client.fairness import Verdict
from client.files import Collected
from client.receipts import Receipts, kept_for
from protocol.from_server import FilePart
from protocol.text import Text, text


def check_match(data: bytes, key: bytes, kept: Sequence[Receipts]) -> tuple[Verdict, Text]:
    """The verdict on a finished match, with its reason."""
    try:
        if compare.is_closed(data):
            return Verdict.UNPROVEN, text("fair.after.closed")
        verify.check(data, key)
        compare.compare(data, kept)
    except verify.DoesNotHold as problem:
        return Verdict.WRONG, text("fair.after.wrong", why=str(problem))
    acts = sum(record[0] == "ack" for receipts in kept for record in receipts.records)
    return Verdict.CHECKED, text("fair.after.checked", receipts=acts)


def in_thread(work: Callable[[], None]) -> None:
    """Do this beside the window; it does not keep the program from ending."""
    threading.Thread(target=work, daemon=True).start()


class Aftermath:
    """Checks one finished match: `take` the parts of its replay; `verdict` and `why` are what is known so far.

    `receipts`: the folder that holds those of all profiles. `start` runs the work beside the window."""

    def __init__(
        self,
        match: str,
        key: bytes,
        receipts: Path | None,
        start: Callable[[Callable[[], None]], None],
    ) -> None:
        self.match = match
        self.verdict = Verdict.RUNNING
        self.why = text("fair.after.waiting")
        self.data = b""
        self.name = ""
        self.is_told = False
        self._key = key
        self._receipts = receipts
        self._start = start
        self._parts = Collected()

    @property
    def is_done(self) -> bool:
        """Whether nothing more comes."""
        return self.verdict is not Verdict.RUNNING

    def take(self, part: FilePart) -> None:
        """A part of the replay."""
        data = self._parts.take(part)
        percent = 100 * len(self._parts.parts) // max(part.parts, 1)
        self.why = text("fair.after.loading", percent=min(percent, 100))
        if data is not None:
            self.data, self.name = data, part.name
            self.why = text("fair.after.checking")
            self._start(self._check)

    def refused(self) -> None:
        """The host does not give the replay."""
        self.verdict, self.why = Verdict.UNPROVEN, text("fair.after.none")

    def _check(self) -> None:
        kept = kept_for(self.match, self._receipts) if self._receipts is not None else []
        verdict, self.why = check_match(self.data, self._key, kept)
        # last: whoever looks from the window's thread finds the reason with it
        self.verdict = verdict
