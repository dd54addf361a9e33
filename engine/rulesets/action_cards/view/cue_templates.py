"""Cue templates for cues that every match repeats: only what differs from one to the next travels.

Groups, figures, features and seats are named by their ids; the client has their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.kit.present.cues import Tellers
from engine.rulesets.action_cards.rules.board import cover
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import FigureId, GroupId, NodeId
from protocol.scene.cue_templates import each, name_of, pick, within
from protocol.scene.nodes import Cue, Dice, RollId
from protocol.text import Text, text

WEAPON: Final = "weapon."
"""Usual prefix of the keys of weapons."""
SHORT, WHOLE, LINKED = range(3)
"""Kinds of a part of a shot's dice: weapons by their key without that beginning, or by all of it, or the dice that the
rule for linked fire gives."""
Part = tuple[int, int, str, int] | tuple[int, int]
"""Kind, count, and of weapons the key and the dice of each."""

cues: Final = Tellers[Skirmish]()


def _node(group: GroupId) -> NodeId:
    return NodeId(within("group/", group))


def _group(group: GroupId) -> Text:
    return name_of(_node(group))


def _faction(seat: int) -> Text:
    return name_of(NodeId(within("seat/", seat)))


def _cover(place: int) -> Text:
    return pick(place, *(Text(f"cover.{kind}") for kind in cover.CLASSES))


def _part(kind: int, count: int, weapon: str, dice: int) -> Text:
    return pick(
        kind,
        text("part.weapon", count=count, weapon=Text(within(WEAPON, weapon)), dice=dice),
        text("part.weapon", count=count, weapon=Text(weapon), dice=dice),
        text("part.linked", dice=count),
    )


def _volley(
    target: GroupId,
    seat: int,
    about: tuple[NodeId, ...],
    outcome: int,
    kills: int,
    number: int,
    total: int,
    lost: int,
    parts: Sequence[Part],
    roll: RollId,
) -> Cue:
    key = pick(outcome, "log.shot.nothing", "log.shot.kills", "log.shot.kills")
    line = text(key, target=_group(target), kills=kills, total=total, number=number)
    came_to = pick(outcome, "reason.kills", "reason.kills", "reason.all_fall")
    reasons = (text("reason.kill_number", number=number), text(came_to, kills=kills, lost=lost))
    dice = Dice.of(roll, text("dice.shooting"), each(parts, _part), reasons, total)
    return Cue("dice", line, "AC-SHOOT-02", seat, about, dice=dice)


@cues.template
def shot(
    group: GroupId,
    target: GroupId,
    seat: int,
    protection: int,
    outcome: int,
    kills: int,
    number: int,
    total: int,
    lost: int,
    parts: Sequence[Part],
    roll: RollId,
) -> Iterator[Cue]:
    """Show a group's shot at another, with the meaning of its dice. `protection`: the index in cover.CLASSES."""
    line = text("log.shot", group=_group(group), target=_group(target), cover=_cover(protection))
    about = (_node(group), _node(target))
    yield Cue("shot", line, "AC-SHOOT-01", seat, about)
    yield _volley(target, seat, about, outcome, kills, number, total, lost, parts, roll)


@cues.template
def linked_shot(
    groups: Sequence[GroupId],
    target: GroupId,
    seat: int,
    protection: int,
    outcome: int,
    kills: int,
    number: int,
    total: int,
    lost: int,
    parts: Sequence[Part],
    roll: RollId,
) -> Iterator[Cue]:
    """Show linked fire of several groups."""
    line = text("log.shot.linked", group=_faction(seat), target=_group(target), cover=_cover(protection))
    about = (*each(groups, _node), _node(target))
    yield Cue("shot", line, "AC-SHOOT-04", seat, about)
    yield _volley(target, seat, about, outcome, kills, number, total, lost, parts, roll)


@cues.template
def moved(group: GroupId, seat: int, inches: int, came: Point, end: Point) -> Iterator[Cue]:
    """Show a group's move."""
    line = text("log.moved", group=_group(group), inches=inches)
    yield Cue("move", line, "AC-MOVE-01", seat, (_node(group),), (came, end))


@cues.template
def moved_into(group: GroupId, seat: int, feature: str, came: Point, end: Point) -> Iterator[Cue]:
    """Show a group's move into a feature."""
    line = text("log.moved_into", group=_group(group), feature=name_of(NodeId(within("feature/", feature))))
    yield Cue("move", line, "AC-MOVE-01", seat, (_node(group),), (came, end))


@cues.template
def row_card(place: int, seat: int, kind: str) -> Iterator[Cue]:
    """Show a faction's card laid into the row."""
    card = Text(within("card.", kind), {"faction": _faction(seat)})
    yield Cue("card", text("log.row.card", place=place, card=card), "AC-DECK-02", seat)


@cues.template
def card_turned(seat: int, actions: int) -> Iterator[Cue]:
    """Show a card turned up."""
    yield Cue("card", text("log.card_turned", faction=_faction(seat), actions=actions), "AC-ACT-01", seat)


@cues.template
def card_ended(seat: int, left: int) -> Iterator[Cue]:
    """Show a card ended with actions left."""
    yield Cue("card", text("log.card_ended", faction=_faction(seat), left=left), "AC-ACT-01", seat)


@cues.template
def casualties(seat: int, lost: int, left: int, figures: Sequence[FigureId]) -> Iterator[Cue]:
    """Show fallen figures of a faction."""
    line = text("log.casualties", faction=_faction(seat), lost=lost, left=left)
    about = each(figures, lambda figure: NodeId(within("piece/", figure)))
    yield Cue("casualty", line, "AC-SHOOT-03", seat, about)
