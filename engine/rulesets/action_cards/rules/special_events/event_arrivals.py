"""Special Events that bring figures: reinforcements in the start zone, replacements within a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.kit.rules import Game, Seat, implements
from engine.rulesets.action_cards.rules.board import followers, table
from engine.rulesets.action_cards.rules.close_combat import regrouping
from engine.rulesets.action_cards.rules.scenario import setup
from engine.rulesets.action_cards.rules.special_events import event_choices
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.event_facts import FiguresJoined, GroupArrived
from engine.rulesets.action_cards.state.model import Effect, Faction, Profile
from engine.rulesets.action_cards.state.state import Figure, Group, Skirmish
from engine.space.placement.figures import Room, place_around
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Option
from protocol.text import Text

FIRST_LATER: Final = 1001
"""Figures that came later are numbered from here."""


@implements("AC-OPEN-01", "AC-ACT-02")
async def reinforce(game: Game[Skirmish], effect: Effect) -> None:
    """Bring a new group for each of these factions, of one of its squads as its owner chooses, in its start zone."""
    for seat in await event_choices.seats(game, effect.who):
        faction = game.state.faction(seat)
        squads = _squads(faction, effect.most)
        if not squads:
            continue
        options = [Option(f"squad/{n}", _squad_text(faction, squad)) for n, (squad, _) in enumerate(squads)]
        chosen = await event_choices.ask(game, Seat(seat), "ask.event.squad", options, options[0].id)
        arrive(game, seat, *squads[int(names.local_id(chosen))])


def arrive(game: Game[Skirmish], seat: int, members: tuple[str, ...], kind: str = "") -> None:
    """Place a group of these profiles in its faction's start zone; none where there is no room."""
    state = game.state
    outline = state.resolved.scenario.roles[seat].start
    bodies = setup.bodies_of(state.faction(seat), members, _ids(state, seat, len(members)))
    places = setup.places_for(state, outline, bodies)
    if places is None:
        return
    figures = tuple(setup.figures_at(seat, bodies, places, 0))
    known = (*state.groups.values(), *(ride.group for ride in state.aboard.values()))
    numbers = [group.number for group in known if group.owner == seat]
    number = max([*numbers, len(state.faction(seat).force)]) + 1
    group = Group(GroupId(f"{seat}.{number}"), seat, tuple(figure.id for figure in figures), number, kind=kind)
    game.emit(GroupArrived(group, figures))


@implements("AC-OPEN-01")
async def refit(game: Game[Skirmish], effect: Effect) -> None:
    """Give one group of each of these factions, as its owner chooses, figures back, up to its organisation's size."""
    for seat in await event_choices.seats(game, effect.who):
        short = reduced(game.state, effect, seat)
        if short:
            options = [Option(names.group_node(id), names.group(game.state, id)) for id in short]
            chosen = await event_choices.ask(game, Seat(seat), "ask.event.refit", options, options[0].id)
            replace_losses(game, names.group_of(chosen), effect.most)


def reduced(state: Skirmish, effect: Effect, seat: int) -> list[GroupId]:
    """Return the groups of a faction that lack figures, the smallest first."""
    able = [id for id in event_choices.groups(state, effect, (seat,)) if lacking(state, id)]
    return sorted(able, key=lambda id: (len(state.groups[id].figures), state.groups[id].number))


@implements("AC-OPEN-01")
def replace_losses(game: Game[Skirmish], group_id: GroupId, most: int) -> None:
    """Add figures of its simplest kind to a group, `most` at most (0: all it lacks), as far as they find room."""
    state = game.state
    group = state.groups[group_id]
    plainest = _plainest(state.faction(group.owner), group.kind)
    count = lacking(state, group_id)
    if plainest is None:
        return
    count = min(most or count, count)
    lead = table.base(state, group.figures[0])
    everyone = tuple(base for id in state.groups for base in table.board(state).bases(id))
    enemies = tuple(base for base in everyone if state.hostile(state.figures[base.id].owner, group.owner))
    room = Room(
        table.board(state).scenery, lead, followers.spread_of(len(group.figures) + count), (0, 0), everyone, enemies
    )
    wanted = [(id, plainest.radius) for id in _ids(state, group.owner, count)]
    placed = place_around(room, wanted)
    figures = tuple(Figure(base.id, group.owner, plainest.id, base.at) for base in placed)
    if figures:
        game.emit(FiguresJoined(group_id, figures))


def lacking(state: Skirmish, group_id: GroupId) -> int:
    """Count the figures that a group lacks of its size; 0 for vehicles and groups of crews."""
    group = state.groups[group_id]
    if table.board(state).vehicle(group_id) is not None or _plainest(state.faction(group.owner), group.kind) is None:
        return 0
    return max(0, regrouping.size_of(state, group) - len(group.figures))


def _plainest(faction: Faction, kind: str) -> Profile | None:
    """Return the profile with fewest dice in groups of an organisation; None where they are crews only."""
    members = {member for squad, own in _squads(faction) if own == kind for member in squad}
    return min(
        (profile for profile in faction.profiles if profile.id in members and profile.crew == 1),
        key=lambda profile: profile.dice,
        default=None,
    )


def _ids(state: Skirmish, seat: int, count: int) -> list[FigureId]:
    return [FigureId(f"{seat}-{FIRST_LATER + state.arrived + n}") for n in range(count)]


def _squads(faction: Faction, most: int = 0) -> list[tuple[tuple[str, ...], str]]:
    """Return the different squads on foot of a faction, cut to `most` figures, each with its organisation."""
    vehicles = {profile.id for profile in faction.profiles if profile.vehicle is not None}
    kinds = faction.kinds or ("",) * len(faction.force)
    on_foot = [(squad, kind) for squad, kind in zip(faction.force, kinds, strict=True) if vehicles.isdisjoint(squad)]
    return list(dict.fromkeys((_cut(faction, squad, most), kind) for squad, kind in on_foot))


def _cut(faction: Faction, squad: tuple[str, ...], most: int) -> tuple[str, ...]:
    """Return the first figures of a squad, no shared base cut in two."""
    if not most or len(squad) <= most:
        return squad
    crews = {profile.id: profile.crew for profile in faction.profiles}
    return tuple(id for id in squad[:most] if squad[:most].count(id) % crews[id] == 0) or squad


def _squad_text(faction: Faction, squad: Sequence[str]) -> Text:
    known = {profile.id: profile for profile in faction.profiles}
    dice = sum(known[id].dice for id in squad)
    return Text("event.squad", {"figures": len(squad), "dice": dice, "first": Text(known[squad[-1]].name)})
