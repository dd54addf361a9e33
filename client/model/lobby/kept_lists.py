"""Army lists that a person keeps on this computer, by the games that they are for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, zip_longest

from client.storage.named_files import NamedFiles
from protocol.wire.choices import SystemChoice

_ARMY = re.compile(r"""^\s*army\s*=\s*["']([^"'\n]+)["']""", re.MULTILINE)


def games_of(written: str, systems: Sequence[SystemChoice]) -> frozenset[str]:
    """Return the ids of the games that have the army of a list; none where it names no army of theirs."""
    named = _ARMY.search(written)
    return frozenset(system.id for system in systems if named is not None and named[1] in _armies(system))


def _armies(system: SystemChoice) -> set[str]:
    return {faction.id for scenario in system.scenarios if scenario.points for faction in scenario.factions}


def lists_of(game: str, files: NamedFiles, systems: Sequence[SystemChoice]) -> list[str]:
    """Return the names of the lists for a game, the newest first, with those that are for no game of the server, and
    those that cannot be read."""
    found = []
    for name in files.names():
        games = games_of(_read(files, name) or "", systems)
        if not games or game in games:
            found.append(name)
    return found


def lists_for_match(games: Sequence[str], files: NamedFiles, systems: Sequence[SystemChoice]) -> list[str]:
    """Return the lists to look for players of some games with: the newest of each game, then the next ones; those that
    are for no game of the server come last."""
    by_game: dict[str, list[str]] = {game: [] for game in games}
    others = []
    for name in files.names():
        written = _read(files, name)
        if written is None:
            continue
        its = games_of(written, systems)
        if not its:
            others.append(written)
        elif (game := next((game for game in games if game in its), None)) is not None:
            by_game[game].append(written)
    turns = chain.from_iterable(zip_longest(*by_game.values()))
    return [*(written for written in turns if written is not None), *others]


def _read(files: NamedFiles, name: str) -> str | None:
    """Return what is kept by a name; None where it cannot be read."""
    try:
        return files.read(name)
    except (OSError, UnicodeDecodeError):
        return None
