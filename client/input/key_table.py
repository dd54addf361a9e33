"""The table of keys: what each key does and where, as it is (keys.toml) or as the person has changed it. No window."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from client.text.phrases import named
from protocol.words import read_toml

EVERYWHERE: Final = "all"
AT_TABLE: Final = ("table", "board", "chat")
AT_REPLAY: Final = ("replay", "board")
TOGETHER: Final = (AT_TABLE, AT_REPLAY)
"""Places where keys act at the same time; those of any other place act alone."""
ARROWS: Final = ("left", "right", "up", "down")
HELD: Final = ("ctrl", "alt", "shift")


class KeyAction(msgspec.Struct, frozen=True):
    """Action, or row of actions, with a key for each; `on`: the places where they hold. `fixed` keys cannot be
    changed; without `bare` no letter or digit alone may be one of them."""

    id: str
    keys: tuple[str, ...]
    on: tuple[str, ...]
    fixed: bool = False
    bare: bool = True


ACTIONS: Final = {
    action.id: action for action in msgspec.convert(read_toml(__package__, "keys")["action"], list[KeyAction])
}
"""Every action of the program by id, with its keys as they are at first."""


class KeyTable:
    """Keys of one person. `changes`: the keys of those actions that have others than at first, by id, in place."""

    def __init__(self, changes: dict[str, list[str]] | None = None) -> None:
        self.changes = changes if changes is not None else {}

    def keys_of(self, action: str) -> tuple[str, ...]:
        """Return the keys of an action; those at first where what was changed does not fit any more."""
        first, changed = ACTIONS[action], self.changes.get(action, ())
        fits = len(changed) == len(first.keys) and not first.fixed
        return tuple(changed) if fits else first.keys

    def which(self, chord: str, action: str) -> int | None:
        """Return the number of the action's key that this is, counted from 0; None where it is none of them."""
        keys = self.keys_of(action)
        return keys.index(chord) if chord in keys else None

    def shown(self, action: str, number: int | None = None) -> str:
        """Return the keys of an action, or one of them, as they are shown."""
        keys = self.keys_of(action)
        if number is not None:
            return words_of_chord(keys[number])
        held = keys[0].rpartition("+")[0]
        if keys == tuple(f"{held}+{way}" if held else way for way in ARROWS):
            return words_of_chord(f"{held}+arrows" if held else "arrows")
        return ", ".join(words_of_chord(key) for key in keys)

    def holding(self, places: Collection[str]) -> list[str]:
        """Return the actions that hold at any of these places, in order."""
        known = {EVERYWHERE, *places}
        return [action.id for action in ACTIONS.values() if known.intersection(action.on)]

    def letters(self, places: Collection[str]) -> frozenset[str]:
        """Return the single letters, in lower case, that have a meaning at any of these places."""
        keys = {key for action in self.holding(places) for key in self.keys_of(action)}
        return frozenset(key for key in keys if len(key) == 1 and key.isalpha())

    def conflicts(self, action: str, chord: str) -> list[str]:
        """Return the actions that have this key already where `action` holds, or at places whose keys act with its own,
        itself among them."""
        places = {*ACTIONS[action].on}
        beside = {place for group in TOGETHER if places.intersection(group) for place in group}
        rivals = ACTIONS if EVERYWHERE in places else self.holding(places | beside)
        return [other for other in rivals if chord in self.keys_of(other)]

    def change(self, action: str, number: int, chord: str) -> None:
        """Give one of an action's keys another."""
        keys = list(self.keys_of(action))
        keys[number] = chord
        self.changes[action] = keys
        if tuple(keys) == ACTIONS[action].keys:
            del self.changes[action]

    def reset(self) -> None:
        """Go back to the keys at first."""
        self.changes.clear()


@dataclass(frozen=True)
class KeyPress:
    """Key that went down, by its name with those that are held ("ctrl+z"), and what it means to this person."""

    chord: str
    table: KeyTable

    def which(self, action: str) -> int | None:
        """Return the number of the action's key that this is, counted from 0; None where it is none of them."""
        return self.table.which(self.chord, action)

    def means(self, action: str) -> bool:
        """Return True if this is one of the action's keys."""
        return self.which(action) is not None

    @property
    def letter(self) -> str:
        """The letter, "" for any other key."""
        return self.chord if len(self.chord) == 1 and self.chord.isalpha() else ""

    @property
    def digit(self) -> str:
        """The digit, "" for any other key."""
        return self.chord if len(self.chord) == 1 and self.chord.isdigit() else ""


def words_of_chord(chord: str) -> str:
    """Return a key with those that are held, as it is shown: "ctrl+page_up" is "Ctrl+PageUp"."""
    parts = []
    while chord.partition("+")[0] in HELD and chord not in HELD:
        held, _, chord = chord.partition("+")
        parts.append(named("key", held))
    is_sign = len(chord) == 1 or (chord[0] == "f" and chord[1:].isdigit())
    return "+".join([*parts, chord.upper() if is_sign else named("key", chord)])


def choices_by_letter(keys: Mapping[str, str], taken: frozenset[str]) -> dict[str, str]:
    """Return ids by the letter that each suggests (`keys`, by id), where no action and no earlier one has it."""
    found: dict[str, str] = {}
    for id, suggested in keys.items():
        letter = suggested.lower()
        if len(letter) == 1 and letter.isalpha() and letter not in taken:
            found.setdefault(letter, id)
    return found
