"""Form of an army list, given by a server and drawn by a client: sections of rows to be counted, chosen and switched.

The client knows nothing of what it is about. It says what was done to which row (`Change`) and is given the form anew.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from protocol.text import Text


class Control(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="f"):
    """Base of all rows that something can be done to. `id` names it in a Change; `note`: what it costs, or the like, at
    its end; `hint`: more about it."""

    id: str
    label: Text
    note: Text | None = None
    hint: tuple[Text, ...] = ()
    inset: int = 0


class Count(Control, frozen=True, tag="count"):
    """Number of something: `least` to `most`."""

    value: int = 0
    least: int = 0
    most: int = 99


class Switch(Control, frozen=True, tag="switch"):
    """Thing that is so or not: a change to 1 or 0."""

    on: bool = False


class Pick(Control, frozen=True, tag="pick"):
    """Choice of one of `options`, by its place."""

    options: tuple[Text, ...] = ()
    value: int = 0


class Button(Control, frozen=True, tag="button"):
    """Thing to do, once for each change."""


AnyControl = Count | Switch | Pick | Button


class FormSection(msgspec.Struct, frozen=True, omit_defaults=True):
    """Rows under a heading. `aside`: they stand in a column of their own, beside the others."""

    title: Text
    rows: tuple[AnyControl, ...] = ()
    aside: bool = False


class ListForm(msgspec.Struct, frozen=True, omit_defaults=True):
    """Form of a list as it stands. `draft`: what to send back with a change; `total`: what is counted so far, and
    against what; `faults`: everything that is wrong; without any it may be brought to the table. `file`: the list as a
    file to keep; `faction`: the id of the one that it is for."""

    draft: str
    title: Text
    total: Text
    sections: tuple[FormSection, ...]
    faults: tuple[Text, ...] = ()
    file: str = ""
    faction: str = ""


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Change to a row: its new value."""

    row: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_./:-]+\Z")]
    value: Annotated[int, Meta(ge=0, le=999)]
