"""The log folded by activation: one line each, which opens for its acts, and these for the cues that they are made of.
Needs no window."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import groupby

from client.model.view_model import LogLine
from client.text.phrases import phrase

SUM = "act"
"""Kind of the line that sums an act up."""


@dataclass(frozen=True)
class FoldedEntry:
    """Line of the folded log. `key`: what it is opened by, None for a line of its own; `acts`: those of an activation;
    `inside`: the lines of an act."""

    line: LogLine
    key: Hashable = None
    acts: tuple[FoldedEntry, ...] = ()
    inside: tuple[LogLine, ...] = ()


@dataclass
class OpenEntries:
    """Activations and acts of the log that a person has opened, by key."""

    keys: set[Hashable] = field(default_factory=set)

    def toggle(self, key: Hashable) -> None:
        """Open an entry, or fold it again."""
        self.keys ^= {key}


def folded(log: Iterable[LogLine]) -> Iterator[FoldedEntry]:
    """Yield the entries of the log: activations of several acts, acts, and lines of no act."""
    for by, run in groupby(_acts(log), key=_who_acts):
        acts = tuple(run)
        if by is None or len(acts) < 2:
            yield from acts
        else:
            yield FoldedEntry(_sum_of(acts), ("activation", acts[0].line.act), acts)


def _acts(log: Iterable[LogLine]) -> Iterator[FoldedEntry]:
    """Yield each act with all that lies between its first and its last line, or one line."""
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
            begun = replace(line, text=line.title or line.text, rule="", kind=SUM, title="", dice=None)
            rest = tuple(one for one in inside if one is not head)
            yield FoldedEntry(head or begun, ("act", line.act), inside=rest)
        place = end + 1


def _who_acts(entry: FoldedEntry) -> tuple[int, str] | None:
    """Return the seat and the group whose act an entry is, None where it is nobody's."""
    line = entry.line
    return (line.seat, line.group) if entry.key is not None and line.seat >= 0 and line.group else None


def _sum_of(acts: tuple[FoldedEntry, ...]) -> LogLine:
    """Return the line of an activation: its group, then what it did, act by act."""
    first = acts[0].line
    done = (act.line.text.removeprefix(first.group).lstrip(": ") for act in acts)
    counted = [(words, len(list(same))) for words, same in groupby(done)]
    parts = [words if times == 1 else phrase("log.times", words=words, times=times) for words, times in counted]
    return replace(first, text=phrase("log.activation", group=first.group, acts="; ".join(parts)), act=0)


def shown_lines(
    log: Iterable[LogLine], opened: AbstractSet[Hashable]
) -> Iterator[tuple[FoldedEntry | None, LogLine, int]]:
    """Yield what stands in the log with its depth from 1: each entry with its line, and behind one that is open its
    acts, or the lines inside it, without an entry."""
    for entry in folded(log):
        yield from _shown(entry, opened, 1)


def _shown(
    entry: FoldedEntry, opened: AbstractSet[Hashable], depth: int
) -> Iterator[tuple[FoldedEntry | None, LogLine, int]]:
    yield entry, entry.line, depth
    if entry.key in opened:
        for act in entry.acts:
            yield from _shown(act, opened, depth + 1)
        yield from ((None, line, depth + 1) for line in entry.inside)
