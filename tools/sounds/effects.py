"""All sounds by name, with the greatest swing of each: those that are heard often are quiet."""

from __future__ import annotations

import wave
from collections.abc import Callable, Mapping
from io import BytesIO
from random import Random
from typing import Final, NamedTuple

from tools.sounds import fight, signals, table
from tools.sounds.waves import RATE, Samples, pcm


class Effect(NamedTuple):
    """Sound that `make` makes with its own chance; `peak`: its greatest swing, a share of full scale."""

    make: Callable[[Random], Samples]
    peak: float


EFFECTS: Final[Mapping[str, Effect]] = {
    "dice_roll": Effect(table.dice_roll, 0.49),
    "dice_settle": Effect(table.dice_settle, 0.64),
    "rifle": Effect(fight.rifle, 0.47),
    "burst": Effect(fight.burst, 0.43),
    "heavy": Effect(fight.heavy, 0.65),
    "beam": Effect(fight.beam, 0.33),
    "flame": Effect(fight.flame, 0.44),
    "explosion": Effect(fight.explosion, 0.78),
    "melee": Effect(fight.melee, 0.56),
    "hit": Effect(fight.hit, 0.62),
    "casualty": Effect(fight.casualty, 0.9),
    "pinned": Effect(fight.pinned, 0.21),
    "rally": Effect(fight.rally, 0.27),
    "morale_lost": Effect(fight.morale_lost, 0.39),
    "fire": Effect(fight.fire, 0.69),
    "smoke": Effect(fight.smoke, 0.21),
    "collapse": Effect(fight.collapse, 0.58),
    "power": Effect(fight.power, 0.53),
    "fizzle": Effect(fight.fizzle, 0.32),
    "card_deal": Effect(table.card_deal, 0.37),
    "card_turn": Effect(table.card_turn, 0.53),
    "step": Effect(table.step, 0.51),
    "vehicle": Effect(table.vehicle, 0.43),
    "flight": Effect(table.flight, 0.51),
    "door": Effect(table.door, 0.62),
    "mend": Effect(table.mend, 0.26),
    "arrive": Effect(table.arrive, 0.36),
    "objective": Effect(table.objective, 0.31),
    "round": Effect(table.round_begins, 0.9),
    "victory": Effect(table.victory, 0.45),
    "defeat": Effect(table.defeat, 0.67),
    "over": Effect(table.over, 0.48),
    "undo": Effect(table.undo, 0.18),
    "click": Effect(signals.click, 0.26),
    "refused": Effect(signals.refused, 0.4),
    "chat": Effect(signals.chat, 0.23),
    "my_turn": Effect(signals.my_turn, 0.35),
    "question": Effect(signals.question, 0.3),
    "clock": Effect(signals.clock, 0.57),
    "invitation": Effect(signals.invitation, 0.37),
}


def written(name: str) -> bytes:
    """Return the WAV file of a sound: one channel of 16 bits. The same name gives the same bytes."""
    effect = EFFECTS[name]
    file = BytesIO()
    with wave.open(file, "wb") as sheet:
        sheet.setnchannels(1)
        sheet.setsampwidth(2)
        sheet.setframerate(RATE)
        sheet.writeframes(pcm(effect.make(Random(name)), effect.peak))
    return file.getvalue()
