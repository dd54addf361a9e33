"""Level 3: a player who counts, thinks ahead, and minds who is winning. It looks at its scene and prompt only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.rulesets.action_cards.bot import Player
from engine.rulesets.action_cards.bot_errands import Pace
from engine.rulesets.action_cards.bot_foresight import ForesightLook
from engine.rulesets.action_cards.bot_scales import Scales
from protocol.scene import Reply, SeatNode
from protocol.text import Text

if TYPE_CHECKING:
    from engine.core.bot import View
    from engine.rulesets.action_cards.bot_look import Look
    from engine.rulesets.action_cards.bot_sight import Lines

GRUDGE: Final = 0.1
"""A rival is worth hurting so much more for every point that he is ahead of this player, for all to see."""
MOST_GRUDGE: Final = 0.3
HARMFUL: Final = ("effect.stun", "effect.clear")
VOTE: Final = "abstain"
"""What is played by default where a proposal is voted on."""


class LeaderScales(Scales):
    """Weighs who is winning, and points as what they are: all that counts in the end."""

    point = 36.0
    margin = 6

    def grudge(self, owner: int) -> float:
        """Whoever is ahead is worth hurting more."""
        if len(self.table.scores) < 3:
            return 1.0  # with one rival there is nobody else to hurt
        ahead = self.table.scores.get(owner, 0) - self.table.scores.get(self.table.seat, 0)
        return 1.0 + max(0.0, min(MOST_GRUDGE, GRUDGE * ahead))


class DeepLook(ForesightLook):
    """Level 3 looks at more groups and places, tries more of what it finds, and minds who is winning."""

    scales = LeaderScales
    pace = Pace(leisure=4.0, for_good=2.2, adds_up=True)
    work = 60.0
    movers = 4
    ends = 4
    budget = 20
    tried = 24


class Level3(Player):
    """The best: counts, sees the next shots coming, and weighs who is winning; allows what others try who are not
    ahead and take nothing away."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._lines: Lines | None = None

    def at(self, view: View) -> Look:
        """What it found out about lines of sight serves as long as the terrain stays."""
        look = DeepLook(view, self._refused, self._lines)
        self._lines = look.lines
        return look

    async def decide(self, view: View) -> Reply:
        """The act that is worth most; a vote on what somebody tries; else a prompt's default."""
        if view.prompt.default == VOTE:
            return Reply("no" if _is_ahead(view) or _does_harm(view) else "yes")
        return await super().decide(view)


def _does_harm(view: View) -> bool:
    """Whether something is to be taken away: from whom, the question does not say."""
    effect = view.prompt.title.a.get("effect")
    return isinstance(effect, Text) and effect.k in HARMFUL


def _is_ahead(view: View) -> bool:
    """Whether the proposer has more points than this player, as far as all can see."""
    seats = {id: node for id, node in view.nodes.items() if isinstance(node, SeatNode)}
    own = seats[f"seat/{view.seat}"].score
    proposer = view.prompt.title.a.get("seat")
    return any(node.name == proposer and node.score > own for node in seats.values())
