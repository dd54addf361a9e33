"""The story of the present table as it is told: the shown scene with its log, its dice and its ribbon."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from client.model.playback.durations import NORMAL, SPEEDS
from client.model.playback.ribbon import Ribbon, RibbonEntry
from client.model.playback.shown_scene import Listeners, Playing, ShownScene
from client.model.playback.told_acts import QueuedAct
from client.model.sound.cue_sounds import CueSounds
from client.model.table.table_feed import TableFeed
from client.text.texts import Texts
from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode, Cue
from protocol.wire.from_server import Delta, History

RETURN: float = 1.5
"""Seconds after a new link in which all that comes is what was missed, and is shown at once."""


class Story:
    """Story of one table. Log, dice and ribbon tell what the shown scene has reached. `clock` gives seconds; `sounds`
    play with it."""

    def __init__(self, texts: Texts, clock: Callable[[], float], sounds: CueSounds) -> None:
        self.feed = TableFeed()
        self.ribbon = Ribbon()
        self._heard = Listeners(begins=sounds.begins, ends=sounds.ends)
        told = Listeners(self._begun, self._cue, self._told, self._ended, sounds.begins, sounds.ends)
        self.scene = ShownScene(told)
        self.again: ShownScene | None = None
        """An act of the ribbon that is played again."""
        self._texts = texts
        self._clock = clock
        self._returned = -RETURN
        self._is_led = False

    @property
    def nodes(self) -> Mapping[NodeId, AnyNode]:
        """The scene to be drawn."""
        return self.again.nodes if self.again is not None else self.scene.nodes

    @property
    def playing(self) -> Playing | None:
        """The act to be drawn."""
        return self.again.playing if self.again is not None else self.scene.playing

    def lead(self, *, is_led: bool) -> None:
        """Show act after act from now on, or everything at once."""
        self._is_led = is_led
        if not is_led:
            self.jump()

    def forget(self) -> None:
        """Begin the story of another table."""
        self.again = None
        self.scene.begin({})
        self.feed, self.ribbon = TableFeed(), Ribbon()

    def returned(self) -> None:
        """Take note of a new link: what was missed is not played."""
        self.jump()
        self._returned = self._clock()

    def picture(self, nodes: Mapping[NodeId, AnyNode], *, is_public: bool) -> None:
        """Take a part of the scene that has come whole."""
        self.again = None
        self.scene.begin(nodes)
        if is_public:
            self.feed.begin_picture()
            self.ribbon.begin_picture()

    def frame(self, frame: Delta, nodes: Mapping[NodeId, AnyNode]) -> None:
        """Take what a frame tells; `nodes` is the true scene after it."""
        self.scene.is_led = self._is_led and self._clock() - self._returned >= RETURN
        self.scene.take(frame, nodes)

    def history(self, page: History) -> None:
        """Take a page of the match's history."""
        if page.first + len(page.frames) != self.feed.history_from:
            self.ribbon.take_history(page.frames)
        self.feed.take_history(page, self._texts)

    def jump(self) -> bool:
        """Show the true scene at once; return True if another was shown."""
        was_behind = self.again is not None or self.scene.is_behind
        self.again = None
        self.scene.jump()
        return was_behind

    def advance(self, seconds: float) -> bool:
        """Let `seconds` pass; return True if anything that is shown has changed."""
        has_changed = self.scene.advance(seconds)
        if self.again is None:
            return has_changed
        self.again.advance(seconds)
        if not self.again.is_behind:
            self.again = None
        return True

    def acted(self) -> None:
        """Take note that the viewer takes their turn now."""
        self.jump()
        self.ribbon.acted()

    def play_again(self, entry: RibbonEntry) -> None:
        """Play an act of the ribbon again, beside what goes on; at normal speed where acts are passed over."""
        if entry.before is not None:
            speed = SPEEDS[NORMAL] if math.isinf(self.scene.speed) else self.scene.speed
            self.again = ShownScene(self._heard, is_led=True, speed=speed)
            self.again.begin(entry.before)
            self.again.queue(entry.parts)

    def _begun(self, queued: QueuedAct, before: Mapping[NodeId, AnyNode]) -> None:
        self.ribbon.begun(queued, before)

    def _cue(self, cue: Cue) -> None:
        self.feed.roll(cue)

    def _told(self, cue: Cue, queued: QueuedAct) -> None:
        self.feed.tell(cue, self._texts, queued.told.act)

    def _ended(self, queued: QueuedAct) -> None:
        self.ribbon.ended(queued)
        self.feed.tell_end(queued.told, self._texts)
