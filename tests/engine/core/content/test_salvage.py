"""Documents read as far as they are sound."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from engine.core.content.content_schema import Entry, Id, Inches, Place
from engine.core.content.salvage import Salvage, salvage
from engine.core.content.toml_source import TomlSource
from engine.core.content.unsound import is_unsound
from engine.kit.values import KEYED, Keyed, Written, rows


class Kind(Written, frozen=True):
    id: Annotated[str, KEYED]
    cover: bool = False


class Piece(Entry):
    id: Id
    at: Place
    tags: list[Id] = Field(default_factory=list)
    turn: Literal["left", "right"] = "left"


class Table(Entry):
    size: Place
    minutes: Annotated[int, Field(ge=1)] = 30
    piece: list[Piece] = Field(default_factory=list)


class Row(Entry):
    number: int


class Sheet(Entry):
    kind: Keyed[Kind] = Field(default_factory=dict)
    table: Table | None = None
    rows_: Annotated[list[Row], rows(Row, 3), Field(alias="rows", default_factory=list)]


def read(toml: str) -> Salvage[Sheet]:
    return salvage("sheet.toml", TomlSource(toml), Sheet)


def told(salvaged: Salvage[Any]) -> list[tuple[str, str]]:
    return [(".".join(map(str, fault.loc)), fault.reason) for fault in salvaged.faults]


def test_all_but_the_faulty_values_is_there() -> None:
    found = read(
        '[table]\nsize = [4]\nminutes = 0\n[[table.piece]]\nid = "a"\nat = [1, "2"]\ntags = ["b", 3]\n'
        '[[table.piece]]\nid = 7\nat = [1, 2]\n[kind.woods]\ncover = "yes"\n[kind.hill]\n'
    )
    assert [place for place, _ in told(found)] == [
        "table.size",
        "table.minutes",
        "table.piece.0.at.1",
        "table.piece.0.tags.1",
        "table.piece.1.id",
        "kind.woods.cover",
    ]
    assert found.document is not None
    table, kinds = found.document.table, found.document.kind
    assert table is not None
    assert is_unsound(table.size)
    assert is_unsound(table.minutes)
    first, second = table.piece
    assert (first.id, is_unsound(first.at), is_unsound(first.tags)) == ("a", True, True)
    assert (is_unsound(second.id), second.at) == (True, (100, 200))
    assert (is_unsound(kinds["woods"].cover), kinds["hill"]) == (True, Kind("hill"))


@pytest.mark.parametrize(
    ("toml", "place", "reason"),
    [
        ("[table]\nsiez = [1, 2]\n", "table.siez", "no such key is known here; did you mean size?"),
        ("[table]\nsize = [1, 2]\nsizes = 3\n", "table.sizes", "no such key is known here; did you mean size?"),
        ("[table]\nsize = [1, 2]\ncolour = 3\n", "table.colour", "no such key is known here"),
        ("[tabel]\nsize = [1, 2]\n", "tabel", "no such key is known here; did you mean table?"),
        ("[kind.woods]\ncovers = true\n", "kind.woods.covers", "no such key is known here; did you mean cover?"),
        (
            '[table]\nsize = [1, 2]\npiece = [{ id = "a", at = [1, 2], turn = "rihgt" }]',
            "table.piece.0.turn",
            "Input should be 'left' or 'right'; did you mean right?",
        ),
    ],
)
def test_a_misspelt_word_is_one_fault_with_the_word_that_was_meant(toml: str, place: str, reason: str) -> None:
    found = read(toml)
    assert told(found) == [(place, reason)]
    assert found.document is not None
    if "siez" in toml or "tabel" in toml:
        assert found.document.table == Table(size=[1, 2])  # type: ignore[arg-type]


def test_faults_behind_a_misspelt_key_are_told_at_the_key_as_it_is_written() -> None:
    found = read("[tabel]\nsize = [1, 2]\nminuets = 0\n")
    assert [place for place, _ in told(found)] == ["tabel", "tabel.minuets", "tabel.minuets"]
    assert found.written(("table", "minutes")) == ("tabel", "minuets")
    assert found.written(("table", "size")) == ("tabel", "size")


def test_what_stood_on_a_line_that_is_no_toml_is_neither_missing_nor_left_out() -> None:
    found = read('[table]\nsize = = 3\n[[table.piece]]\nid = "a"\n')
    assert told(found) == [("table.piece.0.at", "this key is missing")]
    assert found.document is not None
    assert found.document.table is not None
    assert is_unsound(found.document.table.size)
    assert is_unsound(found.document.table.minutes), "it may have stood there"
    assert is_unsound(found.document.table.piece[0].at)
    assert found.document.table.piece[0].turn == "left"


@pytest.mark.parametrize("toml", ["nonsense", "[table\n[", "x = " + "[" * 20], ids=repr)
def test_of_a_file_that_gives_nothing_there_is_no_document(toml: str) -> None:
    assert read(toml).document is None


@pytest.mark.parametrize(
    "toml",
    ["table = 3\n", "[table]\npiece = 3\nsize = [1, 2]\n", "[kind]\nWoods = {}\n", "[kind]\nwoods = 3\n", "kind = 3\n"],
)
def test_a_value_that_cannot_be_read_in_part_is_unsound_as_a_whole(toml: str) -> None:
    found = read(toml)
    assert len(found.faults) == 1
    assert found.document is not None


def test_lengths_keep_their_own_reasons() -> None:
    class Ruler(Entry):
        length: Inches

    found = salvage("r", TomlSource("length = 1.234\n"), Ruler)
    assert "two decimals" in found.faults[0].reason
