"""The log of dice: one die is told with its face, several with their number; what counts of a roll is told."""

from __future__ import annotations

import pytest

from engine.core.rules.audience import ALL
from engine.core.rules.events import DiceRolled
from engine.rulesets.one_page.rules import attacks, morale, rounds
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


@pytest.mark.parametrize(
    ("purpose", "counted", "told"),
    [
        (attacks.HIT, (4, 6), ("op.roll.hits", 2)),
        (attacks.IGNORE, (1, 2), ("op.roll.stopped", 1)),
        (morale.MORALE, (5, 6), ("op.roll.passed", None)),
        (rounds.RESERVES, (4, 6), None),
        (rounds.POWER_DICE, (0, 0), None),
    ],
)
def test_a_roll_says_what_counts_and_adds_up_only_what_is_added(
    purpose: str, counted: tuple[int, int], told: tuple[str, int | None] | None
) -> None:
    state = battle([squad((1000, 1000))], [squad((9000, 6000))])
    (cue,) = cues.tell(DiceRolled(1, 0, purpose, 0, 6, (1, 4, 6), ALL, *counted), state, state)
    assert isinstance(cue, Cue)
    assert cue.dice is not None
    assert (cue.dice.low, cue.dice.high, cue.dice.total) == (*counted, 0 if any(counted) else 11)
    assert [(words.k, words.a.get("count")) for words in cue.dice.reasons] == ([told] if told else [])
