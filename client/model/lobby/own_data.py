"""The data that a server keeps of the person, asked for and saved as one file of JSON. Needs no window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from client.storage.downloads import DownloadedParts, save, short_folder
from client.text.phrases import phrase
from protocol.wire.own_data import GetOwnData, OwnDataPart

MOST_BYTES: Final = 64 << 20


class OwnData:
    """The download of one's data. `ask` sends to the server, `tell` tells the person."""

    def __init__(self, ask: Callable[[GetOwnData], None], tell: Callable[[str], None]) -> None:
        self._ask = ask
        self._tell = tell
        self._folder: Path | None = None
        self._name = ""
        self._parts = DownloadedParts(MOST_BYTES)

    @property
    def is_coming(self) -> bool:
        """True while the file is asked for and not whole."""
        return self._folder is not None

    def fetch(self, folder: Path, name: str) -> None:
        """Ask for the data, to be saved in a folder under this name."""
        self._folder, self._name, self._parts = folder, name, DownloadedParts(MOST_BYTES)
        self._ask(GetOwnData())

    def take(self, part: OwnDataPart) -> None:
        """Take in the next part; a file that is whole is saved."""
        if self._folder is None or (data := self._parts.take(part)) is None:
            return
        folder, self._folder = self._folder, None
        try:
            path = save(folder, self._name, data, ".json")
        except OSError as error:
            self._tell(phrase("account.data.not_saved", why=error.strerror or str(error)))
        else:
            self._tell(phrase("replay.saved", name=path.name, folder=short_folder(path.parent)))

    def refused(self) -> None:
        """Expect nothing more."""
        self._folder = None
