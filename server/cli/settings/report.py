"""`eschaton-server settings`: each setting, its value, where that came from and what it went before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from server.cli.settings.settings import ServerSettings
from server.cli.settings.sources import DEFAULT, Origin, Setting, all_settings
from server.store.choice import without_password


class SettingLine(NamedTuple):
    """One line of the report."""

    setting: str
    value: str
    source: str
    overrode: tuple[str, ...]


def rows(given: ServerSettings, origins: Mapping[str, Origin]) -> list[SettingLine]:
    """Return all settings as they hold."""
    found = []
    for each in all_settings():
        origin = origins.get(each.key, Origin(DEFAULT, ()))
        found.append(SettingLine(each.key, _shown(each, getattr(given, each.field)), *origin))
    return found


def run(given: ServerSettings, origins: Mapping[str, Origin], *, as_json: bool) -> int:
    """Print them, one a line."""
    found = rows(given, origins)
    if as_json:
        for row in found:
            print(json.dumps(row._asdict()))
        return 0
    name, value = (max(len(row[column]) for row in found) for column in (0, 1))
    for row in found:
        over = f", over {' and '.join(row.overrode)}" if row.overrode else ""
        print(f"{row.setting:{name}}  {row.value:{value}}  {row.source}{over}")
    return 0


def _shown(setting: Setting, value: object) -> str:
    """Return a value in words, without the password that a store may have."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        value = " ".join(value)
    if value is None or value == "":
        return str(setting.parameter.show_default)
    return without_password(str(value)) if setting.key == "store" else str(value)
