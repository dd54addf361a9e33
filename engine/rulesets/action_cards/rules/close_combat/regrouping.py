"""Regrouping of a close combat's survivors into groups of their organisation's size."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from engine.core.rules.questions import Ask
from engine.kit.rules import Game, IllegalIntent, Seat, forbid, implements
from engine.rulesets.action_cards.rules.board import combats, table
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.combat_events import GroupsReformed, combat_by_id
from engine.rulesets.action_cards.state.state import Combat, Group, Skirmish
from protocol.ids import FigureId, GroupId
from protocol.scene.fields import Assign, Option
from protocol.scene.nodes import Choice, Reply
from protocol.text import Text

Grouping = dict[GroupId, tuple[FigureId, ...]]
"""Figures by group id."""


@implements("AC-HTH-05")
async def regroup(game: Game[Skirmish], combat_id: str, seat: Seat) -> None:
    """Form a faction's survivors into the fewest groups. The owner assigns figures to groups where figures differ."""
    state = game.state
    combat = combat_by_id(state, combat_id)
    before = {group.id: group.figures for group in combats.on_foot(state, combat, seat)}
    grouping = fewest_groups(state, combat, seat)
    if len(grouping) > 1 and len({state.figures[f].profile for figures in grouping.values() for f in figures}) > 1:
        grouping = await game.ask(seat, _ask_grouping(state, combat, seat, grouping), "regroup")
    if grouping != before:
        dissolved = tuple(id for id in before if id not in grouping)
        game.emit(GroupsReformed(seat, grouping, dissolved))


@implements("AC-HTH-05")
def fewest_groups(state: Skirmish, combat: Combat, seat: int) -> Grouping:
    """Fill a faction's figures, in order, into its fewest groups, each organisation apart; no shared base is cut."""
    groups = combats.on_foot(state, combat, seat)
    kinds = dict.fromkeys(group.kind for group in groups)
    return {id: own for kind in kinds for id, own in _filled(state, [g for g in groups if g.kind == kind]).items()}


def _filled(state: Skirmish, groups: list[Group]) -> Grouping:
    """Fill groups of one organisation; they stay as they are where shared bases would make them more."""
    size = size_of(state, groups[0])
    bodies = sorted((body for group in groups for body in table.bodies(state, group)), key=_in_order)
    filled: list[list[FigureId]] = []
    for body in bodies:
        group = next((g for g in filled if len(g) + len(body) <= size), None)
        if group is None:
            group = []
            filled.append(group)
        group.extend(body)
    if len(filled) > len(groups):
        return {group.id: group.figures for group in groups}
    return {group.id: tuple(figures) for group, figures in zip(groups, filled, strict=False)}


@implements("AC-HTH-05")
def size_of(state: Skirmish, group: Group) -> int:
    """Return the most figures that a group may have, by its organisation."""
    return state.faction(group.owner).organisation(group.kind).size


def _in_order(body: tuple[FigureId, ...]) -> list[tuple[int, str]]:
    """Return a sort key that compares numbers within figure ids as numbers."""
    parts = re.findall("[0-9]+|[^0-9]+", body[0])
    return [(int(part) if part.isdecimal() else 0, part) for part in parts]


def _ask_grouping(state: Skirmish, combat: Combat, seat: int, grouping: Grouping) -> Ask[Grouping]:
    most = {id: max(size_of(state, state.groups[id]), len(figures)) for id, figures in grouping.items()}
    figures = [figure for group in grouping.values() for figure in group]
    kinds = {figure: state.groups[id].kind for id, group in grouping.items() for figure in group}
    default: dict[str, str] = {
        names.piece_node(figure): names.group_node(id) for id, group in grouping.items() for figure in group
    }
    field = Assign(
        "groups",
        Text("ask.regroup.field"),
        items=tuple(Option(names.piece_node(f), Text(state.profile(state.figures[f]).name)) for f in figures),
        slots=tuple(Option(names.group_node(id), names.group(state, id)) for id in grouping),
        room={names.group_node(id): room for id, room in most.items()},
        default=default,
    )
    title = Text("ask.regroup", {"faction": names.faction(state, seat), "combat": combat.id})
    choice = Choice("regroup", title, (field,))

    def parse(reply: Reply) -> Grouping:
        slots = cast("Mapping[str, str]", reply.fields["groups"])
        formed = {
            id: tuple(f for f in figures if slots[names.piece_node(f)] == names.group_node(id)) for id in grouping
        }
        bases = [{state.figures[figure].base for figure in group} - {""} for group in formed.values()]
        forbid(sum(map(len, bases)) > len(set().union(*bases)), "regroup/shared-base")
        if any(kinds[figure] != state.groups[id].kind for id, group in formed.items() for figure in group):
            raise IllegalIntent("regroup/other-organisation")
        return {id: group for id, group in formed.items() if group}

    return Ask(title, (choice,), Reply("regroup", {"groups": default}), parse, "AC-HTH-05")
