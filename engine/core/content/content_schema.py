"""Parts of a TOML schema that all rule systems share: entries that may name rules, ids, words, lengths.

Lengths are of the unit in which the book of a system measures (inches, centimetres), with at most two decimals; read,
they are hundredths of it.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Any, Final, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ModelWrapValidatorHandler,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)
from pydantic_core import CoreSchema
from pydantic_core.core_schema import no_info_after_validator_function

from engine.core.content.unsound import is_unsound
from protocol import near_names
from protocol.scene.looks import GLYPHS, GROUNDS
from protocol.text_cleaning import clean_line

MOST_LENGTH: Final = 300
Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


def _shown(words: str) -> str:
    if clean_line(words) != words:
        raise ValueError("holds characters that cannot be shown in a line, or spaces too many")
    return words


Key = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_shown)]
"""A key of the catalogue, or the words themselves: an unknown key is shown as it is."""


def _shown_by_clients(known: Mapping[str, str], what: str) -> AfterValidator:
    def check(name: str) -> str:
        if name and name not in known:
            raise ValueError(f"no {what} is called {name}{near_names.meant(name, known)}")
        return name

    return AfterValidator(check)


Glyph = Annotated[str, _shown_by_clients(GLYPHS, "glyph")]
"""A glyph that clients draw on a base, "" for none."""
Ground = Annotated[str, Field(min_length=1), _shown_by_clients(GROUNDS, "ground")]
"""A ground that clients draw under a table."""
Words = Annotated[str, Field(max_length=400), AfterValidator(_shown)]
Rules = Annotated[list[str], Field(max_length=3)]


def _in_hundredths(length: int | Decimal) -> int:
    if not -MOST_LENGTH <= length <= MOST_LENGTH:
        raise ValueError(f"a length of {length} is more than {MOST_LENGTH}")
    if length * 100 % 1:
        raise ValueError(f"a length of {length} has more than two decimals")
    return int(length * 100)


class WrittenAs:
    """Mark of a type that is written in TOML as another one, and converted when it is read."""

    def __init__(self, written: Any, convert: Callable[[Any], Any]) -> None:
        self.written, self.convert = written, convert

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return no_info_after_validator_function(self.convert, handler.generate_schema(self.written))


Inches = Annotated[int, WrittenAs(int | Decimal, _in_hundredths)]
"""A length: inches (or centimetres) in TOML, hundredths of one once it is read. Defaults are given in hundredths."""
Place = Annotated[tuple[int, int], WrittenAs(Annotated[list[Inches], Field(min_length=2, max_length=2)], tuple)]
"""A place, or two lengths: hundredths once it is read."""


class KnownKeys:
    """Keys that the tables of a document may have, noted while it is validated with this as context."""

    def __init__(self) -> None:
        self._keys: dict[int, tuple[str, ...]] = {}

    def note(self, table: object, keys: Iterable[str]) -> None:
        """Note what a table may hold. It is known by its identity, so it must outlive this."""
        self._keys[id(table)] = tuple(keys)

    def of(self, table: object) -> tuple[str, ...]:
        """Return the keys that a table may have; none where no schema has looked at it."""
        return self._keys.get(id(table), ())


class Entry(BaseModel):
    """A table that may name the rules that it carries; unknown keys are faults. Unsound values (unsound.py) pass."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)
    rule: str = ""
    rules: Rules = []

    @model_validator(mode="wrap")
    @classmethod
    def _table(cls, table: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        if isinstance(info.context, KnownKeys):
            info.context.note(table, [field.alias or name for name, field in cls.model_fields.items()])
        return table if is_unsound(table) else handler(table)

    @field_validator("*", mode="wrap")
    @classmethod
    def _value(cls, value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        return value if is_unsound(value) else handler(value)


def paragraphs(words: str) -> tuple[str, ...]:
    """Split text at its empty lines into paragraphs, each of them on one line."""
    return tuple(" ".join(paragraph.split()) for paragraph in words.split("\n\n") if paragraph.strip())
