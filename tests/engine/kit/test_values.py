"""Values that are written in TOML as they are: checked as entries, read as structs."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

import msgspec
import pytest
from pydantic import Field, ValidationError

from engine.core.content.content_schema import Entry, Id, Inches, Key, Place
from engine.kit.values import KEYED, REQUIRED, Keyed, Written, entry_of, rows, value


class Blade(Written, frozen=True, omit_defaults=True):
    """A weapon."""

    id: Annotated[str, KEYED]
    name: Key
    reach: Inches = 100
    marks: Annotated[tuple[Id, ...], Field(alias="mark", max_length=2)] = ()
    dice: Annotated[int, Field(ge=1, le=6), REQUIRED] = 2


class Fighter(Written, frozen=True):
    """A figure with a weapon of its own."""

    at: Place
    blade: Blade


class Armoury(Entry):
    """A document."""

    blade: Keyed[Blade] = Field(default_factory=dict)
    fighter: list[Fighter] = Field(default_factory=list)
    spare: Annotated[list[Blade], rows(Blade, 2)] = Field(default_factory=list)


FOIL = {"name": "foil", "reach": Decimal("1.5"), "mark": ["thin", "old"], "dice": 3, "rule": "XX-01"}


def test_a_table_is_read_as_the_value_that_is_played() -> None:
    read = Armoury.model_validate({"blade": {"foil": FOIL}, "fighter": [{"at": [1, 2], "blade": FOIL}]})
    foil = Blade("foil", "foil", 150, ("thin", "old"), 3)
    assert read.blade == {"foil": foil}
    assert read.fighter == [Fighter((100, 200), msgspec.structs.replace(foil, id=""))]
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(foil), type=Blade) == foil


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"dice": 7}, ("dice",)),
        ({"mark": ["thin", "Old"]}, ("mark", 1)),
        ({"mark": ["a", "b", "c"]}, ("mark",)),
        ({"marks": []}, ("marks",)),
        ({"id": "foil"}, ("id",)),
        ({"name": 3}, ("name",)),
        ({"reach": Decimal("0.125")}, ("reach",)),
    ],
)
def test_each_fault_is_told_with_its_place(wrong: dict[str, object], where: tuple[object, ...]) -> None:
    with pytest.raises(ValidationError) as caught:
        Armoury.model_validate({"blade": {"foil": {**FOIL, **wrong}}})
    assert {error["loc"][: 2 + len(where)] for error in caught.value.errors()} == {("blade", "foil", *where)}


@pytest.mark.parametrize("key", ["name", "dice"])
def test_what_must_be_given_is_missed_though_it_has_a_default(key: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Armoury.model_validate({"blade": {"foil": {name: given for name, given in FOIL.items() if name != key}}})
    assert [error["type"] for error in caught.value.errors()] == ["missing"]


def test_the_schema_of_a_value_has_its_keys_and_those_of_every_entry() -> None:
    assert set(entry_of(Blade).model_fields) == {"name", "reach", "marks", "dice", "rule", "rules"}
    assert entry_of(Blade) is entry_of(Blade)


def test_a_value_takes_over_what_bears_the_same_name() -> None:
    class Written(Entry):
        name: str
        mark: str = ""
        marks: list[str]

    entry = Written(name="axe", marks=["big"])
    assert value(Blade, entry, id="axe", dice=1) == Blade("axe", "axe", 100, ("big",), 1)


def test_rows_are_a_list_within_a_table_of_its_own() -> None:
    spare = Armoury.model_validate({"spare": {"row": [FOIL, FOIL]}}).spare
    assert [blade.name for blade in spare] == ["foil", "foil"]
    assert Armoury.model_validate({"spare": {}}).spare == []
    with pytest.raises(ValidationError) as caught:
        Armoury.model_validate({"spare": {"row": [FOIL, {**FOIL, "dice": 9}], "most": 3}})
    assert {error["loc"] for error in caught.value.errors()} == {("spare", "row", 1, "dice"), ("spare", "most")}
    with pytest.raises(ValidationError, match="at most 2"):
        Armoury.model_validate({"spare": {"row": [FOIL, FOIL, FOIL]}})
