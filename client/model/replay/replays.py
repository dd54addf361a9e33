"""Replays from a server: the finished match's, fetched unasked to be checked, and any that a person asks to save.

Needs no window.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from client.fairness.finished_match_check import FinishedMatchCheck, in_thread
from client.fairness.receipts import SUFFIX as RECEIPTS
from client.fairness.table_check import TableCheck
from client.storage.downloads import FileDownload, save, short_folder
from client.text.phrases import phrase
from protocol.ids import TableId, match_of
from protocol.wire.from_client import GetReplay
from protocol.wire.from_server import FilePart, TableView


class Replays:
    """Downloads of replays. `ask` sends to the server, `tell` tells the person; `receipts`: the folder of all
    profiles'."""

    def __init__(
        self,
        table_check: TableCheck,
        receipts: Path | None,
        ask: Callable[[GetReplay], None],
        tell: Callable[[str], None],
    ) -> None:
        self.finished_check: FinishedMatchCheck | None = None
        """The check of the match that was over last."""
        self.saved: Path | None = None
        """Path of the replay that was asked for last, once it has come."""
        self.beside = in_thread
        self._table_check = table_check
        self._receipts = receipts
        self._ask = ask
        self._tell = tell
        self._has_asked = False
        self._save_to: Path | None = None
        self._download: FileDownload | None = None

    def fetch(self, table: TableId, folder: Path) -> None:
        """Ask for a finished table's replay; `saved` is set when it has come."""
        self.saved = None
        after = self.finished_check
        if after is not None and after.match == match_of(table) and after.data:
            self._keep(lambda: save(folder, after.name, after.data))
        elif after is not None and after.match == match_of(table) and not after.is_done:
            self._save_to = folder
        else:
            self._download = FileDownload(folder)
            self._ask(GetReplay(table=table))

    @property
    def is_fetching(self) -> bool:
        """True while a replay that was asked for is on its way."""
        return self._download is not None or self._save_to is not None

    def save_proof(self, folder: Path) -> str:
        """Copy the person's own receipts of the present match into `folder`; return in words where they are, or why
        not."""
        data = self._table_check.receipts()
        check = self._table_check.check
        if check is None or not data:
            return phrase("proof.none")
        seat = "watching" if check.seat < 0 else str(check.seat)
        try:
            path = save(folder, f"{check.match}-{seat}", data, RECEIPTS)
        except OSError as error:
            return phrase("proof.not_saved", why=error.strerror or str(error))
        return phrase("proof.saved", name=path.name, folder=short_folder(path.parent))

    def check(self, view: TableView) -> None:
        """Fetch and check the replay of a match that the session has seen, as soon as the match is over and has one."""
        check, match = self._table_check.check, match_of(view.id)
        if view.state != "finished" or check is None or check.match != match:
            return
        if self.finished_check is None or self.finished_check.match != match:
            self.close()
            self.finished_check = FinishedMatchCheck(match, self._table_check.key, self._receipts, self.beside)
            self._has_asked = False
        if view.replay and not self._has_asked and self._download is None:
            self._has_asked = True
            self._ask(GetReplay(table=view.id))

    def take(self, part: FilePart) -> None:
        """Take in a part of the file that was asked for."""
        download, after = self._download, self.finished_check
        if download is None and after is not None and self._has_asked and not after.data:
            after.take(part)
            if self._save_to is not None and after.data:
                folder, self._save_to = self._save_to, None
                self._keep(lambda: save(folder, after.name, after.data))
        elif download is not None:
            self._keep(lambda: download.take(part))

    def refused(self, code: str) -> None:
        """Take in a refusal: the file asked for is not coming, nor the match's own replay where the code says so."""
        self._download = None
        if code.startswith("replay/") and self.finished_check is not None and not self.finished_check.data:
            self._save_to = None
            self.finished_check.refused()

    def has_found(self) -> bool:
        """Return True once, when the check of the match has ended."""
        after = self.finished_check
        if after is None or not after.is_done or after.is_reported:
            return False
        after.is_reported = True
        return True

    def close(self) -> None:
        """End a check that is still running."""
        if self.finished_check is not None:
            self.finished_check.close()

    def _keep(self, write: Callable[[], Path | None]) -> None:
        try:
            done = write()
        except OSError as error:
            self._download = None
            self._tell(phrase("replay.not_kept", why=error.strerror or str(error)))
            return
        if done is not None:
            self.saved, self._download = done, None
            self._tell(phrase("replay.saved", name=done.name, folder=short_folder(done.parent)))
