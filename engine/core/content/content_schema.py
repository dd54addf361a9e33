"""Parts of a TOML schema that all rule systems share: entries that may name rules, ids, words, lengths in inches.

Lengths are inches with at most two decimals; in a match they are hundredths.
"""

from decimal import Decimal
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from protocol.text_cleaning import clean_line

MOST_INCHES: Final = 200
Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


def _shown(words: str) -> str:
    if clean_line(words) != words:
        raise ValueError("holds characters that cannot be shown in a line, or spaces too many")
    return words


Key = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_shown)]
"""A key of the catalogue, or the words themselves: an unknown key is shown as it is."""
Words = Annotated[str, Field(max_length=400), AfterValidator(_shown)]
Rules = Annotated[list[str], Field(max_length=3)]


def _whole_hundredths(inches: int | Decimal) -> int | Decimal:
    if not -MOST_INCHES <= inches <= MOST_INCHES:
        raise ValueError(f"{inches} inches is more than {MOST_INCHES}")
    if inches * 100 % 1:
        raise ValueError(f"{inches} inches has more than two decimals")
    return inches


Inches = Annotated[int | Decimal, AfterValidator(_whole_hundredths)]
Place = Annotated[list[Inches], Field(min_length=2, max_length=2)]


class Entry(BaseModel):
    """A table that may name the rules that it carries; unknown keys are faults."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
    rule: str = ""
    rules: Rules = []


def hundredths(inches: int | Decimal) -> int:
    """Convert inches to hundredths of an inch."""
    return int(inches * 100)


def paragraphs(words: str) -> tuple[str, ...]:
    """Split text at its empty lines into paragraphs, each of them on one line."""
    return tuple(" ".join(paragraph.split()) for paragraph in words.split("\n\n") if paragraph.strip())
