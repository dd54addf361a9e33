"""The log folded by activation: one line each, which opens for its acts, and these for the cues that they are made of.
Needs no window."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import groupby

from client.model.table.view_model import LogLine
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
    """Yield the entries of the log, the newest first, each made as it is asked for: activations of several acts, acts,
    and lines of no act."""
    for by, run in groupby(_acts(log), key=_who_acts):
        if by is None:
            yield from run
            continue
        acts = tuple(run)[::-1]
        yield acts[0] if len(acts) < 2 else FoldedEntry(_sum_of(acts), ("activation", acts[0].line.act), acts)


def _acts(log: Iterable[LogLine]) -> Iterator[FoldedEntry]:
    """Yield each act with all that lies between its first and its last line, or one line, the newest first."""
    lines = tuple(log)
    last = {line.act: place for place, line in enumerate(lines) if line.act}
    spans, place = [], 0
    while place < len(lines):
        end = last.get(lines[place].act, place) + 1
        spans.append((place, end))
        place = end
    return (_entry(lines[start:end]) for start, end in reversed(spans))


def _entry(inside: tuple[LogLine, ...]) -> FoldedEntry:
    line = inside[0]
    if not line.act:
        return FoldedEntry(line)
    head = next((one for one in reversed(inside) if one.act == line.act and one.kind == SUM), None)
    if head is None:
        head = replace(line, text=line.title or line.text, rule="", kind=SUM, title="", dice=None)
    return FoldedEntry(head, ("act", line.act), inside=tuple(one for one in inside if one is not head))


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
    """Yield what stands in the log with its depth from 1, the lowest first: each entry with its line, and below one
    that is open its acts, or the lines inside it, without an entry."""
    for entry in folded(log):
        yield from reversed(list(_shown(entry, opened, 1)))


def _shown(
    entry: FoldedEntry, opened: AbstractSet[Hashable], depth: int
) -> Iterator[tuple[FoldedEntry | None, LogLine, int]]:
    yield entry, entry.line, depth
    if entry.key in opened:
        for act in entry.acts:
            yield from _shown(act, opened, depth + 1)
        yield from ((None, line, depth + 1) for line in entry.inside)
