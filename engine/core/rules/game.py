"""The game: all that a procedure may touch. Every effect goes through it and becomes an entry of the step."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Mapping
from hashlib import blake2b
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

import msgspec

from engine.core.rules.audience import ALL, Audience, Seat, only
from engine.core.rules.dice import DiceSource, Pool, Roll, card_salt
from engine.core.rules.errors import EffectReached, RuleBug
from engine.core.rules.events import (
    ActionDeclared,
    ActionResolved,
    CardDrawn,
    CoreEvent,
    DeckShuffled,
    DiceRolled,
    Event,
    OrderMade,
)
from engine.core.rules.questions import CHOICE, SEALED, Ask, Question, Window
from engine.core.rules.record import PendingAction, Record
from engine.core.rules.sides import audience_of
from protocol.ids import NodeId

S = TypeVar("S")
A = TypeVar("A")

MOST_ENTRIES: Final = 5_000
"""Entries of one step at most: a rule that never ends raises RuleBug."""


Expecting = Callable[[], int]
"""A function that works out the mean of the losses that an action is about, in hundredths; -1 where none is known."""


class RoundWanted(NamedTuple):
    """The stop of a procedure that needs a new round of dice: the host calls the programs, collects their parts and
    proposes RoundOpened."""


class _Pause(Awaitable[Any]):
    """The awaitable that hands a stop to whoever drives the procedure, and returns the answers."""

    def __init__(self, wanted: Question | RoundWanted) -> None:
        self._wanted = wanted

    def __await__(self) -> Generator[Question | RoundWanted, Any, Any]:
        answers = yield self._wanted
        return answers


class Trace(msgspec.Struct, Generic[S], frozen=True):
    """An entry with the system's state before and after it, for cues, and the record after it."""

    event: Event[S] | CoreEvent
    before: S
    after: S
    record: Record


class Game(Generic[S]):
    """The state of a match with the effects of one step. `state` and `record` are values: each effect replaces them."""

    def __init__(self, state: S, record: Record, dice: DiceSource, *, bare: bool = False) -> None:
        self.state = state
        self.record = record
        self.bare = bare
        """True where what is only drawn may be lacking: the reasons of barred options, the edge of a template, the
        forecast of an action."""
        self.trail: list[Trace[S]] = []
        self._dice = dice

    def emit(self, *events: Event[S]) -> None:
        """Apply these events of the system, in this order, and add them to the step."""
        for event in events:
            before = self.state
            self.state = event.apply(before)
            self._keep(event, before)

    def emit_split(self, public: Event[S], private: Mapping[Seat, Event[S]]) -> None:
        """Emit what all may know of one fact, and then, in seat order, what each of these seats knows beside it.

        Raises RuleBug where the first is not for all, or one of the others not for its seat alone.
        """
        if not public.audience().public:
            raise RuleBug(f"{type(public).__name__} is not for all")
        for seat, event in private.items():
            if event.audience() != only(seat):
                raise RuleBug(f"{type(event).__name__} is not for seat {seat} alone")
        self.emit(public, *(event for _, event in sorted(private.items())))

    def note(self, event: CoreEvent) -> None:
        """Apply an event of the core and add it to the step. Procedures call roll, deck and ask instead."""
        self.record = event.apply(self.record)
        self._keep(event, self.state)

    def roll(self, pool: Pool, purpose: str, seat: Seat, only: Audience = ALL) -> Roll:
        """Roll `pool` for `seat`, hidden unless `only` is all; `purpose` is a text key of the system."""
        record, hidden = self.record, only.seats is not None
        if hidden:
            only = self._side_of(only)
        n = record.hidden_rolls if hidden else record.rolls
        faces = self._dice.faces(record.round, record.entropy, n, pool, hidden=hidden)
        self.note(DiceRolled(record.round, n, purpose, seat, pool.sides, faces, only, pool.low, pool.high))
        return Roll(faces, record.round, n, hidden)

    def declare(
        self, kind: str, seat: Seat, only: Audience = ALL, expect: Expecting | None = None, **about: NodeId
    ) -> Pending[S]:
        """Declare an action of a seat, hidden unless `only` is all: it stands on the stack until it is resolved, and
        must be by the end of the procedure. `about`: its nodes by their part in it, the one that acts as "group";
        `expect`: works out what all who are told of the action may expect of it; a bare game does without.

        The system's texts are `act.{kind}` ("{group} shoots at {target}"), with the names of these nodes, and
        `act.{kind}.{how}` for each way in which it may be resolved, with what `resolve` counts too.
        """
        to = only if only.seats is None else self._side_of(only)
        expected = -1 if expect is None or self.bare else expect()
        self.note(ActionDeclared(kind, seat, about, to, expected))
        return Pending(self, self.record.declared[-1])

    def shuffle(self, size: int, purpose: str) -> tuple[int, ...]:
        """Draw a permutation of range(size) that everyone sees at once."""
        record = self.record
        order = self._dice.order(record.round, record.entropy, record.rolls, size)
        self.note(OrderMade(record.round, record.rolls, purpose, order))
        return order

    def opaque(self, label: str) -> str:
        """Return a name for `label` that reveals nothing of it: the same each time in this match, and not to be guessed
        without the match's secret. Give a hidden thing a label of its own for each viewer, and at its reveal a label
        that follows from public facts alone."""
        return blake2b(label.encode(), key=self._dice.salt(f"opaque/{label}"), digest_size=6).hexdigest()

    def deck(self, name: str) -> Deck[S]:
        """Return the deck of this name; its `new` makes it."""
        return Deck(self, name, self._dice)

    async def round(self) -> None:
        """Begin a new round of dice: stops the step until the parts are in."""
        await self._pause(RoundWanted())

    async def ask(self, seat: Seat, ask: Ask[A], kind: str, window: Window = CHOICE) -> A:
        """Ask one seat; returns its answer, or the default when none came."""
        return (await self.ask_together({seat: ask}, kind, window))[seat]

    async def ask_together(self, asks: Mapping[Seat, Ask[A]], kind: str, window: Window = SEALED) -> dict[Seat, A]:
        """Ask several seats at once, none of which sees another's answer before all are closed. Returns the answers in
        seat order."""
        return await self._put(Question(self.record.questions, kind, window, dict(sorted(asks.items()))))

    async def moment(self, name: str, asks: Mapping[Seat, Ask[A]], about: tuple[NodeId, ...] = ()) -> dict[Seat, A]:
        """Ask at a named point where others may act out of turn. The seats asked must follow from public facts alone;
        the window opens for all of them, and seats without a stop here answer by standing order, sealed inside it.
        `about`: what the moment is about, for the conditions of those orders."""
        question = Question(self.record.questions, name, SEALED, dict(sorted(asks.items())), moment=True, about=about)
        return await self._put(question)

    def _side_of(self, audience: Audience) -> Audience:
        """Return an audience with all allies of its seats."""
        return audience_of(self.record.sides, audience)

    async def _put(self, question: Question) -> dict[Seat, Any]:
        return cast("dict[Seat, Any]", await self._pause(question)) if question.asks else {}

    async def _pause(self, wanted: Question | RoundWanted) -> Any:
        return await _Pause(wanted)

    def _keep(self, event: Event[S] | CoreEvent, before: S) -> None:
        self.trail.append(Trace(event, before, self.state, self.record))
        if len(self.trail) > MOST_ENTRIES:
            raise RuleBug(f"a step made more than {MOST_ENTRIES} entries")


class Pending(Generic[S]):
    """A declared action of a game, to be resolved once."""

    def __init__(self, game: Game[S], action: PendingAction) -> None:
        self._game = game
        self._action = action

    def resolve(self, how: str, losses: int = 0, **counts: int) -> None:
        """End the action: `how` in a word, with what there is to count; `losses`: those that its forecast was about.
        Raises RuleBug where it has ended already."""
        action, place = self._action, 0
        for one in self._game.record.declared:
            if one.n == action.n and one.numbers == action.numbers:
                self._game.note(ActionResolved(place, how, counts, action.to, losses))
                return
            place += one.to == action.to
        raise RuleBug(f"an action that was resolved already: {action.kind}")


class Probe(Game[S]):
    """A game that runs only the first lines of a procedure: its first effect raises EffectReached. Its state and record
    are what one seat knows of them. `bare`: as of a Game."""

    def _keep(self, event: Event[S] | CoreEvent, before: S) -> None:
        raise EffectReached

    def roll(self, pool: Pool, purpose: str, seat: Seat, only: Audience = ALL) -> Roll:
        raise EffectReached

    def declare(
        self, kind: str, seat: Seat, only: Audience = ALL, expect: Expecting | None = None, **about: NodeId
    ) -> Pending[S]:
        raise EffectReached

    def shuffle(self, size: int, purpose: str) -> tuple[int, ...]:
        raise EffectReached

    def deck(self, name: str) -> Deck[S]:
        return UnknownDeck(self, name, self._dice)

    async def _pause(self, wanted: Question | RoundWanted) -> Any:
        raise EffectReached


class Deck(Generic[S]):
    """A named deck of a game. Every operation but a draw from the top makes a new epoch of the undrawn cards."""

    def __init__(self, game: Game[S], name: str, dice: DiceSource) -> None:
        self._game = game
        self._name = name
        self._dice = dice

    @property
    def left(self) -> int:
        """The number of cards that can still be drawn."""
        deck = self._game.record.decks.get(self._name)
        return deck.left if deck else 0

    @property
    def undrawn(self) -> tuple[str, ...]:
        """The cards that can still be drawn, sorted."""
        deck = self._game.record.decks.get(self._name)
        return deck.undrawn() if deck else ()

    def new(self, cards: tuple[str, ...]) -> None:
        """Make a deck of these cards, shuffled, in place of any earlier one."""
        self._epoch(cards)

    def draw(self, count: int, audience: Audience = ALL) -> tuple[str, ...]:
        """Draw the top `count` cards (fewer when the deck has fewer), disclosed to `audience`."""
        drawn: list[str] = []
        audience = audience_of(self._game.record.sides, audience)
        for _ in range(min(count, self.left)):
            deck = self._game.record.decks[self._name]
            order = self._dice.deck(self._name, deck.epoch, deck.entropy, len(deck.cards))
            index = len(deck.drawn)
            card = deck.cards[order[index]]
            path = self._dice.tree(self._name, deck.epoch, deck.entropy, deck.cards).path(index)
            salt = card_salt(self._dice, self._name, deck.epoch, index)
            self._game.note(CardDrawn(self._name, deck.epoch, index, card, salt, path, audience))
            drawn.append(card)
        return tuple(drawn)

    def add(self, cards: tuple[str, ...]) -> None:
        """Add these cards and shuffle them with all undrawn ones."""
        self._epoch((*self.undrawn, *cards))

    def _epoch(self, cards: tuple[str, ...]) -> None:
        record = self._game.record
        before = record.decks.get(self._name)
        epoch = before.epoch + 1 if before else 0
        self._game.note(shuffled_deck(self._dice, record, self._name, epoch, cards))


class UnknownDeck(Deck[S]):
    """A deck whose cards are not known, as of a probe: to touch them is an effect."""

    @property
    def undrawn(self) -> tuple[str, ...]:
        raise EffectReached

    def draw(self, count: int, audience: Audience = ALL) -> tuple[str, ...]:
        if min(count, self.left) > 0:
            raise EffectReached
        return ()

    def _epoch(self, cards: tuple[str, ...]) -> None:
        raise EffectReached

    def add(self, cards: tuple[str, ...]) -> None:
        raise EffectReached


def shuffled_deck(dice: DiceSource, record: Record, name: str, epoch: int, cards: tuple[str, ...]) -> DeckShuffled:
    """Make the event of a new epoch of a deck, of these cards."""
    cards = tuple(sorted(cards))
    return DeckShuffled(name, epoch, record.round, cards, dice.tree(name, epoch, record.entropy, cards).root)
