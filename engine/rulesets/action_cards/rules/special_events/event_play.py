"""Turn of a Special Event: it is turned up and carried out, effect by effect (AC-DECK-01, AC-OPEN-01)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from engine.core.rules.questions import SEALED, confirm
from engine.kit.rules import Game, Seat, implements
from engine.rulesets.action_cards.rules.board import combats, table
from engine.rulesets.action_cards.rules.cards import cards
from engine.rulesets.action_cards.rules.close_combat import group_places
from engine.rulesets.action_cards.rules.special_events import event_arrivals, event_choices, event_strikes
from engine.rulesets.action_cards.state import names
from engine.rulesets.action_cards.state.event_facts import (
    CardLost,
    CardPlayedAgain,
    DiscardsReturned,
    EventOver,
    EventShown,
    LastingBegun,
    LastingEnded,
    RowReordered,
    TruceOffered,
)
from engine.rulesets.action_cards.state.events import GroupMoved, GroupStunned
from engine.rulesets.action_cards.state.model import Effect, EventCard
from engine.rulesets.action_cards.state.state import Card, Lasting, Skirmish
from engine.space.vectors.points import box_of, middle_of, squared, towards
from protocol.ids import GroupId
from protocol.scene.fields import Option
from protocol.text import Text

BEST_FIRST: Final = ("triple", "double", "single")
WHOLE: Final = 100
"""Percent of a Move that nothing shortens."""
HALF: Final = 50
"""A faction with so many percent of its figures left, or fewer, takes a cease-fire unless it says otherwise."""


@implements("AC-DECK-01", "AC-OPEN-01")
async def play(game: Game[Skirmish]) -> None:
    """Play the current event card: reveal which event it is, if it was face down, and carry it out."""
    shown = game.state.row[game.state.current].event or cards.draw_event(game)
    happening = game.declare("event", Seat(-1), event=names.event_node(shown))
    game.emit(EventShown(shown))
    before = game.state
    for effect in event_of(game.state, shown).effects:
        await _CARRIED_OUT[effect.kind](game, effect)
    game.emit(EventOver(idle=game.state == before))
    happening.resolve("done")


def event_of(state: Skirmish, id: str) -> EventCard:
    """Return a Special Event of the scenario's mix. StopIteration without one."""
    return next(event for event in state.resolved.scenario.mix if event.id == id)


@implements("AC-OPEN-01")
async def row_ends(game: Game[Skirmish]) -> None:
    """End lasting effects that are over with this row, and move dangers."""
    for one in game.state.lasting:
        if one.until <= game.state.turn:
            game.emit(LastingEnded(one.event))
    await event_strikes.row_ends(game)


@implements("AC-OPEN-01")
async def weather(game: Game[Skirmish], effect: Effect) -> None:
    """Change sight, Move or actions for the rest of this row and `effect.rows` rows after it."""
    state = game.state
    until = state.turn + effect.rows
    game.emit(LastingBegun(Lasting(state.happening, until, effect.sight, effect.move, effect.actions)))


@implements("AC-OPEN-01")
async def lift(game: Game[Skirmish], effect: Effect) -> None:
    """End every lasting effect that shortens sight or Moves."""
    for one in game.state.lasting:
        if one.sight or one.move < WHOLE:
            game.emit(LastingEnded(one.event))


@implements("AC-OPEN-01")
async def truce(game: Game[Skirmish], effect: Effect) -> None:
    """Offer a cease-fire, sealed: those who take it may not shoot at or charge each other while it lasts."""
    state = game.state
    asks = {}
    for seat in await event_choices.seats(game, effect.who):
        title = Text("ask.event.truce", {"event": names.event(state, state.happening), "rows": effect.rows})
        default = event_choices.standing_of(state, seat)[1] <= HALF
        asks[Seat(seat)] = confirm(
            title, Text("event.truce.yes"), Text("event.truce.no"), default=default, rule="AC-OPEN-01"
        )
    taken = await game.ask_together(asks, "event", SEALED)
    game.emit(TruceOffered({int(seat): yes for seat, yes in taken.items()}))
    keeping = tuple(int(seat) for seat, yes in taken.items() if yes)
    if len(keeping) > 1:
        game.emit(LastingBegun(Lasting(state.happening, state.turn + effect.rows, truce=keeping)))


@implements("AC-OPEN-01")
async def stun(game: Game[Skirmish], effect: Effect) -> None:
    """Stun one group, or each of several: it takes no action on its faction's next card."""
    chosen, _ = await event_choices.fallen_on(game, effect)
    game.emit(*(GroupStunned(id) for id in chosen))


@implements("AC-OPEN-01")
async def rout(game: Game[Skirmish], effect: Effect) -> None:
    """Make one group, or each of several, run a Move towards its start zone; without a way it stays."""
    chosen, _ = await event_choices.fallen_on(game, effect)
    for id in chosen:
        flee(game, id)
    if effect.stuns:
        game.emit(*(GroupStunned(id) for id in chosen))


def flee(game: Game[Skirmish], id: GroupId) -> None:
    """Move a group on foot a Move towards home, led by its figure nearest to its start zone, touching nobody."""
    state = game.state
    group = state.groups[id]
    home = middle_of(box_of(state.resolved.scenario.roles[group.owner].start))
    lead = min(group.figures, key=lambda figure: (squared(state.figures[figure].at, home), figure))
    if combats.combat_of(state, id) is not None or table.board(state).vehicle(id) is not None:
        return
    came = state.figures[lead].at
    wish = towards(came, home, table.move_of(state, group))
    places = group_places.legal_place(group_places.site_of(state, id), lead, wish)
    if places is not None:
        game.emit(GroupMoved(id, lead, came, places, "rout"))


@implements("AC-OPEN-01")
async def again(game: Game[Skirmish], effect: Effect) -> None:
    """Lay one of a faction's discarded cards open again, as the next; never an event. The faction chooses its kind."""
    for seat in await event_choices.seats(game, effect.who):
        discarded = [card for card in map(cards.card, game.state.discard) if card.seat == seat]
        kinds = [kind for kind in BEST_FIRST if any(card.kind == kind for card in discarded)]
        if kinds:
            options = [Option(kind, names.card(game.state, _first(discarded, kind))) for kind in kinds]
            kind = await event_choices.ask(game, Seat(seat), "ask.event.again", options, kinds[0])
            game.emit(CardPlayedAgain(_first(discarded, kind).id))


@implements("AC-OPEN-01")
async def skip(game: Game[Skirmish], effect: Effect) -> None:
    """Take the actions from the next open card of each of these factions."""
    for seat in await event_choices.seats(game, effect.who):
        waiting = [card for card in _waiting(game.state) if card.seat == seat]
        if waiting:
            game.emit(CardLost(waiting[0].id))


@implements("AC-OPEN-01")
async def reorder(game: Game[Skirmish], effect: Effect) -> None:
    """Shuffle the open cards that are still to come."""
    waiting = _waiting(game.state)
    if len(waiting) > 1:
        order = game.shuffle(len(waiting), event_choices.ORDER)
        game.emit(RowReordered(tuple(waiting[place].id for place in order)))


@implements("AC-OPEN-01")
async def refill(game: Game[Skirmish], effect: Effect) -> None:
    """Return the discards to the deck before it has run out: once a deck, or it might never run out."""
    state = game.state
    if state.discard and state.refilled != state.reshuffles:
        game.deck(cards.DECK).add(state.discard)
        game.emit(DiscardsReturned())


def _waiting(state: Skirmish) -> list[Card]:
    return [card for card in state.row[state.current + 1 :] if card.state == "waiting"]


def _first(found: list[Card], kind: str) -> Card:
    return next(card for card in found if card.kind == kind)


_CARRIED_OUT: Final[Mapping[str, Callable[[Game[Skirmish], Effect], Awaitable[None]]]] = {
    "weather": weather,
    "lift": lift,
    "truce": truce,
    "stun": stun,
    "rout": rout,
    "strike": event_strikes.strike,
    "collapse": event_strikes.collapse,
    "clear": event_strikes.clear,
    "danger": event_strikes.danger,
    "monster": event_strikes.danger,
    "reinforce": event_arrivals.reinforce,
    "refit": event_arrivals.refit,
    "again": again,
    "skip": skip,
    "reorder": reorder,
    "refill": refill,
}
KINDS: Final = frozenset(_CARRIED_OUT)
