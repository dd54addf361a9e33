"""Level 3: a player who counts, thinks ahead, and minds who is winning. It looks at its scene and prompt only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.rulesets.action_cards.bot import Player
from engine.rulesets.action_cards.bot_foresight import ForesightLook
from protocol.scene import Reply, SeatNode
from protocol.text import Text

if TYPE_CHECKING:
    from engine.core.bot import View
    from engine.rulesets.action_cards.bot_look import Look
    from engine.rulesets.action_cards.bot_sight import Lines
    from engine.rulesets.action_cards.bot_table import Reading

HARMFUL: Final = ("effect.stun", "effect.clear")
VOTE: Final = "abstain"
"""What is played by default where a proposal is voted on."""


class Level3(Player):
    """The best: counts, sees the next shots coming, and weighs who is winning; allows what others try who are not
    ahead and take nothing away."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._last: Reading | None = None
        self._lines: Lines | None = None

    def at(self, view: View) -> Look:
        """What it found out about lines of sight, and made of nodes, serves as long as terrain and nodes stay."""
        look = ForesightLook(view, self._refused, self._last, self._lines)
        self._last, self._lines = look.table, look.lines
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
