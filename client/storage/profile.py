"""Profiles: who a person is on which server, a small file each, so that two people can play on one computer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import platformdirs

from client.errors import BadProfile
from client.net.address import Address
from client.storage.atomic_write import write_atomically
from client.text.phrases import phrase
from protocol.redaction import redacted_repr

MOST_SERVERS = 8
MOST_KEYS = 200
MOST_PIXELS = 100_000
PROFILE_NAME = re.compile(r"^[A-Za-z0-9_.-]{1,32}$")


Confirm = Literal["always", "dice", "never"]


class KnownKey(msgspec.Struct):
    """Key of a host (hex) that was met at `server` (an address as people write it). `since`, `until`: days (ISO 8601),
    `since` empty where it was not written down; `until` is empty while the server has this key."""

    server: str
    key: str
    since: str = ""
    until: str = ""


class WindowPlace(msgspec.Struct, frozen=True):
    """Size of the window in pixels, its place from the upper left of all screens (None: wherever the system puts it),
    and whether it fills its screen."""

    width: Annotated[int, msgspec.Meta(ge=1, le=MOST_PIXELS)]
    height: Annotated[int, msgspec.Meta(ge=1, le=MOST_PIXELS)]
    x: Annotated[int, msgspec.Meta(ge=-MOST_PIXELS, le=MOST_PIXELS)] | None = None
    y: Annotated[int, msgspec.Meta(ge=-MOST_PIXELS, le=MOST_PIXELS)] | None = None
    full: bool = False


Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Ending = Literal["waits", "by-itself"]
"""With nothing left to do one's activations wait until one ends them, or end by themselves."""


class UserProfile(msgspec.Struct):
    """Profile of one person on this computer. `tokens` by server key; `servers`: addresses, the last used first;
    `text_scale` in percent; `hosts`: the key of each server, by server key (hex); `keys`: every key that a server has
    had, the newest last; `window`: as it was left; `key_changes`: the keys of actions that have others than at first
    (client/input/keys.toml); `taught`: the lessons that they have been through or left, SYSTEM/LESSON; `lessons`: the
    steps that have ended of a lesson, by the id of its table; `confirm`: which acts by gestures need a click of their
    own; `speed`: how fast acts are shown (SPEEDS of client/model/playback/durations.py); `ending`: how one's
    activations end; `sound`: sounds are heard at all; `volumes` in percent, by category and of all
    (client/model/sound/mixer.py), full where none is kept; `language`: the language of the program, "" for that of the
    system; `theme`, `palette`: names of the colours of the window and of the seats (client/ui/theme.py), "" for
    the first; `faces`: what is on cards, likewise; `folded`: the panels of the table are folded away."""

    name: str = ""
    tokens: dict[str, str] = {}
    servers: list[str] = []
    text_scale: int = 100
    hosts: dict[str, str] = {}
    keys: list[KnownKey] = []
    window: WindowPlace | None = None
    key_changes: dict[str, list[str]] = {}
    taught: list[str] = []
    lessons: dict[str, list[str]] = {}
    confirm: Confirm = "never"
    speed: str = "normal"
    ending: Ending = "waits"
    sound: bool = True
    volumes: dict[str, Percent] = {}
    language: str = ""
    theme: str = ""
    palette: str = ""
    faces: str = ""
    folded: bool = False

    def __repr__(self) -> str:
        return redacted_repr(self, ("tokens",))

    def remember_server(self, address: str) -> None:
        """Put an address first in the list of the last ones."""
        self.servers = [address, *(other for other in self.servers if other != address)][:MOST_SERVERS]

    def pin(self, address: Address, key: bytes, today: date) -> None:
        """Note that this is the key of this server from now on. One that it had before stays known."""
        server, day = address.name or address.url, today.isoformat()
        before = self.hosts.get(address.key, "")
        self.hosts[address.key] = key.hex()
        if before not in ("", key.hex()) and not any((k.server, k.key) == (server, before) for k in self.keys):
            # pinned by a version that kept no days
            self.keys.append(KnownKey(server, before))
        known = next((k for k in self.keys if (k.server, k.key) == (server, key.hex())), None)
        if known is None:
            self.keys.append(known := KnownKey(server, key.hex(), day))
        known.until = ""
        for other in self.keys:
            if other.server == server and other is not known:
                other.until = other.until or day
        del self.keys[:-MOST_KEYS]

    def known_as(self, key: bytes) -> list[KnownKey]:
        """Return the places where this key was met."""
        found = [known for known in self.keys if known.key == key.hex()]
        if found:
            return found
        return [KnownKey(server, pinned) for server, pinned in self.hosts.items() if pinned == key.hex()]


def profile_path(name: str, folder: Path | None = None) -> Path:
    """Return the path of a profile's file. Raises BadProfile for a name that could leave the folder."""
    if not PROFILE_NAME.match(name) or name.startswith("."):
        raise BadProfile(phrase("profile.name", name=name))
    return (folder or Path(platformdirs.user_config_dir("eschaton"))) / f"profile-{name}.json"


def load_profile(name: str, folder: Path | None = None) -> UserProfile:
    """Read a profile; one that does not exist is new. Raises BadProfile."""
    path = profile_path(name, folder)
    try:
        return msgspec.json.decode(path.read_bytes(), type=UserProfile)
    except FileNotFoundError:
        return UserProfile()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadProfile(phrase("profile.unreadable", path=str(path), why=str(error))) from error


def save_profile(profile: UserProfile, name: str, folder: Path | None = None) -> None:
    """Write a profile whole or not at all; only its owner may read it, since tokens are secrets."""
    write_atomically(profile_path(name, folder), msgspec.json.format(msgspec.json.encode(profile)))


def all_profiles(folder: Path | None = None) -> Iterator[tuple[str, UserProfile]]:
    """Yield every profile of this computer that can be read, with its name."""
    for path in sorted(profile_path("default", folder).parent.glob("profile-*.json")):
        name = path.stem.removeprefix("profile-")
        with suppress(BadProfile):
            yield name, load_profile(name, folder)
