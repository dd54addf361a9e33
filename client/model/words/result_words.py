"""Words of a match's end: who has won. Needs no window."""

from __future__ import annotations

from client.model.table.sides import side_name
from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from protocol.scene.nodes import Result


def result_title(model: ViewModel, result: Result | None) -> str:
    """Return the winners' names; without a result its players have ended the match."""
    if result is None:
        return phrase("result.ended")
    if result.sides:
        best = [side for side in result.sides if side.won]
        sides = [phrase("side.scored", side=side_name(side.side), score=side.score) for side in best]
        return phrase("result.won", names=", ".join(sides), together="") if sides else phrase("result.nobody")
    won = [model.seat_name(seat.seat) for seat in result.seats if seat.won]
    names = phrase("result.and").join((", ".join(won[:-1]), won[-1])) if len(won) > 1 else "".join(won)
    together = phrase("result.together") if len(won) > 1 else ""
    return phrase("result.won", names=names, together=together) if won else phrase("result.nobody")
