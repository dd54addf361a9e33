"""The ribbon: the newest acts of a table, each with what is needed to draw it small and to play it again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from client.model.playback.told_acts import NO_ACT, ActPart, QueuedAct, ShownCue, told_acts
from client.text.forecast_words import sum_words
from client.text.phrases import phrase
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE, Act, AnyNode, Cue, Group, Piece
from protocol.wire.from_server import ToldFrame

KEPT: Final = 60
MOST_PARTS: Final = 60
"""Parts of an act that goes on and on, before what follows is taken for others."""
FROM_HISTORY: Final = 20
"""Acts that stand in the ribbon of one who joins."""


@dataclass
class RibbonEntry:
    """Act of the ribbon, or cues that are part of none. `before`: the scene as it began, None where only the history
    tells of it; `parts`: what has been shown of it; `is_older`: it began before the newest picture of the table."""

    n: int
    act: Act | None
    before: Mapping[NodeId, AnyNode] | None
    parts: list[QueuedAct] = field(default_factory=list)
    has_ended: bool = False
    is_older: bool = False

    @property
    def seat(self) -> int:
        """Seat whose act it is, -1 for nobody's."""
        return self.act.seat if self.act is not None else -1

    def cues(self) -> Iterator[Cue]:
        """Yield all cues that have been shown of it, those of acts inside it among them."""
        for part in self.parts:
            for moment in part.moments:
                yield moment.cue

    def words(self, texts: Texts) -> str:
        """Return the sum of the act with the losses that it does not count, its title while it goes on, or the words of
        its cues; of what no seat does, such as an event, both."""
        if self.act is None:
            return " ".join(texts.say(cue.text) for cue in self.cues())
        if self.seat < 0:
            told = texts.say((self.act.sum if self.has_ended else None) or self.act.title)
            # what befell somebody says more than the rule
            cues = [cue for cue in self.cues() if cue.about] or list(self.cues())
            more = [texts.say(cue.text).removeprefix(f"{told}. ") for cue in cues]
            return " ".join([f"{told}.", *dict.fromkeys(more)])
        losses = [texts.say(cue.text) for cue in self.cues() if self._is_news(cue)]
        came = sum_words(self.act, texts) if self.has_ended else texts.say(self.act.title)
        told = ", ".join([came, *self._survivors(texts)])
        return f"{told}. {' '.join(losses)}" if losses else told

    def _survivors(self, texts: Texts) -> Iterator[str]:
        """Yield what is left of each group whose losses the sum counts: the figures that it had when the act began,
        less those that have gone from the table since. Of a group that is wiped out a cue of its own may tell."""
        before = self.before or {}
        fallen = [id for cue in self.cues() if cue.kind == "casualty" and not self._is_news(cue) for id in cue.about]
        pieces = [node for id in fallen if isinstance(node := before.get(id), Piece)]
        gone = {id for part in self.parts for id in _gone(part)}
        is_told = any(self._is_news(cue) for cue in self.cues())
        groups = {id: node for id in (piece.group for piece in pieces) if isinstance(node := before.get(id), Group)}
        # the one that was met is named in the sum
        own = self.act.group if self.act is not None else NO_NODE
        is_named = len(groups) == 1 and own not in groups
        for group in groups.values():
            left, name = len(set(group.pieces) - gone), texts.say(group.name)
            if left:
                yield phrase("ribbon.left", left=left) if is_named else phrase("ribbon.left.of", name=name, left=left)
            elif not is_told:
                yield phrase("ribbon.wiped") if is_named else phrase("ribbon.wiped.of", name=name)

    def _is_news(self, cue: Cue) -> bool:
        """Return True for a loss that the sum does not count."""
        counts = self.act.counts if self.act is not None else {}
        return cue.kind == "casualty" and not (counts and cue.about)

    def about(self) -> tuple[NodeId, ...]:
        """Return the nodes that it is about: those of the act, then those of its cues."""
        of_act = self.act.about.values() if self.act is not None else ()
        return tuple(dict.fromkeys([*of_act, *(id for cue in self.cues() for id in cue.about)]))


class Ribbon:
    """Acts in the order in which they were shown, the newest last. Acts inside others stand in these."""

    def __init__(self) -> None:
        self.entries: deque[RibbonEntry] = deque(maxlen=KEPT)
        self._open: dict[int, RibbonEntry] = {}
        self._acted_after: RibbonEntry | None = None
        """The newest when the viewer last took their turn, be it to pass."""

    @property
    def last_act(self) -> RibbonEntry | None:
        """The newest entry that is an act."""
        return next((entry for entry in reversed(self.entries) if entry.act is not None), None)

    def begun(self, queued: QueuedAct, before: Mapping[NodeId, AnyNode] | None) -> None:
        """Take an act, or more of one, as it begins to be shown."""
        told = queued.told
        entry = self._open.get(told.n) or next(iter(self._open.values()), None)
        if entry is not None and len(entry.parts) >= MOST_PARTS:
            # its end was never told of
            self._open.clear()
            entry = None
        if entry is None:
            if (not queued.moments and told.act is None) or (told.is_aside and not _tells_much(queued)):
                return
            cut = self._take_cut(told.n)
            entry = RibbonEntry(told.n, told.act or cut, before)
            self.entries.append(entry)
            if told.n != NO_ACT and not told.has_ended:
                self._open[told.n] = entry
        entry.parts.append(queued)

    def ended(self, queued: QueuedAct) -> None:
        """Take the end of an act; that of a part of one changes nothing."""
        told = queued.told
        if told.n != NO_ACT and not told.has_ended:
            return
        self._open.pop(told.n, None)
        if self.entries and self.entries[-1].n == told.n:
            self.entries[-1].act = told.act
            self.entries[-1].has_ended = True

    def begin_picture(self) -> None:
        """Note that a picture has come whole: the ends of acts that are still open may have been missed."""
        self._open.clear()
        for entry in self.entries:
            entry.is_older = True

    def take_history(self, frames: Sequence[ToldFrame]) -> None:
        """Put the last acts of a history before those that began since the picture, in the place of the older ones."""
        history = Ribbon()
        for frame in frames:
            for told in told_acts(frame.acts, frame.cues):
                history.take_told(told)
        history.begin_picture()
        before = list(self.entries)
        newer = [entry for entry in before if not entry.is_older]
        older = [entry for entry in before if entry.is_older]
        self.entries = deque(_joined(older, list(history.entries)[-FROM_HISTORY:]), maxlen=KEPT)
        for entry in newer:
            cut = self._take_cut(entry.n)
            entry.act = entry.act or cut
            self.entries.append(entry)
        self._keep_turn(before)

    def _take_cut(self, n: int) -> Act | None:
        """Take the entry of an act out that a picture cut in two: the rest of it is an entry of its own. Return the
        act."""
        for place, entry in enumerate(self.entries):
            if entry.is_older and not entry.has_ended and entry.n == n != NO_ACT:
                del self.entries[place]
                return entry.act
        return None

    def _keep_turn(self, before: Sequence[RibbonEntry]) -> None:
        """Note the viewer's last turn anew where its entry is gone: after the newest of those before it that stayed."""
        stayed, found = set(map(id, self.entries)), None
        for entry in before:
            found = entry if id(entry) in stayed else found
            if entry is self._acted_after:
                self._acted_after = found
                return

    def take_told(self, told: ActPart) -> None:
        """Take an act that only its words are known of."""
        queued = QueuedAct(told, tuple(ShownCue(cue) for cue in told.cues))
        self.begun(queued, None)
        self.ended(queued)

    def acted(self) -> None:
        """Take note that the viewer takes their turn now."""
        self._acted_after = self.entries[-1] if self.entries else None

    def since(self, seat: int) -> list[RibbonEntry]:
        """Return the entries after the last act or turn of a seat: all where it has done nothing yet."""
        found: list[RibbonEntry] = []
        for entry in reversed(self.entries):
            if seat >= 0 and (entry.seat == seat or entry is self._acted_after):
                break
            found.append(entry)
        return found[::-1]


def _joined(older: Sequence[RibbonEntry], told: Sequence[RibbonEntry]) -> list[RibbonEntry]:
    """Return the acts that a history told after those that were shown before its first one. Those of it that were shown
    to their end stand there as they were shown, since they can be played again."""
    first = next((place for place, entry in enumerate(told) if entry.n > NO_ACT), None)
    if first is None:
        return list(told)
    place = next((place for place, entry in enumerate(older) if entry.n >= told[first].n), len(older))
    # where the first one was shown, so was what is part of no act before it
    tail = told[first:] if 0 < place < len(older) else told
    shown = {entry.n: entry for entry in older[place:] if entry.n != NO_ACT and entry.has_ended}
    return [*older[:place], *(shown.get(entry.n, entry) for entry in tail)]


def _gone(part: QueuedAct) -> Iterator[NodeId]:
    """Yield the nodes that are gone with a part of an act."""
    for changes in (part.changes, *(moment.changes for moment in part.moments)):
        yield from (id for id, node in changes.items() if node is None)


def _tells_much(queued: QueuedAct) -> bool:
    """Return True for cues that are part of no act but worth a place of their own, beside one."""
    return any(moment.cue.kind not in ("card", "note") for moment in queued.moments)
