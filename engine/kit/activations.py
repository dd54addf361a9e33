"""The end of an activation: by itself with its last action, or when its player ends it."""

from __future__ import annotations

from typing import TypeVar

from engine.core.rules.game import Game
from engine.core.rules.record import SeatSettings
from protocol.fairness.entropy_record import BOT

S = TypeVar("S")


def waits_for_end(game: Game[S], seat: int) -> bool:
    """Tell whether an activation of a seat that has nothing left to do waits for its player to end it (`SeatSettings.
    waits`). A bot's never does, whatever the player before it has set; nor does that of a seat that has set nothing, as
    in matches that are older than the setting.

    The flow of a system asks it wherever an activation would end by itself. What then ends it is the same intent as at
    any time, which the seat's `Turn` names as its expiry, too; it must end the activation in its own procedure, as the
    flow would ask again.
    """
    holders = game.record.participation.holders
    if seat < len(holders) and holders[seat] == BOT:
        return False
    return game.record.settings.get(seat, SeatSettings()).waits
