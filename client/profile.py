"""Who I am on which server: one small file a profile, so that two people can play on one computer."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import msgspec
import platformdirs

from client.phrases import phrase
from protocol.discreet import shown

MOST_SERVERS = 8
PROFILE_NAME = re.compile(r"^[A-Za-z0-9_.-]{1,32}$")


class BadProfile(ValueError):
    """The profile's name or file cannot be used; the message says why."""


class Profile(msgspec.Struct):
    """`tokens` by server key; `servers`: addresses, the last used first; `text_scale` in percent; `links`: the secret
    of this program's part in the dice (hex); `hosts`: the key of each server, by server key (hex)."""

    name: str = ""
    tokens: dict[str, str] = {}
    servers: list[str] = []
    text_scale: int = 100
    links: str = ""
    hosts: dict[str, str] = {}

    def __repr__(self) -> str:
        return shown(self, ("tokens", "links"))

    def remember_server(self, address: str) -> None:
        """Put an address first in the list of the last ones."""
        self.servers = [address, *(other for other in self.servers if other != address)][:MOST_SERVERS]


def profile_path(name: str, folder: Path | None = None) -> Path:
    """Where a profile's file is. Raises BadProfile for a name that could leave the folder."""
    if not PROFILE_NAME.match(name) or name.startswith("."):
        raise BadProfile(phrase("profile.name", name=name))
    return (folder or Path(platformdirs.user_config_dir("eschaton"))) / f"profile-{name}.json"


def receipts_folder(name: str, folder: Path | None = None) -> Path:
    """Where a profile keeps what hosts have signed. Raises BadProfile."""
    return profile_path(name, folder).parent / "receipts" / name


def load_profile(name: str, folder: Path | None = None) -> Profile:
    """Read a profile; one that does not exist is new. Raises BadProfile."""
    path = profile_path(name, folder)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Profile)
    except FileNotFoundError:
        return Profile()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadProfile(phrase("profile.unreadable", path=str(path), why=str(error))) from error


def save_profile(profile: Profile, name: str, folder: Path | None = None) -> None:
    """Write a profile whole or not at all; only its owner may read it, since tokens are secrets."""
    path = profile_path(name, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, fresh = tempfile.mkstemp(dir=path.parent, prefix=".profile-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(profile)))
        Path(fresh).chmod(0o600)
        Path(fresh).replace(path)
    except BaseException:
        Path(fresh).unlink(missing_ok=True)
        raise
