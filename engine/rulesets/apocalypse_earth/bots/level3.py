"""Bot of level 3: it plays the best ideas of level 2 out, on states that could be behind what its side knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.bots.bot import BotView
from engine.core.bots.random_bot import Chance
from engine.core.bots.sampling import SampledDice, carry_out
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game, Probe
from engine.core.rules.node_ids import group_node, group_of
from engine.core.rules.record import Record
from engine.core.rules.system import Intent
from engine.kit.bots.chooser import Idea
from engine.rulesets.apocalypse_earth.bots import odds, powers
from engine.rulesets.apocalypse_earth.bots.level2 import Level2
from engine.rulesets.apocalypse_earth.bots.look import Look, Seen
from engine.rulesets.apocalypse_earth.rules.fire import firing
from engine.rulesets.apocalypse_earth.rules.flow import VERBS, BattleRules
from engine.rulesets.apocalypse_earth.rules.table.hiding import imagine
from engine.rulesets.apocalypse_earth.state.state import GONE, TABLE, Battle
from engine.space.vectors.points import Point
from protocol.ids import GroupId
from protocol.scene.nodes import Choice

PLAYS: Final = 6
"""Times that a charge is played out."""
WAYS: Final = 2
"""Times that a move is played out."""
MOST: Final = 6
"""Ideas that are played out in a decision, those left out that the rules refuse."""
TRIES: Final = 18
"""Ideas that are looked at in a decision: of the best places many have no room for the whole unit."""
SUPPRESSED: Final = 0.6
"""Share of its worth that a suppressed unit keeps."""
LATE: Final = {0: 4, 1: 1}
"""Worth of an objective, in times its price, by the turns that are left."""
KNOWN: Final = frozenset(
    {"fire", "stand", "finish", "away", "board", "get_out", "lob", "place", "lay_smoke", "take_set", "take_gun", "call"}
)
"""Choices of which a forecast says what they come to, or nothing is to be seen at once."""
MOVES: Final = ("move", "drive")
GOES_ON: Final = (*MOVES, "power")
"""Choices after which a unit may still fire."""
RULES: Final = BattleRules()


class Level3(Level2):
    """Bot of a player who thinks an act through to its end."""

    needs_known = True
    every = 1
    fear = 0.5

    async def acts(self, view: BotView, look: Look, choices: dict[str, Choice], unit: Seen) -> list[Idea]:
        """Return the best ideas of level 2; moves and charges are worth the mean of what level 2 thinks of them and of
        what comes of them when they are played out."""
        found = sorted(await super().acts(view, look, choices, unit), key=lambda idea: -idea.worth)
        if len(found) < 2 or view.is_due():
            return found
        known: Battle = view.known
        here, keys = self.ground(look, unit, unit.lead), [self._chance.below(1 << 48) for _ in range(PLAYS)]
        tried = [idea for idea in found if is_known(idea)]
        most = len(tried) + MOST
        for idea in [idea for idea in found if not is_known(idea)][:TRIES]:
            if len(tried) >= most:
                break
            try:
                worth = self.tried(known, look, idea, unit, keys)
            except IllegalIntent:
                continue
            if idea.reply.choice in MOVES:
                way = idea.reply.fields["way"]
                assert isinstance(way, list)
                worth += self.ground(look, unit, (way[0], way[1])) - here
            tried.append(Idea((idea.worth + worth) / 2, idea.reply))
        return tried

    def fired(self, target: Seen, losses: float) -> float:
        """Return the points that fire is worth: half for who falls, half for what the target pays more at the end."""
        return weigh(target, losses)

    def pull(self, look: Look, unit: Seen, spot: Point) -> float:
        """Return what its goal makes of a place: an objective more towards the end, when it pays."""
        return super().pull(look, unit, spot) + LATE.get(look.turns_left, 0) * self.prize(look, spot)

    def tried(self, known: Battle, look: Look, idea: Idea, unit: Seen, keys: Sequence[int]) -> float:
        """Return the points that an idea wins on average: what falls at once, and after a move or a power the unit's
        best shot. `keys`: of the dice, the same for all ideas, so that luck tells none from another. Raises
        IllegalIntent."""
        seat = look.view.seat
        intent = VERBS.parse(known, Seat(seat), idea.reply)
        goes_on, before = idea.reply.choice in GOES_ON, balance(known, seat)
        plays = WAYS if idea.reply.choice in MOVES else PLAYS
        total = 0.0
        for key in keys[:plays]:
            after = self.played(known, Seat(seat), intent, key)
            total += balance(after, seat) - before + (best_shot(after, look, group_of(unit.id)) if goes_on else 0.0)
        return total / plays

    def played(self, known: Battle, seat: Seat, intent: Intent, key: int) -> Battle:
        """Return a table after an act, as it might be. Raises IllegalIntent."""
        chance, dice = Chance(key), SampledDice(key.to_bytes(32, "big"))
        game = Game(imagine(known, chance), Record(seats=len(known.seats)), dice)
        carry_out(RULES, game, seat, intent, chance, lambda: Probe(game.state, game.record, dice))
        return game.state


def is_known(idea: Idea) -> bool:
    """Tell if what an idea comes to is not to be found out by playing it."""
    return idea.reply.choice in KNOWN or idea.reply.fields.get("power") in powers.LASTING


def best_shot(state: Battle, look: Look, id: GroupId) -> float:
    """Return the points that the best fire of a unit wins on average from where it stands, at units that its player saw
    before."""
    unit = state.units[id]
    if unit.where != TABLE or unit.suppressed:
        return 0.0
    found = [
        weigh(look.units[node], firing.expected(state, unit, shots) / 100)
        for target, shots in firing.targets(state, id)[0].items()
        if (node := group_node(target)) in look.units
    ]
    return max(found, default=0.0)


def weigh(target: Seen, losses: float) -> float:
    """Return the points that losses of a unit are worth: half for who falls, half for what it pays more at the end."""
    fallen = odds.worth(target, losses)
    return fallen if target.card.drives else (fallen + odds.paid(target, losses)) / 2


def balance(state: Battle, seat: int) -> float:
    """Return what the units of a seat's side are worth now, less those of its enemies: half by who is left, half by
    what they will have paid."""
    total = 0.0
    for unit in state.units.values():
        if unit.where != GONE:
            points, left = state.profile(unit).points, len(unit.figures)
            worth = (points * left / unit.size + points - odds.toll(points, unit.size, left)) / 2
            worth *= SUPPRESSED if unit.suppressed else 1.0
            total += -worth if state.hostile(unit.owner, seat) else worth
    return total
