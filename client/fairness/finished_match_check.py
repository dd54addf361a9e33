"""Check of a finished match: its replay is fetched and checked, together with the receipts kept of it. No window."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from client.fairness.dice_round_check import Verdict
from client.fairness.receipts import receipt_files
from client.fairness.replay_check import ReplayCase, ReplayFinding, check_in_child, check_process
from client.storage.downloads import DownloadedParts
from protocol.ids import MatchId
from protocol.limits import CHECKING, ChildLimits
from protocol.text import Text, text
from protocol.wire.from_server import FilePart


def verdict_on(finding: ReplayFinding, limits: ChildLimits) -> tuple[Verdict, Text]:
    """Return the verdict on a finished match, with its reason. What cannot be checked is unproven: nothing speaks for
    it."""
    match finding.kind:
        case "holds":
            return Verdict.CHECKED, text("fair.after.checked", receipts=finding.acts)
        case "closed":
            return Verdict.UNPROVEN, text("fair.after.closed")
        case "memory":
            return Verdict.UNPROVEN, text("fair.after.memory", mib=limits.memory_bytes >> 20)
        case "time":
            return Verdict.UNPROVEN, text("fair.after.time", seconds=limits.cpu_seconds)
        case "other":
            return Verdict.WRONG, text("fair.after.other")
        case "receipts":
            return Verdict.UNPROVEN, text("fair.after.receipts")
        case "wrong":
            return Verdict.WRONG, text("fair.after.wrong", why=" ".join(finding.said))
    return Verdict.UNPROVEN, text("fair.after.broken")


def in_thread(work: Callable[[], None]) -> None:
    """Do this beside the window; it does not keep the program from ending."""
    threading.Thread(target=work, daemon=True).start()


class FinishedMatchCheck:
    """Check of one finished match: `take` the parts of its replay; `verdict` and `why` are what is known so far.

    `receipts`: the folder that holds those of all profiles. `start` runs the work beside the window; the check itself
    is a child process within `limits`, which `close` ends.
    """

    def __init__(
        self,
        match: MatchId,
        key: bytes,
        receipts: Path | None,
        start: Callable[[Callable[[], None]], None],
        limits: ChildLimits = CHECKING,
    ) -> None:
        self.match = match
        self.verdict = Verdict.RUNNING
        self.why = text("fair.after.waiting")
        self.data = b""
        self.name = ""
        self.is_reported = False
        self.has_given_up = False
        """The record has an act that the host gave up after a fault (known once the check is done)."""
        self._key = key
        self._receipts = receipts
        self._start = start
        self._limits = limits
        self._checker = check_process(limits)
        self._parts = DownloadedParts()

    @property
    def is_done(self) -> bool:
        """True where nothing more comes."""
        return self.verdict is not Verdict.RUNNING

    def take(self, part: FilePart) -> None:
        """Take a part of the replay, and start the check with the last one."""
        data = self._parts.take(part)
        percent = 100 * len(self._parts.parts) // max(part.parts, 1)
        self.why = text("fair.after.loading", percent=min(percent, 100))
        if data is not None:
            self.data, self.name = data, part.name
            self.why = text("fair.after.checking")
            self._start(self._check)

    def begin_anew(self) -> None:
        """Forget the parts of a replay that is not whole: it comes from its beginning again."""
        if self._parts.parts and not self.data:
            self._parts = DownloadedParts()
            self.why = text("fair.after.loading", percent=0)

    def refused(self) -> None:
        """Note that the host does not give the replay."""
        self.verdict, self.why = Verdict.UNPROVEN, text("fair.after.none")

    def close(self) -> None:
        """End a check that runs: its result is not wanted any more."""
        self._checker.stop()

    def _check(self) -> None:
        kept = receipt_files(self.match, self._receipts) if self._receipts is not None else []
        try:
            finding = check_in_child(ReplayCase(self.data, self._key, [], kept), self._checker)
        except OSError:
            finding = ReplayFinding("broken")
        self.has_given_up = finding.given_up
        verdict, self.why = verdict_on(finding, self._limits)
        # last: whoever looks from the window's thread finds the reason with it
        self.verdict = verdict
