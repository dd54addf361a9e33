"""Outline of the table, to look ahead on: groups, their numbers, and the shots that they are expected to fire.

It follows no rule: everybody whose card comes up fires their best shots, expected figures fall, and nobody moves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from engine.rulesets.action_cards.bots.bot_odds import expected_kills
from engine.rulesets.action_cards.bots.bot_scales import Scales
from engine.rulesets.action_cards.bots.bot_sheets import Kill
from engine.rulesets.action_cards.bots.bot_table import SeenGroup
from engine.space.vectors.points import Point

GONE: Final = 0.3
"""Of a group with fewer figures than that nothing is left."""
LIKELY: Final = 0.8
"""A shot that could be fired at somebody is, with this chance: its player may have other things to do."""
AT_ME: Final = 0.5


@dataclass(slots=True)
class OutlineGroup:
    """Group in outline; `dice` a figure has on average."""

    id: str
    owner: int
    at: Point
    count: float
    dice: float
    cover: str
    kill: Kill
    is_free: bool
    worth: float
    """Worth of one of its figures to this player: lost, or removed."""


class Sketch:
    """Groups in outline, and the gain so far: in hundredths of a force, from this player's side."""

    def __init__(self, scales: Scales, squads: list[OutlineGroup], gained: float = 0.0) -> None:
        self.scales = scales
        self.squads = squads
        self.gained = gained
        self.looks = 0

    def copy(self) -> Sketch:
        """Return a copy to play on."""
        return Sketch(self.scales, [replace(squad) for squad in self.squads], self.gained)

    def moved(self, id: str, to: Point) -> None:
        """Move a group of this player."""
        for squad in self.squads:
            if squad.id == id:
                squad.at, squad.cover = to, self.scales.lines.cover_at(to)

    def hit(self, id: str, kills: float) -> None:
        """Remove so many figures of a group by this player's shot."""
        for squad in self.squads:
            if squad.id == id:
                self._fall(squad, kills, self.scales.table.seat)

    def volleys(self, seat: int, shots: float) -> None:
        """Fire a seat's best shots, one after another; the last may be a part of one. Others fire partly at this
        player, partly at anyone: their aims are unknown."""
        mine = self.scales.table.seat
        while shots > 0:
            best = self._best(seat)
            if best is None:
                return
            part = min(1.0, shots)
            at_me = self._best(seat, mine) if self.scales.table.are_foes(seat, mine) and best[1].owner != mine else None
            if at_me is not None:
                self._fall(at_me[1], at_me[0] * part * AT_ME, seat)
                part *= 1.0 - AT_ME
            self._fall(best[1], best[0] * part, seat)
            shots -= 1.0

    def _best(self, seat: int, at: int = -1) -> tuple[float, OutlineGroup] | None:
        found: tuple[float, float, OutlineGroup] | None = None
        clear = self.scales.lines.clear
        mine, foes = self.scales.table.seat, self.scales.table.are_foes
        for target in self.squads:
            if (
                not foes(seat, target.owner)
                or (at >= 0 and target.owner != at)
                or target.count < GONE
                or not target.is_free
            ):
                continue
            number, figures = target.kill[target.cover], ceil(target.count)
            for squad in self.squads:
                if squad.owner != seat or squad.count < GONE or not squad.is_free or not squad.dice:
                    continue
                kills = min(target.count, expected_kills(round(squad.dice * squad.count), number, figures))
                worth = kills * (target.worth if seat == mine else self.scales.table.forces[target.owner].worth)
                if worth > 0 and (found is None or worth > found[0]) and clear(squad.at, target.at):
                    found = (worth, kills, target)
        self.looks += 1
        return found[1:] if found is not None else None

    def _fall(self, squad: OutlineGroup, kills: float, by: int) -> None:
        kills = min(squad.count, kills)
        squad.count -= kills
        mine = self.scales.table.seat
        if squad.owner == mine:
            self.gained -= kills * squad.worth
        elif by == mine:
            self.gained += kills * squad.worth
        else:
            self.gained += kills * self.scales.spared(squad.owner)


def sketch(scales: Scales) -> Sketch:
    """Build the outline of the present table."""
    return Sketch(scales, [_squad(scales, group) for group in scales.table.groups.values()])


def _squad(scales: Scales, group: SeenGroup) -> OutlineGroup:
    table = scales.table
    kill = table.kill_of(group)
    worth = scales.own_worth if group.owner == table.seat else scales.prize(group)
    is_free = not {"locked", "airborne"} & set(group.status)
    return OutlineGroup(
        group.id, group.owner, group.at, group.count, group.dice / group.count, group.cover, kill, is_free, worth
    )


def ahead(outline: Sketch, left: float) -> float:
    """Return the gain until this player's next card has been played: first by the actions left on this one, then card
    by card as the row lies, and by averages beyond it."""
    scales = outline.scales
    table, forecast = scales.table, scales.forecast
    outline.volleys(table.seat, left)
    waiting = [card for card in table.row.cards if card.state == "waiting" and card.owner in forecast.left]
    for card in waiting:
        outline.volleys(card.owner, card.pips * (1.0 if card.owner == table.seat else LIKELY))
        if card.owner == table.seat:
            return outline.gained
    if not forecast.is_closing:
        for seat in (*[seat for seat in forecast.left if seat != table.seat], table.seat):
            outline.volleys(seat, forecast.usual(seat) * (1.0 if seat == table.seat else LIKELY))
    return outline.gained
