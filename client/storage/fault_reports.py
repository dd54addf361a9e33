"""Reports about faults of the program itself, as files that a person may send to those who make it."""

from __future__ import annotations

import platform
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import platformdirs

from client.text.phrases import phrase

MOST_REPORTS: Final = 20
"""Files kept; the oldest go first."""
MOST_TEXT: Final = 64_000
HIDDEN: Final = "(hidden)"


def reports_folder() -> Path:
    """Return the folder of this user's reports."""
    return Path(platformdirs.user_data_dir("eschaton", appauthor=False)) / "reports"


@dataclass
class FaultReports:
    """Reports in `folder`, one for each fault that is not the same as one before. `hidden`: words that must not stand
    in them, such as tokens; `now`: the time."""

    folder: Path
    hidden: Callable[[], Iterable[str]] = tuple
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    written: dict[str, str] = field(default_factory=dict)
    """The path of each fault's report, by its traceback."""

    def write(self, error: BaseException, doing: str) -> str:
        """Write about a fault that came while `doing` something, and return the path; "" where it cannot be written."""
        trace = self._plain("".join(traceback.TracebackException.from_exception(error).format()))
        if trace not in self.written:
            self.written[trace] = self._file(trace, doing)
        return self.written[trace]

    def _file(self, trace: str, doing: str) -> str:
        now = self.now()
        head = phrase(
            "fault.head",
            time=now.isoformat(timespec="seconds"),
            version=_version(),
            doing=doing,
            python=platform.python_version(),
            system=f"{platform.system()} {platform.release()} {platform.machine()}",
        )
        path = self.folder / f"fault-{now:%Y%m%d-%H%M%S}-{len(self.written) + 1:04}.txt"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{head}\n\n{trace}", encoding="utf-8")
        except OSError:
            return ""
        for old in sorted(self.folder.glob("fault-*.txt"))[:-MOST_REPORTS]:
            with suppress(OSError):
                old.unlink()
        return str(path)

    def _plain(self, trace: str) -> str:
        """Return the text without names of folders that tell who the person is, and without what is to be hidden."""
        for word in filter(None, self.hidden()):
            trace = trace.replace(word, HIDDEN)
        return trace.replace(str(Path.home()), "~")[-MOST_TEXT:]


def _version() -> str:
    try:
        return version("eschaton")
    except PackageNotFoundError:
        return "unknown"
