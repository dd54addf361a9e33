"""Course of a replay as it is shown: step after step, act after act, at a speed. Needs no window and no clock but the
seconds it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client.model.playback.shown_scene import Listeners, ShownScene
from client.model.playback.walking import places_of
from client.model.replay.replay_player import ReplayPlayer
from client.model.sound.cue_sounds import CueSounds
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import LogLine, ViewModel
from protocol.scene.nodes import Cue, Dice, RollId

SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
NORMAL: Final = 1
"""Place of the speed at first."""
BETWEEN: Final = 0.2
"""Seconds between two steps that play, at speed 1."""


class ReplayShow:
    """Replay that is shown from `player`'s step on. `speed`: acts are shown so many times as fast as they were told;
    `sounds` play with it."""

    def __init__(
        self,
        player: ReplayPlayer,
        strictness: Callable[[RollId], bool | None] = lambda roll: None,
        sounds: CueSounds | None = None,
    ) -> None:
        self.player = player
        self.speed = SPEEDS[NORMAL]
        self.is_playing = False
        self._strictness = strictness
        self._sounds = sounds
        self._scene = ShownScene(Listeners(begins=self._begins, ends=self._ends), is_led=True)
        self._since = 0.0
        self._top = Tabletop({})
        self._told: tuple[tuple[LogLine, ...], tuple[Dice, ...]] = (), ()
        """Log and dice as far as they have been shown."""
        self.go(player.step)

    def go(self, step: int) -> None:
        """Show a step as it is after all that happens in it; numbers beyond the ends are the ends."""
        self.player.go(step)
        self._scene.begin(self.player.nodes())
        self._settle()

    def _settle(self) -> None:
        """Let log and dice go on, where all of the present step has been shown."""
        if not self._scene.is_behind:
            self._told = self.player.log(), self.player.dice()

    def play(self) -> None:
        """Begin to show what happens, at the end from the beginning; stop where that is under way."""
        self.is_playing = not self.is_playing
        self._scene.jump()
        self._settle()
        if self.is_playing and self.player.step >= self.player.last:
            self.go(0)

    def see_as(self, audience: str) -> None:
        """Show the present step with what another audience knew."""
        self.player.see_as(audience)
        self.go(self.player.step)

    def advance(self, seconds: float) -> bool:
        """Let `seconds` pass; return True if anything that is shown has changed."""
        if not self.is_playing:
            return False
        self._since += seconds
        if not self._scene.is_behind and self._since * self.speed >= BETWEEN:
            self.is_playing = self.player.step < self.player.last
            if self.is_playing:
                self._begin_step()
            return True
        if self._scene.advance(seconds * self.speed):
            self._since = 0.0
            self._settle()
            return True
        return False

    def _begin_step(self) -> None:
        """Begin to show what happens in the next step."""
        before = dict(self.player.nodes())
        self.player.go(self.player.step + 1)
        after, told = self.player.nodes(), self.player.told(self.player.step)
        changes = {id: after.get(id) for id in before.keys() | after.keys() if before.get(id) is not after.get(id)}
        self._scene.begin(before)
        self._scene.tell(told.acts, told.cues, changes)
        self._settle()

    def _begins(self, cue: Cue, rate: float) -> None:
        if self._sounds is not None:
            self._sounds.begins(cue, rate * self.speed)

    def _ends(self, cue: Cue, rate: float) -> None:
        if self._sounds is not None:
            self._sounds.ends(cue, rate * self.speed)

    @property
    def is_behind(self) -> bool:
        """True while acts of the present step are being shown."""
        return self._scene.is_behind

    def model(self) -> ViewModel:
        """Return what is to be drawn now."""
        player, scene = self.player, self._scene
        log, dice = self._told
        self._top = self._top.moved_on(scene.nodes)
        return ViewModel(
            self._top.with_pieces_at(places_of(scene.playing, scene.nodes)),
            player.texts,
            None,
            log,
            (),
            dice,
            player.title(),
            names=player.names(),
            playing=scene.playing,
            strictness=self._strictness,
        )
