"""The log of dice: one die is told with its face, several with their number."""

from __future__ import annotations

import pytest

from engine.core.rules.events import DiceRolled
from engine.rulesets.one_page.rules import attacks, rounds
from engine.rulesets.one_page.view.cues import cues
from protocol.scene.nodes import Cue
from tests.support.systems.battle import battle, squad


@pytest.mark.parametrize(
    ("purpose", "faces", "key", "told"),
    [
        (rounds.ROLL_OFF, (5,), "op.log.die", {"face": 5}),
        (attacks.HIT, (1, 6, 6), "op.log.dice", {"dice": 3}),
    ],
)
def test_a_roll_off_is_told_with_its_number(
    purpose: str, faces: tuple[int, ...], key: str, told: dict[str, int]
) -> None:
    state = battle([squad((1000, 1000))], [squad((9000, 6000))])
    (cue,) = cues.tell(DiceRolled(1, 0, purpose, 0, 6, faces), state, state)
    assert isinstance(cue, Cue)
    assert cue.text.k == key
    assert {name: cue.text.a[name] for name in told} == told
