"""Activations that wait to be ended: as the seat has set it, and never a bot's."""

from __future__ import annotations

import pytest

from engine.core.rules.dice import MatchDice
from engine.core.rules.game import Game
from engine.core.rules.record import Record, SeatSettings
from engine.kit.activations import waits_for_end
from protocol.fairness.entropy_record import EntropyRecord
from protocol.ids import MatchId

DICE = MatchDice(bytes(32), MatchId("m"))


@pytest.mark.parametrize(
    ("holders", "settings", "waits"),
    [
        ((), {}, False),
        ((), {1: SeatSettings(waits=True)}, False),
        ((), {0: SeatSettings(waits=False)}, False),
        ((), {0: SeatSettings(waits=True)}, True),
        (("person", "bot"), {0: SeatSettings(waits=True)}, True),
        (("bot", "person"), {0: SeatSettings(waits=True)}, False),
    ],
    ids=["nothing set", "set by another", "by itself", "waits", "a person's", "a bot's"],
)
def test_an_activation_waits_where_its_seat_has_said_so(
    holders: tuple[str, ...], settings: dict[int, SeatSettings], waits: bool
) -> None:
    record = Record(settings=settings, participation=EntropyRecord(holders))
    assert waits_for_end(Game(None, record, DICE), 0) is waits
