"""Talk about a field of a choice: what may be filled in, said in numbered lines, and what a person answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from client.input.drafts import Draft
from client.plain.talk import field_lists, field_places
from client.plain.talk.talk_kind import Notes, TalkKind
from client.plain.told.shown_table import ShownTable
from client.text.phrases import phrase

_KINDS: Final[Mapping[type[Draft], TalkKind]] = {**field_lists.KINDS, **field_places.KINDS}


def field_lines(draft: Draft, shown: ShownTable, notes: Notes) -> Iterator[str]:
    """Yield the lines that ask for a field: its options by number, and what Enter does. `notes`: of options, by id."""
    yield from _KINDS[type(draft)].lines(draft, shown, notes)
    if not draft.missing():
        yield phrase("plain.field.enter", value=value_words(draft, shown))


def take_answer(draft: Draft, words: str, shown: ShownTable) -> str:
    """Fill a field in by what a person has typed; return what to tell them of it, "" where it is complete with that.
    Raises BadAnswer for words that mean nothing here: then nothing has changed."""
    return _KINDS[type(draft)].take(draft, words, shown)


def value_words(draft: Draft, shown: ShownTable) -> str:
    """Return what stands in a field now."""
    return _KINDS[type(draft)].value(draft, shown)
