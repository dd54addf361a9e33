"""Sources of settings: the command line goes before the environment, that before a settings file, that before defaults.

The environment's part is the command line's library's; the file's part, and who overrode whom, is told here.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_origin, get_type_hints

from cyclopts import Parameter, Token

from protocol import near_names
from server.cli.settings.settings import PREFIX, ServerSettings
from server.runtime.errors import CommandError

if TYPE_CHECKING:
    from cyclopts import App, Argument, ArgumentCollection

MOST_BYTES: Final = 65_536
"""Most bytes of a settings file."""
FILE_KEY: Final = "settings"
"""The setting that names the file, and cannot stand in it."""
EITHER: Final = ("store", "store-file")
"""Two settings of one thing: that of the stronger source counts."""
NEAR: Final = 0.5
DEFAULT: Final = "default"


class Setting(NamedTuple):
    """One row of the table."""

    key: str
    parameter: Parameter
    field: str

    @property
    def option(self) -> str:
        """Name on the command line."""
        return f"--{self.key}"

    @property
    def variable(self) -> str:
        """Name in the environment."""
        return PREFIX + self.field.upper()


class Origin(NamedTuple):
    """Source of a value (an option, a variable, a file or the default), and those that it went before."""

    source: str
    overrode: tuple[str, ...]


def all_settings() -> list[Setting]:
    """Return the table, in its order."""
    hints = get_type_hints(ServerSettings, include_extras=True)
    return [
        Setting(field.name.replace("_", "-"), hints[field.name].__metadata__[0], field.name)
        for field in fields(ServerSettings)
    ]


def page_table() -> list[str]:
    """Return the rows of the table in docs/operating.md."""
    return [
        f"| `{f'{each.option} {each.parameter.metavar}'.strip()}` | {each.parameter.show_default} | "
        f"{each.parameter.help} |"
        for each in all_settings()
    ]


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Return a sentence for each variable that looks like a setting and is none."""
    known = [each.variable for each in all_settings()]
    return [
        f"{name} is no setting.{nearest(name, known)}"
        for name in sorted(environment)
        if name.startswith(PREFIX) and name not in known
    ]


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a question after the name that was meant, empty where none is near."""
    found = near_names.nearest(name, known, NEAR)
    return f" Did you mean {found}?" if found else ""


class SettingSources:
    """The command line's hook: gives each setting that is still open what the file says of it."""

    def __init__(self) -> None:
        self.origins: dict[str, Origin] = {}
        """Origins of the last command's settings, by key."""

    def __call__(self, app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
        """Read the sources of these arguments. Raises CommandError."""
        found = {key: argument for argument in arguments if (key := _key(argument))}
        if not found:
            return
        path = _path(found.get(FILE_KEY))
        held = read_settings(path) if path is not None else {}
        self.origins = {}
        for key, argument in found.items():
            given = _given(key, argument, path if key in held else None)
            self.origins[key] = Origin((given or [DEFAULT])[0], tuple(given[1:]))
            if key in held and not argument.tokens:
                _take(argument, key, held[key], str(path))
        self._choose(found)
        if commands[-1:] != ("serve",):
            for sentence in unknown_variables(os.environ):
                print(sentence, file=sys.stderr)

    def _choose(self, found: Mapping[str, Argument]) -> None:
        """Of two settings of one thing, leave that of the stronger source. Equal ones are the command's to refuse."""
        if not all(key in found and found[key].tokens for key in EITHER):
            return
        strong, weak = sorted(EITHER, key=lambda key: _rank(found[key]))
        if _rank(found[strong]) < _rank(found[weak]):
            found[weak].tokens.clear()
            source, overrode = self.origins[weak]
            over = self.origins[strong]
            self.origins[strong] = Origin(over.source, (*over.overrode, source, *overrode))
            self.origins[weak] = Origin(f"--{strong} instead", ())


def read_settings(path: Path) -> dict[str, object]:
    """Read a settings file. Raises CommandError where it cannot be read or holds what is no setting."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise CommandError(f"{path} is no file of settings: it has more than {MOST_BYTES} bytes.")
        held = tomllib.loads(data.decode())
    except OSError as problem:
        raise CommandError(f"The settings in {path} cannot be read: {problem.strerror or problem}.", 1) from problem
    except ValueError as problem:
        raise CommandError(f"The settings in {path} are not TOML: {problem}.") from problem
    known = [each.key for each in all_settings() if each.key != FILE_KEY]
    problems = [f"{path}: {key!r} is no setting.{nearest(key, known)}" for key in held if key not in known]
    if problems:
        raise CommandError("\n".join(problems))
    return held


def _key(argument: Argument) -> str:
    """Return the key of an argument that is a setting, empty for others."""
    for name in argument.parameter.env_var or ():
        if name.startswith(PREFIX):
            return name.removeprefix(PREFIX).lower().replace("_", "-")
    return ""


def _path(argument: Argument | None) -> Path | None:
    return Path(argument.tokens[0].value) if argument is not None and argument.tokens else None


def _given(key: str, argument: Argument, path: Path | None) -> list[str]:
    """Return all sources that give a setting, the strongest first."""
    variable = PREFIX + key.replace("-", "_").upper()
    return [
        *([f"--{key}"] if _is_option(argument) else []),
        *([variable] if os.environ.get(variable) else []),
        *([str(path)] if path is not None else []),
    ]


def _is_option(argument: Argument) -> bool:
    return bool(argument.tokens) and argument.tokens[0].source == "cli"


def _rank(argument: Argument) -> int:
    """Return 0 for the strongest source of a value."""
    return {"cli": 0, "env": 1}.get(argument.tokens[0].source, 2)


def _take(argument: Argument, key: str, value: object, source: str) -> None:
    """Give an argument what the file holds. Raises CommandError for a kind of value that it cannot have."""
    is_list = get_origin(argument.hint) is tuple
    values = value if is_list and isinstance(value, list) else [value]
    for index, each in enumerate(values):
        argument.append(Token(keyword=key, value=_text(each, argument.hint, key, source), source=source, index=index))


def _text(value: object, hint: Any, key: str, source: str) -> str:
    kind = float if hint == float | None else hint
    if isinstance(value, bool) and kind is bool:
        return str(value).lower()
    if isinstance(value, (int, float)) and not isinstance(value, bool) and kind is float:
        return str(value)
    if isinstance(value, str) and kind not in (bool, float):
        return value
    wanted = {bool: "true or false", float: "a number"}.get(kind, "text in quotes")
    raise CommandError(f"{source}: {key} must be {wanted}.")
