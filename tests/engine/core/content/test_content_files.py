"""Files of content: every fault of all of them at once, by file, line, key and reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from pydantic import Field

from engine.core.content.content_files import ContentFault, Unread, as_ruled, defined_twice, read, used_twice
from engine.core.content.content_schema import Entry
from engine.core.rules.errors import ContentRefused
from tools.rule_proof.switches import disabled


class Unit(Entry):
    id: str
    size: int = 1


class Army(Entry):
    unit: list[Unit] = Field(default_factory=list)


def complaints(documents: Mapping[str, Army], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    """Yield a fault for an army without units; files that could not be read have none."""
    for file, army in documents.items():
        if not army.unit:
            yield file, ContentFault((), f"no units, and {len(unread)} files unread")


def faults(**texts: str) -> tuple[str, ...]:
    with pytest.raises(ContentRefused) as raised:
        read(texts, Army, complaints)
    return raised.value.problems


def test_sound_files_are_given_as_written_and_as_checked() -> None:
    raw, documents = read({"one": '[[unit]]\nid = "a"\n'}, Army, complaints)
    assert raw == {"one": {"unit": [{"id": "a"}]}}
    assert documents == {"one": Army(unit=[Unit(id="a")])}


def test_all_faults_of_all_files_are_told_in_their_order() -> None:
    told = faults(
        two='[[unit]]\nsize = 2\n[[unit]]\nid = "b"\nsise = 3\n', one="", bad="[[unit]]\nid = = 1\nsize = 0.5\n"
    )
    assert told[:3] == (
        "two:1: unit.0.id: this key is missing",
        "two:5: unit.1.sise: no such key is known here; did you mean size?",
        "one:1: file: no units, and 0 files unread",
    )
    assert [line.partition(" ")[0] for line in told[3:]] == ["bad:2:", "bad:3:"]
    assert len(set(told)) == len(told)


def test_a_key_on_a_line_that_is_no_toml_is_not_missed_too() -> None:
    (told,) = faults(bad="[[unit]]\nid = = 1\n")
    assert told.startswith("bad:2: ")


def test_what_is_there_twice_is_told_by_its_place() -> None:
    assert list(used_twice(("table", "row"), ["a", "b", "a"])) == [
        ContentFault(("table", "row", 2, "id"), "the id a is used twice")
    ]
    assert list(used_twice(("row",), ["a", "a"], "name")) == [
        ContentFault(("row", 1, "name"), "the name a is used twice")
    ]
    files = {"one": [(("map", "id"), "a"), (("card", "id"), "b")], "two": [(("map", "id"), "b"), (("map", "id"), "a")]}
    assert list(defined_twice(files)) == [("two", ContentFault(("map", "id"), "a is defined in one too"))]


def test_in_play_documents_are_those_that_were_checked() -> None:
    raw, documents = read({"one": '[[unit]]\nid = "a"\nrule = "XX-UNIT-01"\n'}, Army, complaints)
    assert next(as_ruled(raw, documents, Army)) is documents["one"]
    with disabled(["XX-UNIT-01"]):
        assert list(as_ruled(raw, documents, Army)) == [Army()]


def by_id(documents: Mapping[str, Army], unread: Unread) -> Iterator[tuple[str, ContentFault]]:
    """Yield a fault for each unit of an odd size; look at all ids before."""
    assert len({unit.id for army in documents.values() for unit in army.unit}) >= 0
    for file, army in documents.items():
        for place, unit in enumerate(army.unit):
            if unit.size % 2:
                yield file, ContentFault(("unit", place, "size"), "an odd size")


def test_a_check_that_cannot_do_without_an_unsound_value_is_asked_again_without_its_file() -> None:
    with pytest.raises(ContentRefused) as raised:
        read({"bad": "[[unit]]\nid = 1\nsize = 3\n", "one": '[[unit]]\nid = "a"\nsize = 3\n'}, Army, by_id)
    assert raised.value.problems == (
        "bad:2: unit.0.id: Input should be a valid string",
        "one:3: unit.0.size: an odd size",
    )


def test_a_fault_behind_a_misspelt_key_is_told_by_the_key_as_it_is_written() -> None:
    with pytest.raises(ContentRefused) as raised:
        read({"one": '[[unti]]\nid = "a"\nsise = 3\n'}, Army, by_id)
    assert raised.value.problems == (
        "one:1: unti: no such key is known here; did you mean unit?",
        "one:3: unti.0.sise: no such key is known here; did you mean size?",
        "one:3: unti.0.sise: an odd size",
    )
