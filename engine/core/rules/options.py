"""Options of the rules: what a table may choose beside its scenario, as a system declares it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.core.rules.errors import SetupRefused
from protocol.text import Text, text
from protocol.wire.choices import OptionValue

Kind: TypeAlias = Literal["flag", "number", "one_of"]
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")


class NamedValue(NamedTuple):
    """A value of an option that is one of several."""

    id: str
    name: Text


class RuleOption(NamedTuple):
    """An option: a flag (yes or no), a number from `low` to `high`, or one of `choices`.

    `default` is its value where nobody chooses. `scenarios`: the ids of those that have it, empty for all; the forms of
    a scenario for other numbers of players count as that one.
    """

    key: str
    name: Text
    hint: Text
    kind: Kind
    default: OptionValue
    low: int = 0
    high: int = 0
    choices: tuple[NamedValue, ...] = ()
    scenarios: tuple[str, ...] = ()

    def allows(self, value: object) -> bool:
        """Tell whether this may be its value."""
        match self.kind:
            case "flag":
                return isinstance(value, bool)
            case "number":
                return isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high
            case "one_of":
                return value in [choice.id for choice in self.choices]

    def read(self, word: str) -> OptionValue | None:
        """Return the value that a word of a command line stands for: yes, no, a number, an id. None for none."""
        if self.kind == "flag":
            return FLAGS.get(word.lower())
        if self.kind == "number":
            return int(word) if _NUMBER.fullmatch(word) and self.allows(int(word)) else None
        return word if self.allows(word) else None


FLAGS: Final = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


class TablePace(NamedTuple):
    """The usual clock of a system's tables, in seconds: for a decision, in reserve, and for a reaction at least."""

    seconds: int = 60
    bank: int = 600
    reaction_seconds: int = 3


def options_of(options: Iterable[RuleOption], scenario: str, form_of: str = "") -> tuple[RuleOption, ...]:
    """Return the options that a scenario has."""
    return tuple([o for o in options if not o.scenarios or scenario in o.scenarios or form_of in o.scenarios])


def all_values(options: Sequence[RuleOption], given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Return the value of every option, chosen or default. Raises SetupRefused for a key that is none of these, or a
    value that its option does not allow."""
    known = {option.key: option for option in options}
    for key, value in given.items():
        if key not in known:
            raise SetupRefused(text("option.unknown", option=key))
        if not known[key].allows(value):
            raise SetupRefused(text("option.wrong", option=known[key].name, value=str(value)))
    return {key: given.get(key, option.default) for key, option in known.items()}


def kept_values(options: Sequence[RuleOption], given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Return those of the values given that these options still allow, without those that are the default."""
    known = {option.key: option for option in options}
    return {k: v for k, v in given.items() if k in known and known[k].allows(v) and v != known[k].default}


def fault_of(option: RuleOption) -> str:
    """Return what is wrong with an option as declared, "" where nothing is."""
    if not option.allows(option.default):
        return f"option {option.key}: its default {option.default!r} is none of its values"
    return ""
