"""Events of the action-card skirmish: cards, moves, shots, casualties, specials, proposals, conditions, the end.

Those of close combat are in combat_events.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import ClassVar

from msgspec.structs import replace

from engine.core.rules.audience import ALL, Audience
from engine.core.rules.events import Event, Upcaster, tagged
from engine.kit.changes import also, changed_at, in_turn, its, moves, now, of, plus, put, sets, when, without
from engine.kit.present.cues import says
from engine.rulesets.action_cards.state import older_layouts
from engine.rulesets.action_cards.state.model import Point
from engine.rulesets.action_cards.state.state import Card, Ending, Proposal, Skirmish, Volley
from protocol.ids import FigureId, GroupId


class SkirmishEvent(Event[Skirmish], frozen=True):
    """Base of all events of this system."""


def cause(event: object, before: Skirmish) -> str:
    """Return the rule of what a proposal, a Special Event or a special action may bring about."""
    if before.proposal is not None:
        return "AC-SPEC-02"
    return "AC-OPEN-01" if before.happening else "AC-SPEC-01"


of_seat = of("seats", "seat")
of_group = of("groups", "group")
of_card = of("row", now.current)


class SecretsDealt(SkirmishEvent, frozen=True, tag="ac.secrets_dealt"):
    """Event: a seat has drawn its secret conditions; it alone knows which."""

    seat: int
    conditions: tuple[str, ...]
    barrier = "cards"
    cue = says("card", "log.secrets", "AC-SCEN-01", seat="seat", count=lambda event: len(event.conditions))
    apply = of_seat(secrets=its.conditions)

    def audience(self) -> Audience:
        return Audience((self.seat,))


class DeckExhausted(SkirmishEvent, frozen=True, tag="ac.deck_exhausted"):
    """Event: the deck ran out. Unless that was the `last` time, the discard pile becomes the new deck."""

    last: bool = False
    barrier = "cards"
    cue = says("card", ("last", "log.deck_out.last", "log.deck_out"), "AC-DECK-03")
    apply = in_turn(sets(reshuffles=plus(1)), when("last", sets(), sets(discard=())))


class CardSetAside(SkirmishEvent, frozen=True, tag="ac.card_set_aside"):
    """Event: a drawn card of a faction without figures is put out of the game."""

    card: str
    barrier = "cards"
    cue = says("card", "log.card_set_aside", "AC-ACT-02")
    apply = sets(out=also(its.card))


class RowLaid(SkirmishEvent, frozen=True, tag="ac.row_laid"):
    """Event: the next row of cards lies open, in order of play."""

    cards: tuple[Card, ...]
    reshuffled: bool = False
    last: bool = False
    barrier = "cards"
    apply = sets(turn=plus(1), row=its.cards, current=0, left=0, used={}, reshuffled=its.reshuffled, last_row=its.last)


class CardTurned(SkirmishEvent, frozen=True, tag="ac.card_turned"):
    """Event: the current card is turned up: its player has so many actions."""

    seat: int
    actions: int
    apply = in_turn(of_card(state="current"), sets(left=its.actions, used={}, free_moves={}, proposed=False))


class CardPassed(SkirmishEvent, frozen=True, tag="ac.card_passed"):
    """Event: the current card gives nobody actions: an event card, or one of a faction without figures."""

    apply = in_turn(of_card(state="passed"), sets(left=0, used={}, free_moves={}))


class CardEnded(SkirmishEvent, frozen=True, tag="ac.card_ended"):
    """Event: the player does no more with the current card; unused actions are lost."""

    seat: int
    apply = sets(left=0, free_moves={})


class CardDiscarded(SkirmishEvent, frozen=True, tag="ac.card_discarded"):
    """Event: the current card has been played and goes to the discard pile; stuns of its faction's groups end."""

    def apply(self, state: Skirmish) -> Skirmish:
        card = state.row[state.current]
        row = state.row if card.state == "passed" else changed_at(state.row, state.current, state="done")
        woken = {
            id: replace(group, stunned=False) if group.stunned and group.owner == card.seat else group
            for id, group in state.groups.items()
        }
        discard = (*state.discard, card.id)
        over = replace(state, row=row, groups=woken, current=state.current + 1, discard=discard)
        return replace(over, left=0, used={}, free_moves={})


class ActionTaken(SkirmishEvent, frozen=True, tag="ac.action_taken"):
    """Event: a group uses actions of the current card; `kind`: move, shoot, special or propose."""

    group: GroupId
    kind: str
    actions: int = 1

    def apply(self, state: Skirmish) -> Skirmish:
        # the commonest of all: spelled out
        used = {**state.used, self.group: state.used.get(self.group, 0) + self.actions}
        return replace(state, left=state.left - self.actions, used=used)


class FreeMovesWon(SkirmishEvent, frozen=True, tag="ac.free_moves_won"):
    """Event: a group may make so many moves on this card that cost no action."""

    group: GroupId
    moves: int
    apply = sets(free_moves=put(its.group, its.moves))


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
    apply = in_turn(of_group(lead=its.lead, came=its.came, dug=False), moves())


class VolleyFired(SkirmishEvent, frozen=True, tag="ac.volley_fired.2"):
    """Event: dice of a shot have been rolled and added up; casualties follow."""

    formerly: ClassVar[Mapping[str, Upcaster]] = {"ac.volley_fired": older_layouts.volley}
    volley: Volley
    apply = sets(volley=its.volley)


class VolleyEnded(SkirmishEvent, frozen=True, tag="ac.volley_ended"):
    """Event: a shot or strike has been resolved."""

    apply = sets(volley=None)


class FiguresRemoved(SkirmishEvent, frozen=True, tag="ac.figures_removed"):
    """Event: figures are taken off the table, to the credit of the seat `by` (-1: nobody). Groups left empty vanish."""

    by: int
    figures: tuple[FigureId, ...]

    def apply(self, state: Skirmish) -> Skirmish:
        gone = set(self.figures)
        left = {
            id: group if gone.isdisjoint(group.figures) else group.without(gone) for id, group in state.groups.items()
        }
        groups = {id: group for id, group in left.items() if group.figures}
        rides = {id: ride.after(state, self.figures, self.by) for id, ride in state.aboard.items()}
        after = replace(
            state,
            figures=without(state.figures, gone),
            groups=groups,
            combats=tuple([combat.among(groups) for combat in state.combats]),
            aboard={id: ride for id, ride in rides.items() if ride is not None},
        )
        return after if self.by < 0 else credited(after, self.by, [state.figure(id).owner for id in self.figures])


class FactionFell(SkirmishEvent, frozen=True, tag="ac.faction_fell"):
    """Event: a faction has no figures left."""

    seat: int
    cue = says("casualty", "log.faction_fell", "AC-ACT-02", seat="seat", faction="seat")
    apply = of_seat(alive=False)


class SpecialTried(SkirmishEvent, frozen=True, tag="ac.special_tried"):
    """Event: a special action was taken, by these helpers, and succeeded or not."""

    seat: int
    group: GroupId
    special: str
    helpers: tuple[FigureId, ...]
    success: bool
    apply = when("success", of_seat(done=put(its.special, plus(1))))


class ProposalMade(SkirmishEvent, frozen=True, tag="ac.proposal_made"):
    """Event: a player proposes an action that no rule lists; the others vote."""

    proposal: Proposal
    cue = says(
        "note",
        "log.proposed",
        "AC-SPEC-02",
        seat="proposal.seat",
        about="proposal.group",
        faction="proposal.seat",
        words="proposal.words",
        effect="effect.{it.proposal.effect}",
    )
    apply = sets(proposal=its.proposal, proposed=True)


class ProposalVoted(SkirmishEvent, frozen=True, tag="ac.proposal_voted"):
    """Event: the votes on a proposal are opened: yes, no or abstain by seat."""

    votes: dict[int, str]
    allowed: bool
    barrier = "revealed"
    cue = says(
        "note",
        ("allowed", "log.voted.yes", "log.voted.no"),
        "AC-SPEC-02",
        yes=lambda event: list(event.votes.values()).count("yes"),
        against=lambda event: list(event.votes.values()).count("no"),
    )
    apply = when("allowed", sets(), sets(proposal=None))


class ProposalDone(SkirmishEvent, frozen=True, tag="ac.proposal_done"):
    """Event: an allowed proposal has been tried."""

    success: bool
    apply = sets(proposal=None)


class FeatureCleared(SkirmishEvent, frozen=True, tag="ac.feature_cleared"):
    """Event: a feature is no longer there."""

    feature: str
    cue = says("note", "log.cleared", cause, "feature")
    apply = sets(gone=also(its.feature))


class GroupStunned(SkirmishEvent, frozen=True, tag="ac.group_stunned"):
    """Event: a group takes no action on its faction's next card."""

    group: GroupId
    cue = says("note", "log.stunned", cause, "group", about="group")
    apply = of_group(stunned=True)


class BuildingOpened(SkirmishEvent, frozen=True, tag="ac.building_opened"):
    """Event: a building can be left on every side."""

    feature: str
    cue = says("note", "log.opened", cause, "feature", about="feature")
    apply = sets(opened=also(its.feature))


class MarkerSet(SkirmishEvent, frozen=True, tag="ac.marker_set"):
    """Event: a marker at a group or feature keeps in words what players agreed on."""

    about: str
    words: str
    apply = sets(markers=put(its.about, its.words))


class ConditionMet(SkirmishEvent, frozen=True, tag="ac.condition_met"):
    """Event: a seat has met a condition for good; of a secret one it alone knows."""

    seat: int
    condition: str
    secret: bool = False
    apply = of_seat(met=also(its.condition))

    def audience(self) -> Audience:
        return Audience((self.seat,)) if self.secret else ALL


class GameEnded(SkirmishEvent, frozen=True, tag="ac.game_ended"):
    """Event: the game is over; combats still open close."""

    why: str
    barrier = "revealed"
    cue = says("end", "ending.{it.why}", "AC-SCEN-01")

    def apply(self, state: Skirmish) -> Skirmish:
        return replace(state, ending=Ending(self.why), combats=(), left=0, free_moves={}, volley=None, burst=None)


EVENTS: tuple[type[SkirmishEvent], ...] = tagged(globals(), SkirmishEvent)


def credited(state: Skirmish, by: int, owners: Iterable[int]) -> Skirmish:
    """Return the state with figures of these owners counted as removed by a seat."""
    removed = Counter(state.seats[by].removed)
    removed.update(owners)
    return replace(state, seats=changed_at(state.seats, by, removed=dict(removed)))
