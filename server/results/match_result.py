"""The result of a finished match, as it is kept: who played, how it ended, and whether it counts for ratings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from protocol.ids import MatchId
from protocol.text import Text
from server.results.skill import Skill, Team

BOTS, CHOSEN, PARKED, ENDED = "bots", "chosen", "parked", "ended"
UNPROVEN, ALONE, OFTEN = "unproven", "alone", "often"
"""The reasons why a match is not rated: a bot held a seat at the start; its players had chosen so; it could not go on;
it ended without a result by its rules; nobody but the host had a part in some of its dice, as in all by mail; nobody
played against anybody; the same people had MOST_A_DAY rated ones in the day before."""
MOST_A_DAY: Final = 5
DAY: Final = 24 * 3600
_GONE: Final = 2


class PlayerResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat in a finished match. `who`: the person who held it at the start, empty for a bot; `name`: the bot's;
    `side`: its number, -1 where the seat stands alone; `won`, `score`: of its side, or its own where it stands alone;
    `gone`: the person has conceded or was replaced for good; `before`, `after`: their skill, where the match is
    rated."""

    who: str
    name: str
    side: int = -1
    won: bool = False
    score: int = 0
    gone: bool = False
    before: Skill | None = None
    after: Skill | None = None


class MatchResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finished match. `table`: the table's own name, empty where it has none; `ended`: unix seconds; `why`: why it
    ended; `rounds`: those of its dice, of which `bare` rest on the host alone; `unrated`: the reason why it does not
    count for ratings, empty where it does; `ranked`: it was played at a ranked table; `number`: its place in the order
    in which matches ended, counted from 1, 0 before it is kept."""

    match: MatchId
    system: str
    scenario: str
    table: str
    ended: int
    why: Text
    players: tuple[PlayerResult, ...]
    private: bool = False
    rounds: int = 0
    bare: int = 0
    unrated: str = ""
    number: int = 0
    ranked: bool = False

    @property
    def people(self) -> frozenset[str]:
        """Ids of all who held a seat at the start."""
        return frozenset(player.who for player in self.players if player.who)


def without_name(result: MatchResult, who: str) -> MatchResult:
    """Return a result without the name of this person in the seats that they held at the start."""
    return without_names(result, [seat for seat, player in enumerate(result.players) if player.who == who])


def without_names(result: MatchResult, seats: Collection[int], *, untitled: bool = False) -> MatchResult:
    """Return a result without the names of these seats; `untitled`: without that of its table, too."""
    players = [replace(player, name="") if seat in seats else player for seat, player in enumerate(result.players)]
    return replace(result, players=tuple(players), table="" if untitled else result.table)


def teams_of(players: Sequence[PlayerResult]) -> list[Team]:
    """Return the teams of a match without bots: sides, or else seats. The winners share rank 1, the others follow by
    score; whoever has gone is a team of their own, behind all others."""
    sides: dict[tuple[int, int], list[PlayerResult]] = {}
    for seat, player in enumerate(players):
        alone = player.gone or player.side < 0
        sides.setdefault((-1, seat) if alone else (player.side, -1), []).append(player)
    places = [(_place(of_side[0]), tuple(player.who for player in of_side)) for of_side in sides.values()]
    order = sorted({place for place, _ in places})
    return [Team(order.index(place) + 1, people) for place, people in places]


def _place(player: PlayerResult) -> tuple[int, int]:
    """Return the key by which a team is ranked: the lowest is best."""
    if player.gone:
        return _GONE, 0
    return (0, 0) if player.won else (1, -player.score)
