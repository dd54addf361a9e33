"""Checks of the computer and its files: each yields the words of one sentence for everything that is wrong."""

from __future__ import annotations

import os
import shlex
import shutil
import ssl
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from server.cli.data.backup import KEYS
from server.net.certificate import end_of
from server.runtime.backup_mark import MARK, backed_up_at
from server.runtime.former_keys import FORMER
from server.runtime.keyfile import open_to_others
from server.store.choice import has_password

if TYPE_CHECKING:
    from server.cli.doctor.facts import Facts, Words

DAY: Final = 86_400.0
LEAST_FREE: Final = 1_000_000_000
"""Bytes that a disk should have free."""
LEAST_DAYS: Final = 14.0
"""Days before its end that a certificate should have been renewed."""
OTHER_CERTIFICATE: Final = 3600.0
"""Seconds by which two certificates end at different times."""
OLD_BACKUP: Final = 3 * DAY
GRACE: Final = DAY
"""Age of an installation from which on it should have a backup."""
BEHIND_SECONDS: Final = 60.0
"""By which a record may be from the future."""


def disk_full(facts: Facts) -> Iterator[Words]:
    with suppress(OSError):
        free = shutil.disk_usage(facts.folder).free
        if free < LEAST_FREE:
            replays = facts.number("replays_bytes")
            size = "" if replays is None else f" Replays take {replays / 1e6:.0f} MB."
            least = max((replays or 1e9) / 2e9, 0.1)
            yield {"free": f"{free / 1e6:.0f} MB", "size": size, "less": f"{least:.1f}"}


def no_folder(facts: Facts) -> Iterator[Words]:
    if not _is_closed(facts.folder) and not facts.folder.is_dir():
        yield {}


def folder_closed(facts: Facts) -> Iterator[Words]:
    if _is_closed(facts.folder):
        owner = "USER"
        with suppress(OSError, KeyError):
            owner = facts.folder.owner()
        yield {"owner": owner}


def _is_closed(folder: Path) -> bool:
    """Return True where this user may not look into a folder, or not even see whether it is there."""
    try:
        with os.scandir(folder):
            return False
    except OSError as problem:
        return isinstance(problem, PermissionError)


def key_readable(facts: Facts) -> Iterator[Words]:
    yield from _open_ones(facts.folder / name for name in (*KEYS, FORMER))


def folder_open(facts: Facts) -> Iterator[Words]:
    yield from _open_ones((facts.folder, facts.folder / "replays"))


def secret_readable(facts: Facts) -> Iterator[Words]:
    given = facts.settings
    files = (given.store_file, given.tls_key, given.settings if has_password(given.store) else None)
    yield from _open_ones(file for file in files if file is not None)


def _open_ones(paths: Any) -> Iterator[Words]:
    for path in paths:
        with suppress(OSError):
            mend = open_to_others(path)
            if mend:
                yield {"path": path, "mend": mend}


def clock_behind(facts: Facts) -> Iterator[Words]:
    ahead, what = max(_times(facts), default=(0.0, ""))
    if ahead - facts.now > BEHIND_SECONDS:
        yield {"seconds": round(ahead - facts.now), "what": what}


def _times(facts: Facts) -> Iterator[tuple[float, str]]:
    """Yield times that have been, as far as a clock was right then, with what they are taken from."""
    counted = facts.store or facts.redis
    if counted is not None and counted.uptime is not None:
        yield float(counted.uptime), "the time that servers have counted here"
    with suppress(OSError):
        for path in facts.folder.iterdir():
            with suppress(OSError):
                yield path.stat().st_mtime, f"the file {path.name}"


def certificate_unusable(facts: Facts) -> Iterator[Words]:
    cert, key = facts.settings.tls_cert, facts.settings.tls_key
    if cert is None or key is None:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=lambda: "")
    except OSError as problem:
        is_mismatch = "MISMATCH" in (getattr(problem, "reason", None) or "")
        why = "they do not belong together" if is_mismatch else str(problem.strerror or problem)
        yield {"cert": shlex.quote(str(cert)), "key": shlex.quote(str(key)), "why": why}


def certificate_ends(facts: Facts) -> Iterator[Words]:
    days = (_end(facts.settings.tls_cert) - facts.now) / DAY
    if 0 <= days < LEAST_DAYS:
        yield {"days": f"{days:.0f}"}


def certificate_over(facts: Facts) -> Iterator[Words]:
    if _end(facts.settings.tls_cert) < facts.now:
        yield {}


def certificate_old(facts: Facts) -> Iterator[Words]:
    ends, left = _end(facts.settings.tls_cert), facts.number("certificate_days_left")
    if ends != float("inf") and left is not None and abs(facts.now + left * DAY - ends) > OTHER_CERTIFICATE:
        yield {}


def _end(cert: Path | None) -> float:
    """Return the Unix time at which a certificate ends, far away where there is none or it cannot be read."""
    with suppress(OSError):
        return (end_of(cert) if cert is not None else 0.0) or float("inf")
    return float("inf")


def backup_old(facts: Facts) -> Iterator[Words]:
    with suppress(OSError):
        made = backed_up_at(facts.folder)
        if made is not None and facts.now - made > OLD_BACKUP:
            yield {"days": round((facts.now - made) / DAY), "mend": _backup(facts)}


def backup_never(facts: Facts) -> Iterator[Words]:
    with suppress(OSError):
        begun = (facts.folder / KEYS[0]).stat().st_mtime
        if backed_up_at(facts.folder) is None and facts.now - begun > GRACE:
            yield {"mend": _backup(facts)}


def _backup(facts: Facts) -> str:
    folder = facts.words["data"]
    if facts.redis is not None:
        return f"redis-cli BGSAVE    # copy its dump.rdb and {folder}, then: touch {folder}/{MARK}"
    return f"eschaton-server backup /backups --keep 14 --data {folder}"


def store_unreadable(facts: Facts) -> Iterator[Words]:
    if facts.store is not None and facts.store.problem and not facts.store.is_newer and not _is_closed(facts.folder):
        yield {"problem": facts.store.problem}


def store_newer(facts: Facts) -> Iterator[Words]:
    if facts.store is None:
        return
    if facts.store.is_newer:
        yield {"what": str(facts.store.path)}
    elif facts.store.newer:
        yield {"what": f"{facts.store.newer} tables in {facts.store.path}"}
