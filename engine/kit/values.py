"""Values that are written in TOML as they are: one declaration is the struct of a match and the schema of its table.

    class Weapon(Written, frozen=True, omit_defaults=True):
        id: Id
        name: Key
        dice: Annotated[int, Field(ge=0, le=60)]

A checked document holds such structs in place of entries. Where the written form differs, an entry of its own is read,
and `value` takes over what bears the same name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import fields, replace
from pydantic import AfterValidator, Field, GetCoreSchemaHandler, create_model
from pydantic_core import CoreSchema
from pydantic_core.core_schema import no_info_after_validator_function

from engine.core.content.content_schema import Entry, Id, WrittenAs

V = TypeVar("V", bound=msgspec.Struct)
W = TypeVar("W", bound="Written")

KEYED: Final = "keyed"
"""Mark of a field that is no key of its table: the id under which a table of a `Keyed` stands."""
REQUIRED: Final = "required"
"""Mark of a field that TOML must give, though it has a default."""


class Written(msgspec.Struct, frozen=True):
    """Base of values whose tables are written field by field; fields are checked as those of an Entry."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        entry = entry_of(cls)

        def read(table: Entry) -> Written:
            return cls(*[getattr(table, name) if name in entry.model_fields else "" for name in cls.__struct_fields__])

        return no_info_after_validator_function(read, handler.generate_schema(entry))


@cache
def entry_of(written: type[Written]) -> type[Entry]:
    """Return the schema of a written value's table."""
    hints = get_type_hints(written, include_extras=True)
    known: dict[str, Any] = {}
    for field in fields(written):
        hint = hints[field.name]
        kind, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        if KEYED not in marks:
            if get_origin(kind) is tuple and get_args(kind)[-1] is ...:  # TOML has lists
                kind, marks = list[get_args(kind)[0]], [*marks, AfterValidator(tuple)]  # type: ignore[misc]
            required = REQUIRED in marks or field.default is msgspec.NODEFAULT
            marks = [mark for mark in marks if mark is not REQUIRED]
            known[field.name] = Annotated[(kind, *marks)] if marks else kind, ... if required else field.default
    entry: type[Entry] = create_model(written.__name__, __base__=Entry, __doc__=written.__doc__, **known)
    return entry


def _named(tables: Mapping[str, V]) -> dict[str, V]:
    return {id: replace(table, id=id) for id, table in tables.items()}


Keyed = Annotated[dict[Id, W], AfterValidator(_named)]
"""Tables by id, [terrain.woods]; each value bears its id."""


def rows(entry: Any, most: int, key: str = "row") -> WrittenAs:
    """Mark a list of at most so many that is written as a table which holds nothing else, [[weapons.row]]."""
    known: dict[str, Any] = {key: (Annotated[list[entry], Field(max_length=most)], [])}
    return WrittenAs(create_model("Rows", __base__=Entry, **known), attrgetter(key))


def value(of: type[V], entry: object, **given: object) -> V:
    """Return a struct with the fields of an entry that have the same name, lists as tuples, and those `given`."""
    known = [name for name in of.__struct_fields__ if name not in given and hasattr(entry, name)]
    same = {name: getattr(entry, name) for name in known}
    return of(**{name: tuple(one) if isinstance(one, list) else one for name, one in same.items()}, **given)
