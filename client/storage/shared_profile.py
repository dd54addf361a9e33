"""Profile that several windows may have open at once: each writes what it has changed, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from client.storage.file_lock import lock
from client.storage.profile import (
    MOST_KEYS,
    MOST_SERVERS,
    KnownKey,
    UserProfile,
    load_profile,
    profile_path,
    save_profile,
)

K = TypeVar("K")
V = TypeVar("V")


class SharedProfile:
    """Profile of this window (`profile`, changed in place) over its file. The content when the file was last read or
    written is kept, so that a change of this window is told from one of another."""

    def __init__(self, profile: UserProfile, name: str, folder: Path | None = None) -> None:
        self.profile = profile
        self.name = name
        self.folder = folder
        self._before = _copy(profile)

    def read_again(self) -> None:
        """Take what other windows have written since; what was changed here and not written stays. Raises
        BadProfile: then nothing has changed."""
        self._take(self._written())

    def keep(self) -> None:
        """Write what was changed here, beside what other windows have written. Raises OSError, BadProfile: then the
        file is as it was."""
        with _locked(profile_path(self.name, self.folder)):
            merged = _merged(self._before, self.profile, self._written())
            save_profile(merged, self.name, self.folder)
        self._take(merged)

    def _written(self) -> UserProfile:
        """Return the file's content now; a file that is not there counts as unchanged."""
        if not profile_path(self.name, self.folder).exists():
            return self._before
        return load_profile(self.name, self.folder)

    def _take(self, written: UserProfile) -> None:
        merged = _merged(self._before, self.profile, written)
        self._before = _copy(written)
        for field in UserProfile.__struct_fields__:
            setattr(self.profile, field, getattr(merged, field))


def _merged(before: UserProfile, mine: UserProfile, theirs: UserProfile) -> UserProfile:
    """Return the profile with the changes since `before` of both; where both have changed the same, mine goes first."""
    merged = {
        field: getattr(mine if getattr(mine, field) != getattr(before, field) else theirs, field)
        for field in UserProfile.__struct_fields__
    }
    servers = merged["servers"]
    keys = _either(_by_host(before), _by_host(mine), _by_host(theirs))
    merged |= {
        field: _either(getattr(before, field), getattr(mine, field), getattr(theirs, field))
        for field in ("tokens", "hosts", "key_changes", "lessons", "volumes")
    }
    merged["servers"] = [*servers, *(other for other in theirs.servers if other not in servers)][:MOST_SERVERS]
    merged["keys"] = list(keys.values())[-MOST_KEYS:]
    merged["taught"] = list(dict.fromkeys((*theirs.taught, *mine.taught)))
    return _copy(UserProfile(**merged))


def _by_host(profile: UserProfile) -> dict[tuple[str, str], KnownKey]:
    return {(known.server, known.key): known for known in profile.keys}


def _either(before: Mapping[K, V], mine: Mapping[K, V], theirs: Mapping[K, V]) -> dict[K, V]:
    """Return entry by entry mine where I have changed, added or removed it since, else theirs."""
    chosen = {key: (mine if mine.get(key) != before.get(key) else theirs) for key in (*theirs, *mine)}
    return {key: source[key] for key, source in chosen.items() if key in source}


def _copy(profile: UserProfile) -> UserProfile:
    return msgspec.json.decode(msgspec.json.encode(profile), type=UserProfile)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other windows from writing the file meanwhile. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("wb") as file:
        lock(file)
        yield
