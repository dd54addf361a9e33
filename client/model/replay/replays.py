"""Replays from a server: the finished match's, fetched unasked to be checked, and any that a person asks to save.

Needs no window.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from client.fairness.finished_match_check import FinishedMatchCheck, in_thread
from client.fairness.receipts import SUFFIX as RECEIPTS
from client.fairness.table_check import TableCheck
from client.storage.downloads import FileDownload, save, short_folder
from client.text.phrases import phrase
from protocol.ids import TableId, match_of
from protocol.wire.from_client import GetReplay
from protocol.wire.from_server import FilePart, TableView

PAUSE: Final = 10.0
"""Seconds after a refusal that may have been meant for something else, before a replay is asked for again."""
MOST_DOUBTS: Final = 3
"""Such refusals, after which a replay is not asked for any more."""
BUSY: Final = "replay/busy"
"""Code of the refusal where another file is on its way on this link: this one, or what is kept of the person."""
DROPPED: Final = "replay/dropped"
"""Code of the refusal of a replay that is no longer kept, told to all who come to its table, too."""
OF_REPLAYS: Final = "replay/", "bound/replays-"
"""Beginnings of the codes of refusals that are meant for who asks for a replay."""


@dataclass
class _Request:
    """Request that was sent on the present link. `download`: None where the file is for the check of the match;
    `has_come`: a part of the file has; `doubts`: refusals that may have been meant for it; `again_at`: when it is sent
    again after the last of them."""

    table: TableId
    download: FileDownload | None
    has_come: bool = False
    doubts: int = 0
    again_at: float | None = None


class Replays:
    """Downloads of replays, one after another, as a server sends them. `ask` sends to the server, `tell` tells the
    person; `receipts`: the folder of all profiles'; `clock` gives seconds.

    A refusal does not name what it refuses. One that can only be meant for the file on its way is taken for its own;
    after any other, that file is asked for again unless parts of it come.
    """

    def __init__(
        self,
        table_check: TableCheck,
        receipts: Path | None,
        ask: Callable[[GetReplay], None],
        tell: Callable[[str], None],
        clock: Callable[[], float],
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
        self._clock = clock
        self._is_linked = False
        self._at: TableId | None = None
        """The table that was seen last."""
        self._finished: TableId | None = None
        """The table whose replay the check waits for, once there is one."""
        self._save_to: Path | None = None
        """Folder for what the check has fetched."""
        self._wish: tuple[TableId, Path] | None = None
        """Table and folder of another replay that the person has asked for."""
        self._request: _Request | None = None

    def fetch(self, table: TableId, folder: Path) -> None:
        """Ask for a finished table's replay; `saved` is set when it has come."""
        self.saved = None
        after = self.finished_check
        if after is not None and after.match == match_of(table) and after.data:
            self._keep(lambda: save(folder, after.name, after.data))
        elif after is not None and table == self._finished and not after.is_done:
            self._save_to = folder
        else:
            self._wish = table, folder
            self._ask_next()

    @property
    def is_fetching(self) -> bool:
        """True while a replay that was asked for is on its way."""
        return self._wish is not None or self._save_to is not None

    def begin(self) -> None:
        """Ask for what is still wanted: the server has let the person in."""
        self._is_linked = True
        self._ask_next()

    def link_lost(self) -> None:
        """Forget what was on its way: the server has stopped to send it."""
        self._is_linked, self._request = False, None
        if self.finished_check is not None:
            self.finished_check.begin_anew()

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
        self._at = view.id
        check, match = self._table_check.check, match_of(view.id)
        if view.state != "finished" or check is None or check.match != match:
            return
        if self.finished_check is None or self.finished_check.match != match:
            self.close()
            self.finished_check = FinishedMatchCheck(match, self._table_check.key, self._receipts, self.beside)
            self._finished = None
        if view.replay:
            self._finished = view.id
            self._ask_next()

    def take(self, part: FilePart) -> None:
        """Take in a part of the file that is on its way."""
        request = self._request
        if request is None:
            return
        request.has_come, request.again_at = True, None
        download, after = request.download, self.finished_check
        if self._is_wanted(request) and download is not None:
            if self._keep(lambda: download.take(part)):
                self._wish = None
        elif self._is_wanted(request) and after is not None:
            self._take_checked(part, after)
        if part.part + 1 >= part.parts:
            # what is not whole now never will be
            self._end(request, is_told=self._is_wanted(request))

    def _take_checked(self, part: FilePart, after: FinishedMatchCheck) -> None:
        after.take(part)
        if self._save_to is not None and after.data:
            folder, self._save_to = self._save_to, None
            self._keep(lambda: save(folder, after.name, after.data))

    def refused(self, code: str) -> None:
        """Take in a refusal, be it of the file on its way or of anything else that was said."""
        request = self._request
        if request is None or (request.has_come and code != "replay/unreadable"):
            return
        is_of_other = code == DROPPED and request.download is None and self._at != request.table
        if code == BUSY:
            request.doubts = 0
        if code.startswith(OF_REPLAYS) and code != BUSY and not is_of_other:
            self._end(request, is_told=False)
        elif request.again_at is None:
            request.doubts += code != BUSY
            request.again_at = self._clock() + PAUSE

    def look(self) -> bool:
        """Ask again for what may have been refused, once it is time; return True where it is given up instead."""
        request = self._request
        if request is None or request.again_at is None or self._clock() < request.again_at:
            return False
        request.again_at = None
        if request.doubts >= MOST_DOUBTS:
            self._end(request, is_told=True)
            return True
        self._ask(GetReplay(table=request.table))
        return False

    def _ask_next(self) -> None:
        """Ask for the next file that is wanted, where none is on its way: that of the person's wish first."""
        if self._request is not None or not self._is_linked:
            return
        if self._wish is not None:
            table, folder = self._wish
            self._request = _Request(table, FileDownload(folder))
        elif self._finished is not None and self._is_unchecked():
            self._request = _Request(self._finished, None)
        if self._request is not None:
            self._ask(GetReplay(table=self._request.table))

    def _is_unchecked(self) -> bool:
        after = self.finished_check
        return after is not None and not after.is_done and not after.data

    def _is_wanted(self, request: _Request) -> bool:
        """Return True where the file of a request is still wanted, and has not come."""
        if request.download is None:
            return request.table == self._finished and self._is_unchecked()
        return self._wish == (request.table, request.download.folder)

    def _end(self, request: _Request, *, is_told: bool) -> None:
        """End a request. Where its file is still wanted, the host does not give it; `is_told`: tell the person who
        waits for it."""
        if is_told and (request.download is not None or self._save_to is not None):
            self._tell(phrase("replay.not_coming"))
        if self._is_wanted(request):
            if request.download is not None:
                self._wish = None
            elif self.finished_check is not None:
                self._save_to = None
                self.finished_check.refused()
        self._request = None
        self._ask_next()

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

    def _keep(self, write: Callable[[], Path | None]) -> bool:
        """Write a file and tell the person; return False where it is not whole yet."""
        try:
            done = write()
        except OSError as error:
            self._tell(phrase("replay.not_kept", why=error.strerror or str(error)))
            return True
        if done is not None:
            self.saved = done
            self._tell(saved_in_words(done))
        return done is not None


def saved_in_words(path: Path) -> str:
    """Return in words where a replay was saved."""
    return phrase("replay.saved", name=path.name, folder=short_folder(path.parent))
