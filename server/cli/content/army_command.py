"""`eschaton-server army`: lists drawn, checked and shown, for any rule system that offers them."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final, NamedTuple

from engine.core.rules.army_lists import ArmyLists, BroughtList, lists_of
from engine.core.rules.errors import ListRefused
from protocol.limits import Limits
from protocol.text import Text
from protocol.text_format import format_text
from server.cli.new_file import making
from server.content.systems import Installed, faults_told, find_systems, load
from server.runtime.errors import CommandError

MOST_BYTES: Final = Limits().list_bytes
SEED_BITS: Final = 40


class Offered(NamedTuple):
    """A rule system that has army lists, with its content."""

    installed: Installed
    lists: ArmyLists

    def say(self, told: Text) -> str:
        """Return a text in English."""
        return format_text(told, self.installed.catalogue("en").entries)


def new(name: str, content: Path | None, faction: str, points: int, seed: int | None, out: Path | None) -> int:
    """Draw a list and write it. Raises CommandError."""
    offered = _offered(name, content)
    lists, known = offered.lists, offered.lists.factions(offered.installed.content)
    if not faction:
        print("Factions: " + ", ".join(known))
        return 0
    drawn = secrets.randbits(SEED_BITS) if seed is None else seed
    try:
        code = lists.build(offered.installed.content, faction, points or lists.limits[0], drawn)
        _put(lists.write(offered.installed.content, code), out)
    except ListRefused as refused:
        raise CommandError("\n".join(map(offered.say, refused.faults)), 2) from refused
    return 0


def check(name: str, content: Path | None, written: str) -> int:
    """Print what is wrong with a list; return 1 where anything is. Raises CommandError."""
    offered = _offered(name, content)
    try:
        brought = _read(offered, written)
    except ListRefused as refused:
        count = len(refused.faults)
        print("\n".join(map(offered.say, refused.faults)))
        raise CommandError(f"{count} {'fault' if count == 1 else 'faults'} in {written}.", 1) from refused
    _changed(offered, brought)
    print(f"{offered.say(brought.name)}: nothing is wrong with it. {offered.say(brought.lines[0])}.")
    return 0


def show(name: str, content: Path | None, written: str, out: Path | None) -> int:
    """Print a list, and write it where a file is named. Raises CommandError."""
    offered = _offered(name, content)
    try:
        brought = _read(offered, written)
        file = offered.lists.write(offered.installed.content, brought.code) if out is not None else ""
    except ListRefused as refused:
        raise CommandError("\n".join(map(offered.say, refused.faults)), 1) from refused
    if out is not None:
        _put(file, out)
    _changed(offered, brought)
    print(offered.say(brought.name))
    print("\n".join(map(offered.say, brought.lines)))
    print(f"Code: {brought.code}")
    return 0


def _offered(name: str, content: Path | None) -> Offered:
    """Return the system of this name that has army lists, or the only one. Raises CommandError."""
    with faults_told():
        found = load(find_systems([name] if name else []).values(), content)
    offering = {id: Offered(one, lists) for id, one in found.items() if (lists := lists_of(one.system)) is not None}
    if name and name not in offering:
        raise CommandError(f"There is no rule system {name!r} with army lists.")
    if len(offering) != 1:
        names = ", ".join(offering) or "none"
        raise CommandError(f"Name the rule system by --system. With army lists there are: {names}.")
    return next(iter(offering.values()))


def _read(offered: Offered, written: str) -> BroughtList:
    """Read a list from its file or its code. Raises ListRefused, CommandError."""
    path = Path(written)
    try:
        is_file = path.is_file()
    except (OSError, ValueError):  # no code is too long for a file's name, but any pasted text may be
        is_file = False
    if not is_file:
        if path.suffix == ".toml":
            raise CommandError(f"There is no file {written}.")
        return offered.lists.read(offered.installed.content, written)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise CommandError(f"{written} cannot be read: {problem}", 1) from problem
    if len(data) > MOST_BYTES:
        raise CommandError(f"{written} is larger than any list: more than {MOST_BYTES} bytes.", 1)
    return offered.lists.read(offered.installed.content, text, written)


def _changed(offered: Offered, brought: BroughtList) -> None:
    for told in brought.changed:
        print(f"brought up to date: {offered.say(told)}")


def _put(text: str, out: Path | None) -> None:
    if out is None:
        print(text, end="")
        return
    with making(out), out.open("x", encoding="utf-8") as file:
        file.write(text)
    print(f"{out}: written.")
