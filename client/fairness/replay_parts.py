"""Parts that programs had in the dice of a replay, from its record: not checked, and whatever its bytes are."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from protocol.fairness.entropy_chain import LINKS
from protocol.fairness.replay import Replay
from protocol.fairness.round_history import RoundHistory, round_history
from protocol.text import Text


class ReplayParts(NamedTuple):
    """Rounds of a replay. `history`: None where none can be told, and `why` says so."""

    history: RoundHistory | None
    why: Text


def parts_of(replay: Replay) -> ReplayParts:
    """Return whose parts were in which round. What the record costs to read, a child has borne before
    (protocol/fairness/replay_sandbox.py)."""
    try:
        first: dict[str, Any] = msgspec.msgpack.decode(replay.log[0])[2][0]
        if first.get("dice", 1) == 1:
            return ReplayParts(None, Text("fair.replay.dice_1"))
        history = round_history(replay.header.match, replay.log)
    except Exception:  # noqa: BLE001 - a record that somebody made up raises whatever its values lead to
        return ReplayParts(None, Text("fair.replay.unreadable"))
    if not _is_sound(history, len(replay.header.seats)):
        return ReplayParts(None, Text("fair.replay.unreadable"))
    return ReplayParts(history, Text("fair.replay.none" if not history.round else "fair.replay.parts"))


def is_strict(replay: Replay) -> bool:
    """Tell whether a replay says that it was played at a strict table."""
    try:
        return msgspec.msgpack.decode(replay.log[0])[2][0].get("strict", False) is True
    except Exception:  # noqa: BLE001 - a record that somebody made up raises whatever its values lead to
        return False


def _is_sound(history: RoundHistory, seats: int) -> bool:
    """Return True where rounds follow each other, with as many seats as the file names."""
    rounds = history.rounds
    is_counted = len(rounds) <= LINKS + 1 and list(rounds) == list(range(len(rounds)))
    return is_counted and all(len(rounds[r].presence) == seats for r in rounds if r)
