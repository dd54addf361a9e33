"""Casualties: the choice of the figures that fall, and wounds shared out among figures that each take some before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.core.rules.audience import Seat
from engine.core.rules.game import Game
from engine.core.rules.node_ids import figure_of, piece_node
from engine.core.rules.questions import pick_some
from protocol.ids import FigureId
from protocol.scene.fields import Option
from protocol.text import Text


class CasualtyQuestion(NamedTuple):
    """The question which figures fall: its title, the rule that it is of, and what it is called in the log."""

    title: Text
    rule: str
    purpose: str


async def chosen(
    game: Game[Any],
    owner: Seat,
    figures: Mapping[FigureId, Text],
    default: Sequence[FigureId],
    question: CasualtyQuestion,
) -> tuple[FigureId, ...]:
    """Ask the owner which of these figures fall, each with its name: as many as `default` names, who fall where no
    answer comes. Nobody is asked where all of them do."""
    if len(default) >= len(figures):
        return tuple(figures)
    options = [Option(piece_node(id), name) for id, name in figures.items()]
    usual, count = [piece_node(id) for id in default], len(default)
    ask = pick_some(question.title, options, count, count, usual, question.rule)
    return tuple([figure_of(id) for id in await game.ask(owner, ask, question.purpose)])


class Harm(NamedTuple):
    """Wounds that come together. `single`: all of them go to one figure, and what it cannot take is lost."""

    wounds: int
    single: bool = False


class Allotment(NamedTuple):
    """The wounds taken by each figure, the figures that fall (in order), and the number of wounds left over."""

    taken: dict[FigureId, int]
    fallen: tuple[FigureId, ...]
    lost: int


def allot(order: Sequence[tuple[FigureId, int]], harms: Sequence[Harm]) -> Allotment:
    """Share wounds out. `order`: figures and how many more wounds each takes before it falls, one at least.

    A figure takes wounds until it falls; then the next one does.
    """
    queue = list(reversed(order))
    taken: dict[FigureId, int] = {}
    fallen: list[FigureId] = []
    lost = 0
    for harm in harms:
        left = harm.wounds
        while left and queue:
            id, life = queue.pop()
            given = min(left, life)
            taken[id] = taken.get(id, 0) + given
            left -= given
            if given == life:
                fallen.append(id)
            else:
                queue.append((id, life - given))
            if harm.single:
                break
        lost += left
    return Allotment(taken, tuple(fallen), lost)
