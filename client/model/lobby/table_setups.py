"""Set-ups of tables that a person keeps: all that an owner chooses, but the table's name, date, password and people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from protocol.wire.choices import OptionChoice
from protocol.wire.from_client import ChangeTable
from protocol.wire.from_server import TableView

NOT_KEPT: Final = ("name", "begins", "password")
OF_RANKED: Final = ("scenario", "private", "staying", "ranked")
"""Settings that are chosen at a ranked table; the rest is fixed there."""


class TableSetup(msgspec.Struct, frozen=True, omit_defaults=True):
    """Set-up for tables of a rule system, as the change that an owner asks for."""

    system: str
    change: ChangeTable


def setup_of(table: TableView, options: Sequence[OptionChoice]) -> TableSetup:
    """Return the set-up of a table. `options`: those of the rules that its scenario has."""
    fields = [name for name in ChangeTable.__struct_fields__ if name not in (*NOT_KEPT, "options")]
    found: dict[str, Any] = {name: getattr(table, name) for name in fields if not table.ranked or name in OF_RANKED}
    if not table.ranked:
        found["options"] = {one.key: table.options.get(one.key, one.default) for one in options}
    return TableSetup(table.system, ChangeTable(**found))


def written(setup: TableSetup) -> str:
    """Return a set-up as a file has it."""
    return msgspec.json.format(msgspec.json.encode(setup)).decode()


def read_setup(text: str) -> TableSetup:
    """Return the set-up that a file has. Raises msgspec.MsgspecError."""
    return msgspec.json.decode(text, type=TableSetup)
