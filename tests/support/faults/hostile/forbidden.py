"""Acts that the rules of the action-card game forbid, made with knowledge of the whole state.

Each kind of cheat names the refusals that it must meet. The state is never to change, whatever is tried. A second,
blind kind tries legal-looking moves of any length: one that is let through must be possible by plain measuring, which
is done here anew, without the engine's geometry.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import Refusal
from engine.core.rules.system import Intent
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.rules.card_end import EndCard
from engine.rulesets.action_cards.rules.movement.moves import Move
from engine.rulesets.action_cards.rules.shooting.linked_fire import LinkedFire
from engine.rulesets.action_cards.rules.shooting.shooting import Shoot
from engine.rulesets.action_cards.rules.special_actions.proposals import Propose
from engine.rulesets.action_cards.rules.special_actions.specials import UseSpecial
from engine.rulesets.action_cards.state.state import Group, Skirmish
from protocol.ids import FigureId, GroupId, MatchId
from tests.support.systems.shipped import resolved_scenario

MATCH = MatchId("m1")

Cheat = tuple[int, Intent]


class Cheater:
    """Cheat that tries forbidden acts at one match, between the acts of random players."""

    def __init__(self, scenario: str, seed: int) -> None:
        resolved, self._seats = resolved_scenario(scenario)
        dice = MatchDice(seed.to_bytes(32, "big"), MATCH)
        self.play: SelfPlay[Skirmish] = SelfPlay(Match(system, MATCH, dice))
        self.play.begin(Start(MATCH, self._seats, resolved))
        self._bots = {Seat(s): RandomBot(seed + s) for s in range(self._seats)}
        self._chance = random.Random(seed)
        self.refusals: Counter[str] = Counter()
        self.tries = self.measured = 0

    def play_on(self) -> bool:
        """Make a decision for the seat to move; return False where the match is over."""
        return self.play.decide(self._bots)

    @property
    def state(self) -> Skirmish:
        """The whole state."""
        return self.play.match.state

    def try_all(self, times: int) -> None:
        """Try every kind of cheat a number of times against the match as it is."""
        match, before = self.play.match, self.state
        version, record = match.version, match.record
        for cheat in _KINDS:
            for _ in range(times):
                made = cheat(self.state, self._acting, self._chance)
                if made is None:
                    continue
                self.tries += 1
                seat, intent = made
                refusal = match.can(Seat(seat), intent)
                self._check(cheat.__name__, intent, refusal)
        assert match.state is before
        assert match.record is record
        assert match.version == version

    @property
    def _acting(self) -> int:
        turn = self.play.match.may_act() if self.play.match.question is None else ()
        return int(turn[0]) if turn else -1

    def _check(self, kind: str, intent: Intent, refusal: Refusal | None) -> None:
        if refusal is not None:
            self.refusals[refusal.code] += 1
            return
        assert kind == "_any_move", f"{kind} was accepted: {intent}"
        assert isinstance(intent, Move)
        fault = measure(self.state, intent)
        assert not fault, f"{fault}: {intent}"
        self.measured += 1


def measure(state: Skirmish, move: Move) -> str:
    """Return the reason why a move is impossible, by plain measuring; empty where it is possible."""
    group = state.groups[move.group]
    start, to = state.figures[move.lead].at, move.to
    inside = [f.id for f in state.resolved.scenario.features if len(f.outline) > 2 and _holds(f.outline, start)]
    allowed = state.faction(group.owner).move * math.prod(one.move / 100 for one in state.lasting)
    if not inside and math.dist(start, to) > allowed:
        return "too far"
    width, height = state.resolved.scenario.size
    if not (0 <= to[0] <= width and 0 <= to[1] <= height):
        return "off the table"
    own = state.profile(state.figures[move.lead]).radius
    for figure in state.figures.values():
        if figure.id not in group.figures and math.dist(figure.at, to) < own + state.profile(figure).radius:
            return "onto another figure"
    return ""


def _holds(outline: tuple[tuple[int, int], ...], at: tuple[int, int]) -> bool:
    inside = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (ay >= at[1]) != (by >= at[1]) and at[0] <= (bx - ax) * (at[1] - ay) / (by - ay) + ax:
            inside = not inside
    grown = min(math.dist(corner, at) for corner in outline) < 100
    return inside or grown or any(_near(a, b, at) for a, b in zip(outline, (*outline[1:], outline[0]), strict=True))


def _near(a: tuple[int, int], b: tuple[int, int], at: tuple[int, int]) -> bool:
    length = math.dist(a, b) or 1
    along = ((at[0] - a[0]) * (b[0] - a[0]) + (at[1] - a[1]) * (b[1] - a[1])) / length
    across = abs((at[0] - a[0]) * (b[1] - a[1]) - (at[1] - a[1]) * (b[0] - a[0])) / length
    return 0 <= along <= length and across < 100


# Kinds of cheats; None where the table offers no occasion


def _mine(state: Skirmish, seat: int, chance: random.Random) -> Group | None:
    own = [group for group in state.groups.values() if group.owner == seat]
    return chance.choice(own) if own else None


def _theirs(state: Skirmish, seat: int, chance: random.Random) -> Group | None:
    others = [group for group in state.groups.values() if group.owner != seat]
    return chance.choice(others) if others else None


def _some_move(state: Skirmish, group: Group, chance: random.Random, reach: int) -> Move:
    lead = chance.choice(group.figures)
    x, y = state.figures[lead].at
    angle = chance.random() * 2 * math.pi
    return Move(group.id, lead, (x + round(reach * math.cos(angle)), y + round(reach * math.sin(angle))))


def _out_of_turn(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    seat = chance.choice([s for s in range(len(state.seats)) if s != acting])
    group = _mine(state, seat, chance)
    foe = _theirs(state, seat, chance)
    if group is None or foe is None:
        return seat, EndCard()
    move = _some_move(state, group, chance, 100)
    return seat, chance.choice((EndCard(), move, Shoot(group.id, foe.id), Propose(group.id, "again", "please")))


def _with_anothers_group(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    group = _theirs(state, acting, chance)
    if acting < 0 or group is None:
        return None
    foe = chance.choice(list(state.groups))
    move = _some_move(state, group, chance, 100)
    return acting, chance.choice((move, Shoot(group.id, foe), Propose(group.id, "again", "please")))


def _too_far(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    group = _mine(state, acting, chance)
    if acting < 0 or group is None:
        return None
    # leaving a feature adds its own size at most
    return acting, _some_move(state, group, chance, state.faction(acting).move + 4_000 + chance.randrange(4_000))


def _off_the_table(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    group = _mine(state, acting, chance)
    if acting < 0 or group is None:
        return None
    width, height = state.resolved.scenario.size
    outside = [(-chance.randrange(1, 900), 100), (width + 60, 50), (100, -70), (50, height + chance.randrange(1, 99))]
    return acting, Move(group.id, chance.choice(group.figures), chance.choice(outside))


def _onto_a_friend(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    group = _mine(state, acting, chance)
    friends = [f for f in state.figures.values() if f.owner == acting and group and f.id not in group.figures]
    if acting < 0 or group is None or not friends:
        return None
    return acting, Move(group.id, chance.choice(group.figures), chance.choice(friends).at)


def _with_anothers_figure(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    group, foe = _mine(state, acting, chance), _theirs(state, acting, chance)
    if acting < 0 or group is None or foe is None:
        return None
    return acting, Move(group.id, chance.choice(foe.figures), state.figures[group.figures[0]].at)


def _unit_that_is_not(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    if acting < 0:
        return None
    name = chance.choice(("9.9", "", "0.1/1", "core", *state.gone))
    other = chance.choice(list(state.groups))
    mine = _mine(state, acting, chance)
    group = GroupId(name)
    shot = Shoot(mine.id if mine else group, group)
    return acting, chance.choice((Shoot(group, other), shot, Move(group, FigureId(name), (100, 100))))


def _at_ones_own(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    group, other = _mine(state, acting, chance), _mine(state, acting, chance)
    if acting < 0 or group is None or other is None:
        return None
    return acting, Shoot(group.id, other.id, chance.choice((-1, acting, 0, 1)))


def _too_many_shots(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    group, foe = _mine(state, acting, chance), _theirs(state, acting, chance)
    if acting < 0 or group is None or foe is None:
        return None
    return acting, LinkedFire((group.id,) * (state.left + 1 + chance.randrange(5)), foe.id)


def _one_linked_shot(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    group, foe = _mine(state, acting, chance), _theirs(state, acting, chance)
    if acting < 0 or group is None or foe is None:
        return None
    return acting, LinkedFire((group.id,)[: chance.randrange(2)], foe.id)


def _somebody_elses_special(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    group = _mine(state, acting, chance)
    own = {s.id for s in (*state.faction(acting).specials, *state.resolved.scenario.specials)} if acting >= 0 else set()
    others = {s.id for faction in state.resolved.factions for s in faction.specials} - own
    if acting < 0 or group is None:
        return None
    return acting, UseSpecial(group.id, chance.choice([*others, "win", ""]), group.figures, (100, 100))


def _helped_by_strangers(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    group, foe = _mine(state, acting, chance), _theirs(state, acting, chance)
    own = (*state.faction(acting).specials, *state.resolved.scenario.specials) if acting >= 0 else ()
    if group is None or foe is None or not own:
        return None
    helpers = chance.choice((foe.figures, group.figures * 2))
    return acting, UseSpecial(group.id, chance.choice(own).id, helpers, (100, 100))


def _proposal_about_nothing(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    group = _mine(state, acting, chance)
    if acting < 0 or group is None:
        return None
    effect = chance.choice(("clear", "open", "stun", "win", ""))
    about = chance.choice(("", "nowhere", *(state.gone if effect != "stun" else ()), group.id))
    return acting, Propose(group.id, effect, "please", about=about)


def _any_move(state: Skirmish, acting: int, chance: random.Random) -> Cheat | None:
    group = _mine(state, acting, chance)
    if acting < 0 or group is None:
        return None
    return acting, _some_move(state, group, chance, chance.randrange(1, state.faction(acting).move * 2))


_KINDS: tuple[Callable[[Any, int, random.Random], Cheat | None], ...] = (
    _out_of_turn,
    _with_anothers_group,
    _too_far,
    _off_the_table,
    _onto_a_friend,
    _with_anothers_figure,
    _unit_that_is_not,
    _at_ones_own,
    _too_many_shots,
    _one_linked_shot,
    _somebody_elses_special,
    _helped_by_strangers,
    _proposal_about_nothing,
    _any_move,
)


def cheat(count: int, seed: int) -> dict[str, float]:
    """Try a number of cheats, over as many matches as it takes."""
    tries = measured = matches = 0
    refusals: Counter[str] = Counter()
    while tries < count:
        matches += 1
        scenario = ("low_water", "harrow_cross")[matches % 2]
        cheater = Cheater(scenario, 10_000 * seed + matches)
        while tries + cheater.tries < count:
            cheater.try_all(5)
            if not all(cheater.play_on() for _ in range(4)):
                break
        tries += cheater.tries
        measured += cheater.measured
        refusals += cheater.refusals
    return {"tries": tries, "matches": matches, "measured_moves": measured, "kinds_of_refusal": len(refusals)}
