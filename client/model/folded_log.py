"""The log folded by act: one line each, which opens for the cues that it is made of. Needs no window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set as AbstractSet
from dataclasses import dataclass, field

from client.model.view_model import LogLine

SUM = "act"
"""Kind of the line that sums an act up."""


@dataclass(frozen=True)
class FoldedEntry:
    """Line of the folded log. `act`: the number of the act that it folds, 0 for a line of its own."""

    line: LogLine
    act: int = 0
    inside: tuple[LogLine, ...] = ()


@dataclass
class OpenActs:
    """Acts of the log that a person has opened, by number."""

    numbers: set[int] = field(default_factory=set)

    def toggle(self, act: int) -> None:
        """Open an act, or fold it again."""
        self.numbers ^= {act}


def folded(log: Iterable[LogLine]) -> Iterator[FoldedEntry]:
    """Yield the entries of the log: an act with all that lies between its first and its last line, or one line."""
    lines = tuple(log)
    last = {line.act: place for place, line in enumerate(lines) if line.act}
    place = 0
    while place < len(lines):
        line = lines[place]
        end = last.get(line.act, place)
        if not line.act:
            yield FoldedEntry(line)
        else:
            inside = lines[place : end + 1]
            head = next((one for one in reversed(inside) if one.act == line.act and one.kind == SUM), None)
            begun = LogLine(line.title or line.text, seat=line.seat, kind=SUM, told=line.told, act=line.act)
            yield FoldedEntry(head or begun, line.act, tuple(one for one in inside if one is not head))
        place = end + 1


def shown_lines(log: Iterable[LogLine], opened: AbstractSet[int]) -> Iterator[tuple[FoldedEntry | None, LogLine]]:
    """Yield what stands in the log: each entry with its line, and behind one that is open the lines inside it, without
    an entry."""
    for entry in folded(log):
        yield entry, entry.line
        if entry.act in opened:
            yield from ((None, line) for line in entry.inside)
