"""Choice and removal of casualties (AC-SHOOT-03)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core.rules.audience import Seat
from engine.core.rules.game import Game
from engine.core.rules.implements import implements
from engine.core.rules.questions import pick_some
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.events import FiguresRemoved
from engine.rulesets.action_cards.state.model import Profile
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import FigureId
from protocol.scene.fields import Option
from protocol.text import Text


@implements("AC-SHOOT-03")
def cheapest_first(state: Skirmish, figures: Iterable[FigureId]) -> tuple[FigureId, ...]:
    """Sort figures by the dice lost with them: fewest shooting dice first, of equals the highest id first."""
    by_id = sorted(figures, reverse=True)
    return tuple(sorted(by_id, key=lambda figure: _dice_lost(table.profile(state, figure))))


def _dice_lost(profile: Profile) -> int:
    """Return the shooting dice lost with a figure: its own weapons', and its share of the gun that it serves."""
    gun = profile.gun
    return profile.dice + profile.blast + (-(-(gun.dice + gun.blast) // profile.crew) if gun is not None else 0)


@implements("AC-SHOOT-03")
async def choose(game: Game[Skirmish], owner: Seat, candidates: Sequence[FigureId], count: int) -> tuple[FigureId, ...]:
    """Ask the owner which `count` of the candidates fall; not asked where all of them do. Removes nobody."""
    if count >= len(candidates):
        return tuple(candidates)
    state = game.state
    options = [Option(names.piece_node(id), Text(table.profile(state, id).name)) for id in candidates]
    default = [names.piece_node(id) for id in cheapest_first(state, candidates)[:count]]
    ask = pick_some(Text("ask.casualties", {"count": count}), options, count, count, default, "AC-SHOOT-03")
    picked = await game.ask(owner, ask, "casualties")
    return tuple(names.figure_of(id) for id in picked)


@implements("AC-SHOOT-03")
async def remove(game: Game[Skirmish], by_seat: int, owner: Seat, candidates: Sequence[FigureId], count: int) -> None:
    """Remove `count` of the candidates at once, as their owner chooses, to the credit of `by_seat`."""
    lost = await choose(game, owner, candidates, count)
    game.emit(FiguresRemoved(by_seat, lost))
