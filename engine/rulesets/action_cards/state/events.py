"""Events of the action-card skirmish: cards, moves, shots, casualties, specials, proposals, conditions, the end.

Those of close combat are in combat_events.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from msgspec.structs import replace

from engine.core.rules.audience import ALL, Audience
from engine.core.rules.changes import changed_at
from engine.core.rules.events import Event, Upcaster, tagged
from engine.rulesets.action_cards.state import older_layouts
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Card, Ending, Figure, Group, Proposal, Ride, Skirmish, Volley
from protocol.ids import FigureId, GroupId


class SkirmishEvent(Event[Skirmish], frozen=True):
    """Base of all events of this system."""


class SecretsDealt(SkirmishEvent, frozen=True, tag="ac.secrets_dealt"):
    """Event: a seat has drawn its secret conditions; it alone knows which."""

    seat: int
    conditions: tuple[str, ...]
    barrier = "cards"

    def apply(self, state: Skirmish) -> Skirmish:
        return with_seat(state, self.seat, secrets=self.conditions)

    def audience(self) -> Audience:
        return Audience((self.seat,))


class DeckExhausted(SkirmishEvent, frozen=True, tag="ac.deck_exhausted"):
    """Event: the deck ran out. Unless that was the `last` time, the discard pile becomes the new deck."""

    last: bool = False
    barrier = "cards"

    def apply(self, state: Skirmish) -> Skirmish:
        discard = state.discard if self.last else ()
        return replace(state, reshuffles=state.reshuffles + 1, discard=discard)


class CardSetAside(SkirmishEvent, frozen=True, tag="ac.card_set_aside"):
    """Event: a drawn card of a faction without figures is put out of the game."""

    card: str
    barrier = "cards"

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, out=(*state.out, self.card))


class RowLaid(SkirmishEvent, frozen=True, tag="ac.row_laid"):
    """Event: the next row of cards lies open, in order of play."""

    cards: tuple[Card, ...]
    reshuffled: bool = False
    last: bool = False
    barrier = "cards"

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(
            state,
            turn=state.turn + 1,
            row=self.cards,
            current=0,
            left=0,
            used={},
            reshuffled=self.reshuffled,
            last_row=self.last,
        )


class CardTurned(SkirmishEvent, frozen=True, tag="ac.card_turned"):
    """Event: the current card is turned up: its player has so many actions."""

    seat: int
    actions: int

    def apply(self, state: Skirmish) -> Skirmish:
        turned = with_card(state, "current")
        return replace(turned, left=self.actions, used={}, free_moves={}, proposed=False)


class CardPassed(SkirmishEvent, frozen=True, tag="ac.card_passed"):
    """Event: the current card gives nobody actions: an event card, or one of a faction without figures."""

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(with_card(state, "passed"), left=0, used={}, free_moves={})


class CardEnded(SkirmishEvent, frozen=True, tag="ac.card_ended"):
    """Event: the player does no more with the current card; unused actions are lost."""

    seat: int

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, left=0, free_moves={})


class CardDiscarded(SkirmishEvent, frozen=True, tag="ac.card_discarded"):
    """Event: the current card has been played and goes to the discard pile; stuns of its faction's groups end."""

    def apply(self, state: Skirmish) -> Skirmish:
        card = state.row[state.current]
        done = state if card.state == "passed" else with_card(state, "done")
        woken = {
            id: replace(group, stunned=False) if group.stunned and group.owner == card.seat else group
            for id, group in state.groups.items()
        }
        return replace(
            done,
            groups=woken,
            current=state.current + 1,
            left=0,
            used={},
            free_moves={},
            discard=(*state.discard, card.id),
        )


class ActionTaken(SkirmishEvent, frozen=True, tag="ac.action_taken"):
    """Event: a group uses actions of the current card; `kind`: move, shoot, special or propose."""

    group: GroupId
    kind: str
    actions: int = 1

    def apply(self, state: Skirmish) -> Skirmish:
        used = {**state.used, self.group: state.used.get(self.group, 0) + self.actions}
        return replace(state, left=state.left - self.actions, used=used)


class FreeMovesWon(SkirmishEvent, frozen=True, tag="ac.free_moves_won"):
    """Event: a group may make so many moves on this card that cost no action."""

    group: GroupId
    moves: int

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, free_moves={**state.free_moves, self.group: self.moves})


class FreeMoveUsed(SkirmishEvent, frozen=True, tag="ac.free_move_used"):
    """Event: a group makes one of its free moves."""

    group: GroupId

    def apply(self, state: Skirmish) -> Skirmish:
        rest = {**state.free_moves, self.group: state.free_moves[self.group] - 1}
        return replace(state, free_moves={id: moves for id, moves in rest.items() if moves})


class GroupMoved(SkirmishEvent, frozen=True, tag="ac.group_moved"):
    """Event: a group stands elsewhere: `lead` first, that came from `came`. `how`: walk, rout, burrow or leap."""

    group: GroupId
    lead: FigureId
    came: Point
    places: dict[FigureId, Point]
    how: str = "walk"

    def apply(self, state: Skirmish) -> Skirmish:
        group = replace(state.groups[self.group], lead=self.lead, came=self.came, dug=False)
        figures = {**state.figures, **{id: replace(state.figures[id], at=at) for id, at in self.places.items()}}
        return replace(state, figures=figures, groups={**state.groups, group.id: group})


class VolleyFired(SkirmishEvent, frozen=True, tag="ac.volley_fired.2"):
    """Event: dice of a shot have been rolled and added up; casualties follow."""

    formerly: ClassVar[Mapping[str, Upcaster]] = {"ac.volley_fired": older_layouts.volley}
    volley: Volley

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, volley=self.volley)


class VolleyEnded(SkirmishEvent, frozen=True, tag="ac.volley_ended"):
    """Event: a shot or strike has been resolved."""

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, volley=None)


class FiguresRemoved(SkirmishEvent, frozen=True, tag="ac.figures_removed"):
    """Event: figures are taken off the table, to the credit of the seat `by` (-1: nobody). Groups left empty vanish."""

    by: int
    figures: tuple[FigureId, ...]

    def apply(self, state: Skirmish) -> Skirmish:
        lost = [state.figure(id) for id in self.figures]
        figures = {id: figure for id, figure in state.figures.items() if id not in self.figures}
        groups = _groups_without(state.groups, set(self.figures))
        combats = tuple(
            replace(combat, groups=tuple(id for id in combat.groups if id in groups)) for combat in state.combats
        )
        after = replace(state, figures=figures, groups=groups, combats=combats, aboard=_aboard(state, self))
        return _credited(after, self.by, lost)


class FactionFell(SkirmishEvent, frozen=True, tag="ac.faction_fell"):
    """Event: a faction has no figures left."""

    seat: int

    def apply(self, state: Skirmish) -> Skirmish:
        return with_seat(state, self.seat, alive=False)


class SpecialTried(SkirmishEvent, frozen=True, tag="ac.special_tried"):
    """Event: a special action was taken, by these helpers, and succeeded or not."""

    seat: int
    group: GroupId
    special: str
    helpers: tuple[FigureId, ...]
    success: bool

    def apply(self, state: Skirmish) -> Skirmish:
        if not self.success:
            return state
        done = state.seats[self.seat].done
        return with_seat(state, self.seat, done={**done, self.special: done.get(self.special, 0) + 1})


class ProposalMade(SkirmishEvent, frozen=True, tag="ac.proposal_made"):
    """Event: a player proposes an action that no rule lists; the others vote."""

    proposal: Proposal

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, proposal=self.proposal, proposed=True)


class ProposalVoted(SkirmishEvent, frozen=True, tag="ac.proposal_voted"):
    """Event: the votes on a proposal are opened: yes, no or abstain by seat."""

    votes: dict[int, str]
    allowed: bool
    barrier = "revealed"

    def apply(self, state: Skirmish) -> Skirmish:
        return state if self.allowed else replace(state, proposal=None)


class ProposalDone(SkirmishEvent, frozen=True, tag="ac.proposal_done"):
    """Event: an allowed proposal has been tried."""

    success: bool

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, proposal=None)


class FeatureCleared(SkirmishEvent, frozen=True, tag="ac.feature_cleared"):
    """Event: a feature is no longer there."""

    feature: str

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, gone=(*state.gone, self.feature))


class GroupStunned(SkirmishEvent, frozen=True, tag="ac.group_stunned"):
    """Event: a group takes no action on its faction's next card."""

    group: GroupId

    def apply(self, state: Skirmish) -> Skirmish:
        group = replace(state.groups[self.group], stunned=True)
        return replace(state, groups={**state.groups, group.id: group})


class BuildingOpened(SkirmishEvent, frozen=True, tag="ac.building_opened"):
    """Event: a building can be left on every side."""

    feature: str

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, opened=(*state.opened, self.feature))


class MarkerSet(SkirmishEvent, frozen=True, tag="ac.marker_set"):
    """Event: a marker at a group or feature keeps in words what players agreed on."""

    about: str
    words: str

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, markers={**state.markers, self.about: self.words})


class ConditionMet(SkirmishEvent, frozen=True, tag="ac.condition_met"):
    """Event: a seat has met a condition for good; of a secret one it alone knows."""

    seat: int
    condition: str
    secret: bool = False

    def apply(self, state: Skirmish) -> Skirmish:
        return with_seat(state, self.seat, met=(*state.seats[self.seat].met, self.condition))

    def audience(self) -> Audience:
        return Audience((self.seat,)) if self.secret else ALL


class GameEnded(SkirmishEvent, frozen=True, tag="ac.game_ended"):
    """Event: the game is over; combats still open close."""

    why: str
    barrier = "revealed"

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, ending=Ending(self.why), combats=(), left=0, free_moves={}, volley=None, burst=None)


EVENTS: tuple[type[SkirmishEvent], ...] = tagged(globals(), SkirmishEvent)


def with_seat(state: Skirmish, seat: int, **changes: object) -> Skirmish:
    """Return the state with some fields of a seat's state changed."""
    return replace(state, seats=changed_at(state.seats, seat, **changes))


def with_card(state: Skirmish, to: str) -> Skirmish:
    """Return the state with the current card in another state."""
    return replace(state, row=changed_at(state.row, state.current, state=to))


def _groups_without(groups: dict[GroupId, Group], lost: set[FigureId]) -> dict[GroupId, Group]:
    kept: dict[GroupId, Group] = {}
    for id, group in groups.items():
        if lost.isdisjoint(group.figures):
            kept[id] = group
            continue
        left = tuple(figure for figure in group.figures if figure not in lost)
        if left:
            kept[id] = replace(group, figures=left)
    return kept


def _aboard(state: Skirmish, removed: FiguresRemoved) -> dict[GroupId, Ride]:
    return {id: left for id, ride in state.aboard.items() if (left := ride.after(state, removed.figures, removed.by))}


def _credited(state: Skirmish, by: int, lost: Iterable[Figure]) -> Skirmish:
    if by < 0:
        return state
    removed = dict(state.seats[by].removed)
    for figure in lost:
        removed[figure.owner] = removed.get(figure.owner, 0) + 1
    return with_seat(state, by, removed=removed)
