"""Commands of the program: words that hold in some places, each with a line of help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from client.plain.talk.answers import BadAnswer
from client.text.phrases import phrase
from protocol.near_names import nearest


class Place(Enum):
    """Place of a person: in the lobby, at a table that has not begun, or at one whose match is on or over."""

    LOBBY = "lobby"
    SETUP = "setup"
    TABLE = "table"


EVERYWHERE = frozenset(Place)
AT_TABLES = frozenset({Place.SETUP, Place.TABLE})


@dataclass(frozen=True)
class Command:
    """Command by its `id`. `run` takes the words behind it, and raises BadAnswer where they mean nothing."""

    id: str
    run: Callable[[str], object]
    at: frozenset[Place] = EVERYWHERE

    @property
    def name(self) -> str:
        """The word that is typed."""
        return phrase(f"plain.command.{self.id}")

    @property
    def about(self) -> str:
        """Line of help: how it is typed, and what it does."""
        return phrase(f"plain.about.{self.id}")


class CommandBook:
    """All commands, by the word that is typed."""

    def __init__(self, commands: Iterable[Command]) -> None:
        self._by_name: Mapping[str, Command] = {command.name: command for command in commands}

    @property
    def names(self) -> list[str]:
        """The words of all commands."""
        return list(self._by_name)

    def exact(self, word: str, place: Place) -> Command | None:
        """Return the command of a word that holds here, None for any other word."""
        command = self._by_name.get(word.lower())
        return command if command is not None and place in command.at else None

    def find(self, word: str, place: Place) -> Command:
        """Return the command of a word, or of the beginning of one that holds here. Raises BadAnswer."""
        wanted = word.lower()
        here = {name: command for name, command in self._by_name.items() if place in command.at}
        if wanted in here:
            return here[wanted]
        begun = [name for name in here if len(wanted) > 1 and name.startswith(wanted)]
        if len(begun) == 1:
            return here[begun[0]]
        if len(begun) > 1:
            raise BadAnswer(phrase("plain.unknown.several", word=word, names=", ".join(begun)))
        if wanted in self._by_name:
            raise BadAnswer(phrase("plain.unknown.not_here", word=word))
        near = nearest(wanted, here)
        raise BadAnswer(
            phrase("plain.unknown.meant", word=word, near=near) if near else phrase("plain.unknown", word=word)
        )

    def help_lines(self, place: Place) -> Iterator[str]:
        """Yield a line for each command that holds here."""
        for command in self._by_name.values():
            if place in command.at:
                yield command.about
