"""Army lists by the pages of factions, and the questions that a system answers about its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec.structs import replace
from pydantic import BaseModel, Field

from engine.core.rules.errors import ListRefused
from engine.kit.values import Written
from protocol.text import Text
from protocol.wire.list_form import FormSection

MOST_LIMIT: Final = 99_900
"""Greatest limit of points that a list may be written for."""
MOST_ENTRIES: Final = 80
"""Greatest number of lines of a list."""
MOST_COUNT: Final = 150
"""Greatest number of units: more than any page sells for the most points, to bound what can be sent."""
WHOLE: Final = -1


class FactionPage(Protocol):
    """The page of a faction. `code`: the two letters that its lists' codes begin with; `version`: of its data; `lines`:
    paragraphs, of which the last says how it plays; `glyph`: its emblem, `strong` and `weak`: what it is good and bad
    at, each "" where the page does not say."""

    @property
    def id(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def lines(self) -> tuple[str, ...]: ...
    @property
    def glyph(self) -> str: ...
    @property
    def strong(self) -> str: ...
    @property
    def weak(self) -> str: ...


class PageChange(Protocol):
    """A change of a page at a version: what it is about is no more (`gone`), or differs. `why` is told to owners of
    older lists that have it."""

    @property
    def version(self) -> int: ...
    @property
    def gone(self) -> bool: ...
    @property
    def why(self) -> str: ...


class ListLine(Written, frozen=True, omit_defaults=True):
    """A line of a list: `count` times the same unit. A system adds what may be chosen for it."""

    unit: Annotated[str, Field(alias="id", pattern=r"^[A-Z]{2}-[A-Z0-9]{1,2}$")]
    count: Annotated[int, Field(ge=1, le=MOST_COUNT)] = 1


B = TypeVar("B")
E = TypeVar("E", bound=ListLine)


class ArmyList(msgspec.Struct, Generic[E], frozen=True, omit_defaults=True):
    """A list for an army at a version of its page, and a limit of points. It may have faults."""

    army: str
    version: int
    limit: int
    entries: tuple[E, ...] = ()
    name: str = ""


class ListFault(NamedTuple):
    """A fault of the list as a whole, or of the entry at its place; `key`: of that entry."""

    text: Text
    at: int = WHOLE
    key: str = ""


class PageRules(ABC, Generic[B, E]):
    """Rules of a system for its army lists; a `B` is all that it has installed, an `E` a line of a list.

    `words`: the start of the keys of its texts, "op." for op.list.empty; `english`: those for files. `step`: the points
    in which limits are counted in codes.
    """

    limits: ClassVar[Sequence[int]]
    words: ClassVar[str]
    english: ClassVar[Mapping[str, str]]
    document: ClassVar[type[BaseModel]]
    """The schema of a list as a file, made by `document_of`."""
    step: ClassVar[int] = 100

    def book(self, content: Any) -> B:
        """Return what is installed, of a system's content."""
        found: B = getattr(content, "book", content)
        return found

    @abstractmethod
    def pages(self, book: B) -> Mapping[str, FactionPage]:
        """Return the pages of all factions, by id."""

    def refused(self, key: str, **told: Any) -> ListRefused:
        """Make a refusal of a list, of one text."""
        return ListRefused([self.told(key, **told)])

    def told(self, key: str, **told: Any) -> Text:
        """Return one of the texts about lists."""
        return Text(f"{self.words}list.{key}", told)

    def faults(self, book: B, listed: ArmyList[E]) -> list[ListFault]:
        """Return all faults of a list, each once."""
        if listed.army not in self.pages(book):
            return [ListFault(self.told("no-army", army=listed.army), key="army")]
        found = list(self._size_faults(listed))
        for at, entry in enumerate(listed.entries):
            if entry.count < 1:
                found.append(ListFault(self.told("none-of", unit=entry.unit), at, "count"))
            found += [ListFault(told, at, key) for key, told in self.line_faults(book, listed, entry)]
        return [*found, *map(ListFault, self.composition(book, listed))]

    def _size_faults(self, listed: ArmyList[E]) -> Iterator[ListFault]:
        if listed.limit not in self.limits:
            yield ListFault(self.told("limit", limit=listed.limit), key="limit")
        if not listed.entries:
            yield ListFault(self.told("empty"))
        if len(listed.entries) > MOST_ENTRIES or sum(entry.count for entry in listed.entries) > MOST_COUNT:
            yield ListFault(self.told("too-long", most=MOST_COUNT))

    def line_faults(self, book: B, listed: ArmyList[E], entry: E) -> Iterator[tuple[str, Text]]:
        """Yield the faults of a line, each with the key of what is wrong."""
        yield from ()

    def composition(self, book: B, listed: ArmyList[E]) -> Iterator[Text]:
        """Yield what a list has too much or too little of."""
        yield from ()

    @abstractmethod
    def points(self, book: B, listed: ArmyList[E]) -> int:
        """Return the points of a list."""

    @abstractmethod
    def total(self, book: B, listed: ArmyList[E]) -> Text:
        """Say what counts against the limits of a list."""

    @abstractmethod
    def row(self, book: B, listed: ArmyList[E], entry: E) -> Text:
        """Describe a line of a sound list."""

    @abstractmethod
    def plain(self, book: B, army: str, unit: str, count: int = 1) -> E | None:
        """Return a line of a unit as it comes without choices; None where the page has no such unit."""

    @abstractmethod
    def drawn(self, book: B, army: str, limit: int, seed: int) -> ArmyList[E]:
        """Draw a list of a faction that there is, the same for a seed; it is looked through for faults afterwards."""

    def draw(self, book: B, army: str, limit: int, seed: int) -> ArmyList[E]:
        """Draw a list without faults, the same for a seed. Raises ListRefused for an unknown faction or limit, or where
        the page sells nothing that fits."""
        if army not in self.pages(book):
            raise self.refused("no-army", army=army)
        if limit not in self.limits:
            raise self.refused("limit", limit=limit)
        listed = self.drawn(book, army, limit, seed)
        wrong = [fault.text for fault in self.faults(book, listed)]
        if wrong:
            raise ListRefused(wrong)
        return listed

    def sampled(self, book: B, army: str, limit: int) -> ArmyList[E] | None:
        """Return the list that a page gives as an example, None where it gives none; it may have faults."""
        return None

    def ready(self, book: B, army: str, limit: int) -> ArmyList[E]:
        """Return the ready list of a faction: that of its page, or, without a sound one, always the same drawn list.
        Raises ListRefused."""
        ready = self.sampled(book, army, limit)
        return ready if ready is not None and not self.faults(book, ready) else self.draw(book, army, limit, 0)

    @abstractmethod
    def numbers(self, book: B, entry: E) -> Iterator[int]:
        """Yield the numbers of a line in a code."""

    @abstractmethod
    def entry(self, book: B, page: FactionPage, rest: list[int]) -> E:
        """Take the numbers of a line off the end of `rest`, the first last. Raises ValueError, IndexError or KeyError
        for numbers that no line has."""

    @abstractmethod
    def written(self, book: B, listed: ArmyList[E], entry: E) -> Iterator[str]:
        """Yield a line as TOML, below its head [[unit]]."""

    @abstractmethod
    def sections(self, book: B, listed: ArmyList[E]) -> Iterator[FormSection]:
        """Yield the sections of the form below its frame: rows take/UNIT count units, WHAT/LINE/... change a line."""

    @abstractmethod
    def refitted(self, book: B, army: str, entry: E, what: str, which: str, value: int) -> E:
        """Return a line after a change of its row WHAT/LINE/WHICH; the same where there is no such row."""

    def another(self, entry: E) -> E:
        """Return the line that is split off another: one of its unit."""
        return replace(entry, count=1)

    def changes(self, book: B, army: str) -> Sequence[PageChange]:
        """Return what later versions of a page changed."""
        return ()

    def touched(self, change: Any, entry: E) -> str:
        """Return the id of what a change is about, "" where a line has nothing of it."""
        return ""

    def changed(self, change: Any, entry: E) -> E:
        """Return a line as it is after a change that touches it."""
        return entry
