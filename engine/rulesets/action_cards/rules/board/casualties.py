"""Choice and removal of casualties (AC-SHOOT-03)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.kit import casualties
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.action_cards.rules.board import table
from engine.rulesets.action_cards.state.events import FiguresRemoved
from engine.rulesets.action_cards.state.model import Profile
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import FigureId
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
    state = game.state
    known = {id: Text(table.profile(state, id).name) for id in candidates}
    question = casualties.CasualtyQuestion(Text("ask.casualties", {"count": count}), "AC-SHOOT-03", "casualties")
    return await casualties.chosen(game, owner, known, cheapest_first(state, candidates)[:count], question)


@implements("AC-SHOOT-03")
async def remove(game: Game[Skirmish], by_seat: int, owner: Seat, candidates: Sequence[FigureId], count: int) -> None:
    """Remove `count` of the candidates at once, as their owner chooses, to the credit of `by_seat`."""
    lost = await choose(game, owner, candidates, count)
    game.emit(FiguresRemoved(by_seat, lost))
