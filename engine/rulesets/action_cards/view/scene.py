"""Scene of the table: the public nodes, and what each seat alone may know.

A part's key holds the objects of the state that its node is made from: only where one of them is another object is the
node made again. Hidden are the order of the deck, and which secret conditions a seat has been dealt: that it has some
is public from the start, fixed, and stays so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from engine.core.rules.audience import Seat
from engine.core.rules.sides import allies_of
from engine.core.rules.system import Part, PartOrSection, Section, TablePreview
from engine.kit.board.board import kept
from engine.kit.present import previews, scene as kit
from engine.kit.present.scene import Sections, Statuses, part
from engine.rulesets.action_cards.rules.board import table, weather
from engine.rulesets.action_cards.rules.cards import cards
from engine.rulesets.action_cards.rules.scenario import conditions, ending
from engine.rulesets.action_cards.rules.scenario.conditions import ConditionStatus
from engine.rulesets.action_cards.rules.special_actions import specials
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.model import Condition, Feature, Point, Special
from engine.rulesets.action_cards.state.state import Card, Danger, Ride, Skirmish
from engine.rulesets.action_cards.view import forces, sheets, stack
from protocol.ids import NodeId
from protocol.scene import nodes as scene
from protocol.text import Text, text

DECK, DISCARD = NodeId("pile/deck"), NodeId("pile/discard")
TURN, RESHUFFLES = NodeId("counter/turn"), NodeId("counter/reshuffles")


GROUND: Final = Statuses(
    ("opened", "open on all sides", lambda state, id: id in state.opened),
    ("marked", "marked", lambda state, id: id in state.markers),
)


def public(state: Skirmish) -> Iterable[PartOrSection]:
    """Return the scene that everyone sees."""
    # a part of its own: it changes with every action
    row = part(scene.ROW_NODE, (state.row, state.current, state.left, state.lasting), _row, state)
    shown: list[PartOrSection] = [_SECTIONS.of(state), row]
    if state.ending is not None:
        shown.append(part(scene.RESULT_NODE, (state.ending,), ending.final, state))
    return shown


def preview(state: Skirmish) -> TablePreview:
    """Return the table before the set-up. Which groups come on later, and where, depends on the factions chosen."""
    scenario = state.resolved.scenario
    seats = previews.seats([Text(role.name) for role in scenario.roles], state.sides)
    return TablePreview((*_grounds(state), *seats), sum(scatter.count for scatter in scenario.scatter))


def private(state: Skirmish, seat: Seat) -> Sequence[Part]:
    """Return the secrets dealt to this seat's side. The first stands over the public placeholder."""
    if not state.resolved.scenario.secrets:
        return ()
    shown: list[Part] = []
    for ally in allies_of(state.sides, seat):
        if state.seats[ally].secrets:
            shown += _secrets_of(state, ally)
    return shown


def _secrets_of(state: Skirmish, seat: Seat) -> list[Part]:
    by_id = {one.condition.id: one for one in conditions.statuses(state, seat)}
    return [
        _objective_part(state, seat, names.objective_node(seat, id if number else "hidden"), by_id[id])
        for number, id in enumerate(state.seats[seat].secrets)
    ]


def _grounds(state: Skirmish) -> Iterator[Part]:
    resolved, scenario = state.resolved, state.resolved.scenario
    yield part(scene.TABLE_NODE, (resolved,), scene.Table, scenario.size, "in", scenario.ground)
    for feature in scenario.features:
        if feature.id not in state.gone or feature.id in state.ruined:
            key = (resolved, feature.id in state.opened, feature.id in state.markers, feature.id in state.ruined)
            yield part(names.feature_node(feature.id), key, _feature, state, feature)
    for zone in scenario.zones:
        yield part(names.zone_node(zone.id), (resolved,), scene.Zone, "objective", zone.outline, name=Text(zone.name))
    for seat, role in enumerate(scenario.roles):
        id, name = names.zone_node(f"start.{seat}"), Text(role.name)
        yield part(id, (resolved,), scene.Zone, "deployment", role.start, owner=seat, name=name)


def _feature(state: Skirmish, feature: Feature) -> scene.Feature:
    kind = table.kind(state, feature.id)
    return kit.feature(feature, kind, feature.name, kind.cover, GROUND.of(state, feature.id))


def _reserves(state: Skirmish) -> Iterator[Part]:
    """Yield the zones at which groups are yet to come on: one for all that come to the same place."""
    roles = state.resolved.scenario.roles
    found: dict[tuple[int, tuple[Point, ...]], list[Ride]] = {}
    for ride in state.aboard.values():
        if ride.due:
            outline = roles[ride.group.owner].reserves[ride.place].start
            found.setdefault((ride.group.owner, outline), []).append(ride)
    for (seat, outline), rides in found.items():
        rows = sorted(ride.due for ride in rides)
        key = (state.resolved, *rows)
        id = names.zone_node(f"reserve.{seat}.{min(ride.place for ride in rides)}")
        yield part(id, key, _reserve, state, seat, outline, rows)


def _reserve(state: Skirmish, seat: int, outline: tuple[Point, ...], rows: list[int]) -> scene.Zone:
    words = "zone.reserve" if len(set(rows)) == 1 else "zone.reserves"
    name = text(words, faction=names.faction(state, seat), groups=len(rows), row=rows[0])
    return scene.Zone("deployment", outline, owner=seat, name=name)


def _dangers(state: Skirmish) -> Iterator[Part]:
    for danger in state.dangers:
        yield part(names.zone_node(danger.id), (danger,), _danger, state, danger)
        if danger.kill:
            yield part(names.monster_node(danger.id), (danger,), _monster, state, danger)


def _danger(state: Skirmish, danger: Danger) -> scene.Zone:
    name = names.event(state, danger.event)
    if danger.kill:
        name = text("zone.monster", event=name, wounds=danger.wounds)
    return scene.Zone("danger", at=danger.at, radius=danger.radius, name=name)


def _monster(state: Skirmish, danger: Danger) -> scene.Piece:
    wounds = {"wounds": danger.wounds}
    return scene.Piece(danger.at, danger.base, name=names.event(state, danger.event), glyph="monster", counters=wounds)


def _seat_part(state: Skirmish, seat: int) -> Part:
    """Build the node of a seat. Its score counts open conditions only, as if the game ended now."""
    own = state.seats[seat]
    met = conditions.openly_met(state, seat)
    return part(names.seat_node(seat), (state.resolved, own.alive, *met), _seat, state, seat, met)


def _seat(state: Skirmish, seat: int, met: Sequence[Condition]) -> scene.SeatNode:
    lines = [
        text("seat.scored", name=names.condition_text(state, one, one.name), points=one.points)
        for one in met
        if one.points
    ]
    return kit.seat(
        names.faction(state, seat),
        seat,
        sum(condition.points for condition in met),
        alive=state.seats[seat].alive,
        side=state.side(seat),
        scored=tuple(lines) or (text("seat.scored.none"),),
    )


def _seats(state: Skirmish) -> Iterator[Section]:
    for seat in range(len(state.seats)):
        key = (state.resolved, conditions.statuses(state, seat), state.seats[seat].alive)
        yield Section(f"side/{seat}", key, partial(_side, state, Seat(seat)))


def _side(state: Skirmish, seat: Seat) -> Iterator[Part]:
    yield _seat_part(state, seat)
    yield part(names.sheet_node(seat), (state.resolved,), sheets.faction, state, seat)
    yield from _open_objectives(state, seat)


def _open_objectives(state: Skirmish, seat: Seat) -> Iterator[Part]:
    role = state.resolved.scenario.roles[seat]
    for status in conditions.statuses(state, seat)[: len(role.conditions)]:
        yield _objective_part(state, seat, names.objective_node(seat, status.condition.id), status)
    if role.secrets:
        id, words = names.objective_node(seat, "hidden"), text("objective.hidden.text", count=role.secrets)
        yield part(id, (state.resolved,), scene.Objective, seat, text("objective.hidden"), words, secret=True)


def _objective_part(state: Skirmish, seat: Seat, id: NodeId, status: ConditionStatus) -> Part:
    """Build the node of a condition. Its key is the status, which changes far less often than what it counts."""
    key = (state.resolved, status.condition, status.met, status.progress)
    return part(id, key, _objective, state, seat, status)


def _objective(state: Skirmish, seat: Seat, status: ConditionStatus) -> scene.Objective:
    condition = status.condition
    lost = condition.kind == "survive" and not status.met
    about = [
        *([names.feature_node(condition.feature)] if condition.feature else []),
        *([names.zone_node(condition.zone)] if condition.zone else []),
        *([names.seat_node(condition.seat)] if condition.seat >= 0 else []),
    ]
    for special in state.resolved.scenario.specials:
        if special.id == condition.special or (condition.kind == "falls" and _brings_down(special, condition)):
            about += [NodeId(f"special/{special.id}"), names.feature_node(special.feature)]
    return scene.Objective(
        seat,
        names.condition_text(state, condition, condition.name),
        names.condition_text(state, condition, condition.text),
        "met" if status.met else "failed" if lost else "open",
        status.progress,
        condition.goal,
        condition.secret,
        tuple(about),
        condition.kind,
        condition.points,
    )


def _brings_down(special: Special, condition: Condition) -> bool:
    return special.effect == specials.CLEAR and special.feature == condition.feature


def _deck(state: Skirmish) -> Iterator[Part]:
    most = state.resolved.scenario.reshuffles
    left = max(0, most - state.reshuffles)
    yield part(DECK, (state.row, state.discard, state.out), _deck_pile, state)
    yield part(DISCARD, (state.discard,), scene.Pile, text("pile.discard"), len(state.discard))
    yield part(TURN, (state.turn,), scene.Counter, text("counter.turn"), state.turn)
    yield part(RESHUFFLES, (state.resolved, state.reshuffles), scene.Counter, text("counter.reshuffles"), left, most)


def _row(state: Skirmish) -> scene.Row:
    return scene.Row(_cards(state), state.turn, state.left)


@kept(table.board, "row", "lasting")
def _cards(state: Skirmish) -> tuple[scene.Card, ...]:
    return tuple([_card(state, card) for card in state.row])


def _card(state: Skirmish, card: Card) -> scene.Card:
    actions = weather.actions_on(state, card) if card.seat >= 0 else 0
    name, words = names.card(state, card), names.event_text(state, card.event)
    return scene.Card(card.id, name, card.seat, card.kind, actions, card.state, words)


def _deck_pile(state: Skirmish) -> scene.Pile:
    """Build the deck's pile, which holds all cards that lie nowhere else: counting tells nothing of its order."""
    elsewhere = len(state.discard) + len(state.out) + len(state.row) - state.current
    return scene.Pile(text("pile.deck"), max(0, len(cards.composition(state.resolved)) - elsewhere))


_SECTIONS: Final = Sections[Skirmish](
    ("grounds", "resolved gone opened markers", _grounds),
    ("forces", "figures groups combats free_moves markers gone aboard", forces.forces),
    ("seats", "seats figures groups gone aboard", _seats),
    ("deck", "row discard out turn reshuffles", _deck),
    ("stack", "volley burst combats proposal markers groups gone happening lasting", stack.parts),
    ("dangers", "dangers", _dangers),
    ("reserves", "resolved aboard", _reserves),
)
