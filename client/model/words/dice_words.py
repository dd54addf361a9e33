"""Words of a roll: its faces, what it needs or sums up to, and what it meant. Needs no window."""

from __future__ import annotations

from collections.abc import Iterator

from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from client.text.texts import Texts
from protocol.scene.nodes import Dice


def dice_words(dice: Dice, texts: Texts) -> str:
    """Return a roll in a line: its faces, and what is told of it below the dice."""
    faces = " ".join(str(face) for face in dice.faces)
    return " · ".join([phrase("log.dice", faces=faces, sides=dice.sides), *told_of(dice, texts)])


def told_of(dice: Dice, texts: Texts) -> list[str]:
    """Return what a roll needs or sums up to, what it meant, and where its dice came from."""
    return [*sums(dice), *(texts.say(part) for part in (*dice.reasons, *dice.parts))]


def sums(dice: Dice) -> Iterator[str]:
    """Yield what a roll needs, with the number of dice that count where no reasons tell of it, or its sum."""
    if dice.high:
        if dice.low == 1:
            yield phrase("dice.low", high=dice.high)
        elif dice.high == dice.sides:
            yield phrase("dice.high", low=dice.low)
        else:
            yield phrase("dice.between", low=dice.low, high=dice.high)
        if not dice.reasons:
            yield phrase("dice.counted", count=counted(dice), dice=len(dice.faces))
    elif dice.total and len(dice.faces) > 1:
        yield phrase("dice.total", total=dice.total)


def counted(dice: Dice) -> int:
    """Return how many dice of a roll count by themselves."""
    return sum(dice.low <= face <= dice.high for face in dice.faces)


def strict_words(model: ViewModel, dice: Dice) -> str:
    """Return whether a roll was strict, in a word or two; empty where the table is not strict."""
    is_strict = model.strictness(dice.roll)
    return "" if is_strict is None else phrase("dice.strict" if is_strict else "dice.not_strict")
