"""A profile whose file is damaged: the file is set aside, and what can still be read of it goes on."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import msgspec

from client.errors import BadProfile
from client.storage.profile import UserProfile, load_profile, profile_path
from client.text.phrases import phrase


def open_profile(name: str, folder: Path | None = None) -> tuple[UserProfile, str]:
    """Read a profile, and return with it what the person must be told, "" if nothing.

    A damaged file is kept under another name. Raises BadProfile for a name that none can have, and where the file
    cannot be read or renamed at all.
    """
    try:
        return load_profile(name, folder), ""
    except BadProfile as bad:
        if not isinstance(bad.__cause__, msgspec.MsgspecError | UnicodeDecodeError):
            raise
        path = profile_path(name, folder)
        try:
            data = path.read_bytes()
            aside = _set_aside(path)
        except OSError:
            raise bad from None
        return _rest_of(data), phrase("profile.set_aside", path=str(aside), why=str(bad.__cause__))


def _set_aside(path: Path) -> Path:
    """Rename a file to a name that is free, and return it. Raises OSError."""
    free = (path.with_name(f"{path.name}.damaged{number or ''}") for number in count())
    aside = next(other for other in free if not other.exists())
    path.rename(aside)
    return aside


def _rest_of(data: bytes) -> UserProfile:
    """Return a profile of the fields that can still be read, one by one."""
    profile = UserProfile()
    try:
        fields = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return profile
    for field in msgspec.structs.fields(UserProfile):
        try:
            value = msgspec.json.decode(fields[field.name], type=field.type)
        except (KeyError, msgspec.MsgspecError, UnicodeDecodeError):
            continue
        setattr(profile, field.name, value)
    return profile
