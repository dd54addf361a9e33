"""TOML texts: values, every fault of form at once, and the line of any key."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from engine.core.content.toml_source import MOST_DEPTH, MOST_FAULTS, FormFault, TomlSource

SOUND = """\
title = "Low Water"
[unit.reach]
"long gun" = 24.5
[[row]]
names = [
  "a",
  "b",
]
at = { x = 1, y.z = 2 }
"""


def test_a_sound_text_has_its_values_and_no_faults() -> None:
    source = TomlSource(SOUND)
    assert source.faults == ()
    assert source.values["unit"] == {"reach": {"long gun": Decimal("24.5")}}
    assert source.values["row"] == [{"names": ["a", "b"], "at": {"x": 1, "y": {"z": 2}}}]


@pytest.mark.parametrize(
    ("loc", "line"),
    [
        (("title",), 1),
        (("unit", "reach"), 2),
        (("unit", "reach", "long gun"), 3),
        (("unit", "reach", "short gun"), 2),
        (("row",), 4),
        (("row", 0), 4),
        (("row", 0, "names", 1), 7),
        (("row", 0, "at", "y", "z"), 9),
        (("row", 1, "names"), 4),
        (("gone", "key"), 1),
        ((), 1),
    ],
    ids=str,
)
def test_a_line_is_that_of_the_innermost_thing_that_is_there(loc: tuple[str | int, ...], line: int) -> None:
    assert TomlSource(SOUND).line_of(loc) == line


def test_a_line_is_found_for_nested_arrays() -> None:
    toml = "[a]\nx = 1\n[[a.b]]\n[[a.b.c]]\ny = 1\n[[a.b]]\n[[a.b.c]]\n[[a.b.c]]\ny = 2\n"
    assert TomlSource(toml).line_of(("a", "b", 0, "c", 0, "y")) == 5
    assert TomlSource(toml).line_of(("a", "b", 1, "c", 1, "y")) == 9
    assert TomlSource(toml).line_of(("a", "b", 1, "c", 1, "z")) == 8
    assert TomlSource(toml).line_of(("q",)) == 1


def test_all_faults_are_told_and_what_stands_on_other_lines_is_read() -> None:
    source = TomlSource("a = 1\nb = = 2\nc = 3\na = 4\ne = 5\nf = @\n")
    assert [fault.line for fault in source.faults] == [2, 4, 6]
    assert all(fault.reason for fault in source.faults)
    assert source.values == {"a": 1, "c": 3, "e": 5}


@pytest.mark.parametrize("head", ["[unit", "unit]", "[[unit]", "[unit]]", "[ unit # the first"], ids=str)
def test_a_tables_head_that_lacks_a_bracket_is_read_all_the_same(head: str) -> None:
    source = TomlSource(f"a = 1\n{head}\nsize = 2\nmove = = 3\n")
    assert [fault.line for fault in source.faults] == [2, 4]
    is_array = "[[" in head or "]]" in head
    assert source.values == {"a": 1, "unit": [{"size": 2}] if is_array else {"size": 2}}
    assert source.line_of(("unit", 0, "size") if is_array else ("unit", "size")) == 3


@pytest.mark.parametrize("text", ["x = [\n  1,\n  true]\n", 'x = [\n  "a"]\n', "x = [ [1],\n  [2] ]\n"], ids=repr)
def test_the_end_of_a_list_is_no_head(text: str) -> None:
    source = TomlSource(f"{text}y = = 1\n")
    assert [fault.line for fault in source.faults] == [text.count("\n") + 1]
    assert set(source.values) == {"x"}


def test_where_a_tables_head_cannot_be_told_nothing_is_read_into_another_table() -> None:
    source = TomlSource("a = 1\n[unit]\nx = 1\n[unit]\nsize = 2\n")
    assert [fault.line for fault in source.faults] == [4]
    assert source.values == {}


@pytest.mark.parametrize(
    ("text", "line", "values"),
    [
        ('w = ["a", "b"\n[[x]]\ny = 1\n', 1, {"x": [{"y": 1}]}),
        ("a = [\n 1,\n 2\nb = 3\n", 1, {"b": 3}),
        ("x = [\n  [1, 2],\n  [3 4],\n]\ny = 1\n", 3, {"y": 1}),
        ("x = [1 2]\ny = 2\n", 1, {"y": 2}),
    ],
)
def test_a_list_that_is_not_closed_is_one_fault_where_it_stands(text: str, line: int, values: object) -> None:
    source = TomlSource(text)
    assert ([fault.line for fault in source.faults], source.values) == ([line], values)


def test_tables_are_torn_whose_keys_could_not_be_read() -> None:
    source = TomlSource("a = 1\n[unit]\nsize = = 2\n[[row]]\nx = 1\n[[row]]\nx = @\n")
    assert source.torn == {("unit",), ("row", 1)}
    assert TomlSource("a = = 1\n").torn == {()}
    assert TomlSource("[unit\nsize = 2\n").torn == frozenset(), "nothing of it is lost"
    assert TomlSource("a = 1\n").torn == frozenset()


def test_no_more_than_so_many_faults_are_told() -> None:
    assert len(TomlSource("a = = 1\n" * (MOST_FAULTS + 5)).faults) == MOST_FAULTS


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("ok = 1\n" + ".".join("k" * (MOST_DEPTH + 1)) + " = 1\n", 2, "a key of more than 8 parts"),
        ("ok = 1\nx = " + "[" * MOST_DEPTH + "]" * MOST_DEPTH, 2, "more than 8 tables or lists inside one another"),
        ("x = " + "[" * 5000, 1, "more than 8 tables or lists inside one another"),
    ],
    ids=["key", "lists", "beyond the stack"],
)
def test_what_is_too_deep_is_one_fault_and_gives_no_values(text: str, line: int, reason: str) -> None:
    source = TomlSource(text)
    assert source.faults == (FormFault(line, reason),)
    assert source.values == {}


def test_what_is_just_deep_enough_is_read() -> None:
    assert TomlSource("x = " + "[" * (MOST_DEPTH - 1) + "]" * (MOST_DEPTH - 1)).faults == ()
    assert TomlSource(".".join("k" * MOST_DEPTH) + " = 1").faults == ()


def test_a_number_that_cannot_be_converted_is_a_fault() -> None:
    (fault,) = TomlSource("x = " + "9" * 5000).faults
    assert fault.line == 1


@given(st.text(alphabet="ab=[]{}.\"'#,1 \n", max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    source = TomlSource(text)
    assert all(1 <= fault.line <= max(1, len(text.splitlines())) for fault in source.faults)
    assert [fault.line for fault in source.faults] == sorted({fault.line for fault in source.faults})
