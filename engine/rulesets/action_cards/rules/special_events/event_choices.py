"""Choices of a Special Event: its factions, its decider and its targets, all from what everybody sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core.rules.questions import Window, pick_one
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.action_cards.rules.board import cover, firepower, table
from engine.rulesets.action_cards.rules.close_combat import regrouping
from engine.rulesets.action_cards.rules.scenario import conditions, ending
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.event_facts import ChanceVoted
from engine.rulesets.action_cards.state.model import Effect
from engine.rulesets.action_cards.state.state import Group, Skirmish
from engine.space.vectors.outlines import contains
from protocol.ids import GroupId
from protocol.scene.fields import Option
from protocol.text import Text

CHANCE: Final = "chance"
ORDER: Final = "order.event"
LOT: Final = "lot"
"""The vote of a fallen faction that leaves it to chance."""
FATE: Final = Window("vote", 10, present=True)


@implements("AC-OPEN-01")
async def seats(game: Game[Skirmish], which: str) -> tuple[int, ...]:
    """Return the factions on the table that a word means, one by chance for `chance`. Empty where it means none."""
    if which != CHANCE:
        return meant(game.state, which)
    standing = alive(game.state)
    options = [Option(names.seat_node(seat), names.faction(game.state, seat)) for seat in standing]
    return (standing[await by_chance(game, options)],) if standing else ()


@implements("AC-OPEN-01")
def meant(state: Skirmish, which: str) -> tuple[int, ...]:
    """Return the factions on the table that a word means, as all can see."""
    standing = alive(state)
    match which:
        case "leader":
            found = sorted(standing, key=lambda seat: (standing_of(state, seat), -seat), reverse=True)
        case "last":
            found = sorted(standing, key=lambda seat: (standing_of(state, seat), seat))
        case "weakest":
            found = sorted(standing, key=lambda seat: (standing_of(state, seat)[1], seat))
        case "next":
            waiting = [card.seat for card in state.row[state.current + 1 :] if card.state == "waiting"]
            found = [seat for seat in waiting if seat in standing]
        case _:
            return standing
    return tuple(found[:1])


def alive(state: Skirmish) -> tuple[int, ...]:
    """Return the seats with figures on the table, in seat order."""
    owners = {group.owner for group in state.groups.values()}
    return tuple(seat for seat in range(len(state.seats)) if seat in owners)


def standing_of(state: Skirmish, seat: int) -> tuple[int, int]:
    """Return a faction's public score: points of open conditions, then percent of its figures that are left."""
    left = len(ending.figures_of(state, Seat(seat)))
    return conditions.open_score(state, seat), 100 * left // max(1, sum(map(len, state.faction(seat).force)))


SEATS: Final = frozenset({"all", "leader", "last", "weakest", "next", CHANCE})
"""all; leader and last: by the open score, then by the share of figures left; weakest: by that share; next: whose
card comes next in the row; chance: by lot, or as the fallen say."""


@implements("AC-OPEN-01")
async def by_chance(game: Game[Skirmish], options: Sequence[Option]) -> int:
    """Return the index of an option: as most of the fallen factions say; by lot without votes, or among equals."""
    left = await _wished_by_fallen(game, options) if len(options) > 1 else [0]
    return left[game.shuffle(len(left), ORDER)[0]] if len(left) > 1 else left[0]


@implements("AC-OPEN-01", "AC-ACT-02")
async def _wished_by_fallen(game: Game[Skirmish], options: Sequence[Option]) -> list[int]:
    """Return the indices of the options with most votes of fallen factions; all of them without a vote."""
    state = game.state
    fallen = [Seat(seat) for seat, own in enumerate(state.seats) if not own.alive]
    title = Text("ask.event.chance", {"event": names.event(state, state.happening)})
    ballot = pick_one(title, [Option(LOT, Text("vote.lot")), *options], LOT, "AC-OPEN-01")
    said = await game.ask_together(dict.fromkeys(fallen, ballot), CHANCE, FATE)
    count = Counter(vote for vote in said.values() if vote != LOT)
    if not count:
        return list(range(len(options)))
    game.emit(ChanceVoted({int(seat): vote for seat, vote in said.items()}))
    most = max(count.values())
    return [place for place, option in enumerate(options) if count[option.id] == most]


def _is_open(state: Skirmish, group: Group) -> bool:
    return cover.group_cover(state, group.id) == "open"


def _is_large(state: Skirmish, group: Group) -> bool:
    is_whole = table.board(state).vehicle(group.id) is not None  # a vehicle is a whole group
    return is_whole or 2 * len(group.figures) > regrouping.size_of(state, group)


_GROUPS: Final[Mapping[str, Callable[[Skirmish, Group], bool]]] = {
    "any": lambda state, group: True,
    "open": _is_open,
    "covered": lambda state, group: not _is_open(state, group),
    "weak": lambda state, group: not _is_large(state, group),
    "large": _is_large,
}
GROUPS: Final = frozenset(_GROUPS)
"""open, covered: by the cover they are in; weak: at half of the faction's group size or less; large: above it."""


@implements("AC-OPEN-01")
def groups(state: Skirmish, effect: Effect, owners: Sequence[int]) -> tuple[GroupId, ...]:
    """Return the groups of these factions that an effect may fall on; those in close combat are spared."""
    locked = {id for combat in state.combats for id in combat.groups}
    return tuple(
        group.id
        for group in state.groups.values()
        if group.owner in owners
        and group.id not in locked
        and _GROUPS[effect.groups](state, group)
        and _is_there(state, effect, group)
    )


def _is_there(state: Skirmish, effect: Effect, group: Group) -> bool:
    """Tell whether any figure of the group is in terrain of the kinds, and in the zone, that the effect names."""
    kinds = {table.kind(state, id).id for id in table.board(state).standing[group.id].inside}
    if effect.terrain and kinds.isdisjoint(effect.terrain):
        return False
    if not effect.zone:
        return True
    outline = next(zone.outline for zone in state.resolved.scenario.zones if zone.id == effect.zone)
    is_up = table.board(state).is_airborne(group.id)
    return not is_up and any(contains(state.figures[figure].at, outline) for figure in group.figures)


@implements("AC-OPEN-01")
async def fallen_on(game: Game[Skirmish], effect: Effect) -> tuple[tuple[GroupId, ...], int]:
    """Return the groups that an effect falls on, all or one, and the seat that chose it (-1: nobody)."""
    candidates = groups(game.state, effect, await seats(game, effect.who))
    if effect.each or not candidates:
        return candidates, -1
    chosen, by = await one_group(game, effect, candidates)
    return (chosen,), by


async def one_group(game: Game[Skirmish], effect: Effect, candidates: Sequence[GroupId]) -> tuple[GroupId, int]:
    """Return one of these groups, and the seat that chose it (-1: chance). The default is the one with most dice."""
    state = game.state
    decider = await _decider(game, effect)
    if decider < 0:
        options = [Option(names.group_node(id), names.group(state, id)) for id in candidates]
        return candidates[await by_chance(game, options)], -1
    foreign = [id for id in candidates if state.hostile(state.groups[id].owner, decider)] or list(candidates)
    default = max(foreign, key=lambda id: (firepower.dice_of(state, id), -state.groups[id].owner, id))
    options = [Option(names.group_node(id), names.group(state, id)) for id in foreign]
    chosen = await ask(game, Seat(decider), "ask.event.group", options, names.group_node(default))
    return names.group_of(chosen), decider


@implements("AC-OPEN-01")
async def one_feature(game: Game[Skirmish], effect: Effect, candidates: Sequence[str]) -> str:
    """Return one feature, by lot or as a faction says; by default the one that most figures of others are in."""
    state = game.state
    decider = await _decider(game, effect)
    options = [Option(names.feature_node(id), names.feature(state, id)) for id in candidates]
    if decider < 0:
        return candidates[await by_chance(game, options)]

    def harm(feature: str) -> int:
        inside = ((group.owner, table.board(state).standing[group.id].inside) for group in state.groups.values())
        return sum(held.get(feature, 0) * (-1 if owner == decider else 1) for owner, held in inside)

    default = names.feature_node(max(candidates, key=harm))
    return names.local_id(await ask(game, Seat(decider), "ask.event.feature", options, default))


async def ask(game: Game[Skirmish], seat: Seat, title: str, options: Sequence[Option], default: str) -> str:
    """Return the option that a seat chooses; not asked where there is one."""
    if len(options) == 1:
        return options[0].id
    named = Text(title, {"event": names.event(game.state, game.state.happening)})
    return await game.ask(seat, pick_one(named, options, default, "AC-OPEN-01"), "event")


async def _decider(game: Game[Skirmish], effect: Effect) -> int:
    found = () if effect.by == CHANCE else await seats(game, effect.by)
    return found[0] if found else -1
