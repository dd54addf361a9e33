"""Sounds of what is shown, cue by cue."""

from __future__ import annotations

from client.model.sound.catalogue import sound_after, sound_at
from client.model.sound.mixer import SoundMixer
from client.text.texts import Texts
from protocol.scene.nodes import Cue


class CueSounds:
    """Sounds of the cues of a shown scene, by the catalogues of `texts`."""

    def __init__(self, mixer: SoundMixer, texts: Texts) -> None:
        self.mixer = mixer
        self.texts = texts

    def begins(self, cue: Cue, rate: float) -> None:
        """Play what is heard at the beginning of a cue, shown `rate` times as fast as at normal speed."""
        self.mixer.play_act(sound_at(cue, self.texts), rate)

    def ends(self, cue: Cue, rate: float) -> None:
        """Play what is heard at its end."""
        self.mixer.play_act(sound_after(cue, self.texts), rate)
