"""Loudspeaker: plays the client's sounds by the toolkit; silent where there is no way to be heard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from client.art.sound_files import sound_file

if TYPE_CHECKING:
    from pyglet.media import Player, StaticSource

MOST: Final = 12
"""Sounds at once; the oldest makes room."""


class Speaker:
    """Loudspeaker of a window. The toolkit's part for sounds is loaded with the first one."""

    def __init__(self) -> None:
        self.is_broken = False
        """True once sounds could not be played: no other is tried."""
        self._sources: dict[str, StaticSource] = {}
        self._players: list[Player] = []

    def play(self, name: str, share: float) -> None:
        """Begin to play a sound, `share` (0 to 1) as loud as it is recorded. Returns at once, and raises nothing."""
        if self.is_broken:
            return
        try:
            self._begin(name, share)
        except Exception:  # noqa: BLE001 - drivers and their libraries fail in ways of their own; a game is no worse for it
            self.is_broken = True

    def _begin(self, name: str, share: float) -> None:
        from pyglet.media import Player

        while len(self._players) >= MOST:
            self._end(self._players[0])
        player = Player()
        self._players.append(player)
        player.volume = share
        player.push_handlers(on_player_eos=lambda: self._end(player))
        player.queue(self._source(name))
        player.play()

    def _source(self, name: str) -> StaticSource:
        if name not in self._sources:
            from pyglet.media import StaticSource
            from pyglet.media.codecs.wave import WaveSource

            path = sound_file(name)
            with path.open("rb") as file:
                self._sources[name] = StaticSource(WaveSource(str(path), file))  # type: ignore[no-untyped-call]
        return self._sources[name]

    def _end(self, player: Player) -> None:
        if player in self._players:
            self._players.remove(player)
            player.delete()
