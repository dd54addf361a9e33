"""The tables of docs/protocol.md: read from the page, and made of the program's own messages, to be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

import msgspec
from msgspec import inspect

from protocol.proof.facts import AnyFact
from protocol.scene import advice, cue_templates, fields, grid, nodes
from protocol.text import Text
from protocol.wire import (
    choices,
    client_message,
    faction_pages,
    from_client as said,
    from_server as told,
    host_claim,
    lessons,
    list_form,
    on_now,
    order,
    people,
    results,
    table_lists,
)

Row = tuple[str, str]
"""Type and default of a field, in the page's words."""
Tables = dict[str, dict[str, Row]]

RECORDS: Final[Mapping[str, type[msgspec.Struct]]] = {
    "Text": Text,
    "ReportedLine": said.ReportedLine,
    "Resume": said.Resume,
    "Change": list_form.Change,
    "HostClaim": host_claim.HostClaim,
    "SystemChoice": choices.SystemChoice,
    "ScenarioChoice": choices.ScenarioChoice,
    "Lesson": lessons.Lesson,
    "LessonStep": lessons.LessonStep,
    "LessonEnd": lessons.LessonEnd,
    "OptionChoice": choices.OptionChoice,
    "ValueChoice": choices.ValueChoice,
    "FactionChoice": choices.FactionChoice,
    "FactionSheet": faction_pages.FactionSheet,
    "FactionUnit": faction_pages.FactionUnit,
    "FactionRule": faction_pages.FactionRule,
    "ReadyList": faction_pages.ReadyList,
    "TableRow": table_lists.TableRow,
    "Counts": table_lists.Counts,
    "ResultRow": results.ResultRow,
    "ResultSeat": results.ResultSeat,
    "PlayedView": results.PlayedView,
    "RatingView": results.RatingView,
    "Leader": results.Leader,
    "SeatView": told.SeatView,
    "VoteView": told.VoteView,
    "Role": told.Role,
    "Watcher": told.Watcher,
    "ClockView": told.ClockView,
    "PersonRow": people.PersonRow,
    "ReportRow": order.ReportRow,
    "ReportedWords": order.ReportedWords,
    "SanctionRow": order.SanctionRow,
    "AuditRow": order.AuditRow,
    "AnnouncementRow": order.AnnouncementRow,
    "OnNowRow": on_now.OnNowRow,
    "OnNowSeat": on_now.OnNowSeat,
    "OnNowCounter": on_now.OnNowCounter,
    "CueTemplate": cue_templates.CatalogueTemplate,
    "ListForm": list_form.ListForm,
    "FormSection": list_form.FormSection,
    "Cue": nodes.Cue,
    "Act": nodes.Act,
    "ToldFrame": told.ToldFrame,
    "Dice": nodes.Dice,
    "Card": nodes.Card,
    "Choice": nodes.Choice,
    "UndoState": nodes.UndoState,
    "Option": fields.Option,
    "Barred": fields.Barred,
    "Band": fields.Band,
    "Gesture": advice.Gesture,
    "Target": advice.Target,
    "Forecast": advice.Forecast,
    "ForecastPool": advice.ForecastPool,
    "ForecastLine": advice.ForecastLine,
    "ForecastBack": advice.ForecastBack,
    "Grid": grid.Grid,
    "SeatResult": nodes.SeatResult,
    "SideResult": nodes.SideResult,
    "Series": nodes.Series,
    "Condition": nodes.Condition,
}
"""Maps (and one list) without a tag, by their names on the page."""
UNIONS: Final = {
    "Messages of the client": said.FromClient,
    "Messages of the server": told.FromServer,
    "Nodes": nodes.AnyNode,
    "Fields": fields.AnyField,
    "Facts": AnyFact,
    "Rows of a form": list_form.AnyControl,
}
"""What has a tag, by the headings under which its tables stand."""
COMMON: Final[Mapping[str, type[msgspec.Struct]]] = {"Fields": fields.Field, "Rows of a form": list_form.Control}
"""What all kinds of a heading have, which stands there once, as "every"."""
ANY: Final = {"node": nodes.AnyNode, "field": fields.AnyField, "fact": AnyFact, "row": list_form.AnyControl}
VALUES: Final = {
    (said.Intent, "fields"),
    (said.DetailRequest, "fields"),
    (said.Propose, "fields"),
    (told.Proposed, "fields"),
}
POWERS: Final = {2**31: "2^31", -(2**31): "-2^31", 2**53: "2^53"}

_STRUCT_ROW: Final = re.compile(r"^\| \*\*(`?)(\w+)`?\*\* \|")
_FIELD_ROW: Final = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$")


def tag_of(kind: type[msgspec.Struct]) -> str:
    """The tag by which a kind travels."""
    return str(kind.__struct_config__.tag)


def made() -> dict[str, Tables]:
    """The tables by heading ("Records" for what has no tag), as the program has them."""
    found = {heading: {tag_of(kind): rows_of(kind) for kind in get_args(union)} for heading, union in UNIONS.items()}
    for heading, base in COMMON.items():
        shared = rows_of(base)
        for rows in found[heading].values():
            assert {name: rows.pop(name) for name in shared} == shared
        found[heading]["every"] = shared
    return {**found, "Records": {name: rows_of(kind) for name, kind in RECORDS.items()}}


def rows_of(kind: type[msgspec.Struct]) -> dict[str, Row]:
    """The fields of a kind by their names on the wire."""
    known = inspect.type_info(kind)
    assert isinstance(known, inspect.StructType)
    return {
        field.encode_name: ("values" if (kind, field.name) in VALUES else type_word(field.type), default_word(field))
        for field in known.fields
    }


def default_word(field: inspect.Field) -> str:
    """What a field that does not travel stands for."""
    value = field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
    if value is msgspec.NODEFAULT:
        return "required"
    if value is None:
        return "absent"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple | list):
        return str(list(value))
    if isinstance(value, dict | msgspec.Struct):
        return "{}"
    return "empty" if value == b"" else str(value)


def type_word(found: inspect.Type) -> str:
    """A type in the page's words."""
    match found:
        case inspect.UnionType():
            return _union_word(found)
        case inspect.StructType():
            return next((name for name, kind in RECORDS.items() if kind is found.cls), tag_of(found.cls))
        case inspect.LiteralType():
            return " / ".join(f'"{value}"' for value in sorted(map(str, found.values)))
        case inspect.ListType() | inspect.VarTupleType():
            return f"[{type_word(found.item_type)}]{_span(found.min_length, found.max_length)}"
        case inspect.TupleType():
            return f"[{', '.join(map(type_word, found.item_types))}]"
        case inspect.DictType():
            inner = f"{type_word(found.key_type)}: {type_word(found.value_type)}"
            return f"{{{inner}}}{_span(found.min_length, found.max_length)}"
        case inspect.StrType():
            return _str_word(found)
        case inspect.BytesType():
            return f"bytes{_span(found.min_length, found.max_length)}"
        case inspect.IntType():
            return f"int{_span(found.ge, found.le)}"
        case inspect.BoolType():
            return "bool"
        case inspect.AnyType() | inspect.CustomType():
            return "any"
    raise TypeError(found)


def _union_word(found: inspect.UnionType) -> str:
    kinds = [one for one in found.types if not isinstance(one, inspect.NoneType)]
    optional = "?" if len(kinds) < len(found.types) else ""
    structs = {one.cls for one in kinds if isinstance(one, inspect.StructType)}
    for name, union in ANY.items():
        if structs == set(get_args(union)):
            return name + optional
    return " / ".join(sorted(map(type_word, kinds))) + optional


def _str_word(found: inspect.StrType) -> str:
    pattern = (found.pattern or "").removeprefix("^").removesuffix(r"\Z")
    span = _span(found.min_length, found.max_length)
    if pattern == client_message.PLAIN.removeprefix("^").removesuffix(r"\Z"):
        return f"name{span}"
    return f"str{span}" + (f" of {pattern}" if pattern else "")


def _span(least: int | None, most: int | None) -> str:
    if least is None and most is None:
        return ""
    low, high = (POWERS.get(value, str(value)) for value in (least or 0, most or 0))
    return f" {low}" if least == most else f" {low}..{high}"


def read(page: str) -> dict[str, Tables]:
    """The tables of a page by heading. Raises AssertionError where one stands twice."""
    found: dict[str, Tables] = {heading: {} for heading in (*UNIONS, "Records")}
    heading, rows = "", {}
    for line in page.splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        elif (struct := _STRUCT_ROW.match(line)) is not None:
            place = found[heading if struct[1] else "Records"]
            assert struct[2] not in place, struct[2]
            rows = place[struct[2]] = {}
        elif (field := _FIELD_ROW.match(line)) is not None:
            rows[field[1]] = _plain(field[2]), _plain(field[3])
        elif not line.startswith("|"):
            rows = {}
    return found


def _plain(cell: str) -> str:
    return cell.strip().replace("`", "")


def listed(page: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading of any level, without its head."""
    below = page.split(f"# {heading}\n", 1)[1]
    lines: list[str] = []
    for line in below.splitlines():
        if line.startswith("|"):
            lines.append(line)
        elif lines:
            break
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in _without_head(lines)]


def _without_head(lines: Iterable[str]) -> list[str]:
    return list(lines)[2:]


def example(value: Any) -> str:
    """A value as the page writes it beside a frame: JSON, with bytes as h'...'."""
    match value:
        case bytes():
            return f"h'{value.hex()}'"
        case dict():
            return "{" + ", ".join(f"{example(key)}: {example(inner)}" for key, inner in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(example, value)) + "]"
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case bool():
            return str(value).lower()
        case None:
            return "nil"
    return str(value)
