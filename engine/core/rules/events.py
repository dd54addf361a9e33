"""Events: facts in the past tense. Those of a system apply to its state, those of the core to the record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, TypeVar

import msgspec

from engine.core.rules.audience import ALL, Audience
from engine.core.rules.record import DeckState, PendingAction, Record, RollMade, SeatSettings
from protocol.fairness.entropy_chain import NO_MIX, mixed
from protocol.fairness.entropy_record import EMPTY, EntropyRecord
from protocol.ids import MatchId, NodeId
from protocol.scene.nodes import Reply, RollId

S = TypeVar("S")
T = TypeVar("T", bound=msgspec.Struct)

Upcaster = Callable[[dict[str, Any], Sequence[Mapping[str, Any]]], dict[str, Any]]
"""A function from the fields of an older layout, as msgpack gives them, to those of today's. Its second argument is the
earlier entries of the same step, with their tags under "e" and in today's layouts."""
NEVER: Final[Mapping[str, Upcaster]] = {}
HUNDRED: Final = 100
"""The hundredths of a figure: what forecasts are counted in."""


def tagged(module: Mapping[str, Any], base: type[T]) -> tuple[type[T], ...]:
    """Return the types below `base` that a module (its `globals()`) defines with a tag of their own, in its order.

    Types that are only the base of others name no tag: msgspec gives them the name of their class.
    """
    kinds = [kind for kind in module.values() if isinstance(kind, type) and issubclass(kind, base)]
    own = [kind for kind in kinds if kind.__module__ == module["__name__"]]
    return tuple(kind for kind in own if kind.__struct_config__.tag != kind.__name__)


class Event(msgspec.Struct, Generic[S], frozen=True, tag_field="e", omit_defaults=True):
    """A fact about the state of a system. Each type has a stable name of ours as its `tag`, never an import path.

    `barrier` names why it cannot be undone ("dice", "cards", "revealed"), empty where it can. A type whose fields
    change gets a new tag; `formerly` maps each older tag to the reader of what was stored under it.
    """

    barrier: ClassVar[str] = ""
    formerly: ClassVar[Mapping[str, Upcaster]] = NEVER

    def apply(self, state: S) -> S:
        """Return the state after this fact. Total; copies only, makes no choice and rolls no dice."""
        return state

    def audience(self) -> Audience:
        """Return the audience of this event. An event is never redacted: emit two."""
        return ALL


class CoreEvent(msgspec.Struct, frozen=True, tag_field="e", omit_defaults=True):
    """A fact about the match that every rule system shares. `barrier` and `formerly` as those of Event."""

    barrier: ClassVar[str] = ""
    formerly: ClassVar[Mapping[str, Upcaster]] = NEVER

    def apply(self, record: Record) -> Record:
        """Return the record after this fact."""
        return record

    def audience(self) -> Audience:
        """Return the audience of this event."""
        return ALL


class MatchStarted(CoreEvent, frozen=True, tag="core.started"):
    """Event 0: the system with its RULES, the number of seats, the content by value, the commitment to the dice, the
    layout of the log's heads and the scheme of the dice (1 where it names none, as in the oldest logs), whether
    programs may add to the dice, the rule code by name (empty where the host named none), the sides of the seats
    (empty where each stands alone), the options of the rules that are not at their default, and whether each step that
    rolls waits for parts of its own (`strict`)."""

    barrier = "started"
    match: MatchId
    system: str
    rules: int
    seats: int
    resolved: bytes
    commitment: bytes
    log: int = 1
    dice: int = 1
    parts: bool = False
    version: str = ""
    code: bytes = b""
    sides: tuple[int, ...] = ()
    options: dict[str, bool | int | str] = {}
    strict: bool = False

    def apply(self, record: Record) -> Record:
        named = {"match": self.match, "system": self.system, "rules": self.rules, "seats": self.seats}
        scheme = {"log": self.log, "dice": self.dice, "parts": self.parts, "code": self.code, "sides": self.sides}
        scheme["strict"] = self.strict
        if self.dice == 1:
            return msgspec.structs.replace(record, **named, **scheme)
        empty = EntropyRecord((EMPTY,) * self.seats)
        return msgspec.structs.replace(record, **named, **scheme, mix=NO_MIX, participation=empty)


class SeatHeld(CoreEvent, frozen=True, tag="core.seat"):
    """A seat passed to a holder: "person", "bot" or "empty". The entropy chain ends where it is no person. `person`:
    their id in this match alone, empty for others and in older logs."""

    seat: int
    by: str
    person: bytes = b""

    def apply(self, record: Record) -> Record:
        people = {seat: person for seat, person in record.people.items() if seat != self.seat}
        if self.person:
            people[self.seat] = self.person
        participation = record.participation.with_holder(self.seat, self.by)
        return msgspec.structs.replace(record, participation=participation, people=people)


class StepDeferred(CoreEvent, frozen=True, tag="core.deferred"):
    """A step was put off for a call of its own, which follows in the same step. `seat`: the one seat whose act it is,
    and whose program is not called; -1 where it closes a question."""

    barrier = "dice"
    seat: int = -1

    def apply(self, record: Record) -> Record:
        return msgspec.structs.replace(record, participation=record.participation.with_deferral())


class RoundCalled(CoreEvent, frozen=True, tag="core.call"):
    """The programs of these seats were called to add to a round, or to a deferred step; the very next step opens their
    parts. `round`: the round; at a strict table the number of the call."""

    round: int
    seats: tuple[int, ...]

    def apply(self, record: Record) -> Record:
        return msgspec.structs.replace(record, participation=record.participation.with_call(self.round, self.seats))


class RoundBegun(CoreEvent, frozen=True, tag="core.round"):
    """A round of dice began, with the links that the seats opened for it (none where the table runs without), their
    programs' signatures of them, and the seed of the round that ended with it (empty where none did), from which
    everyone can derive that round's open rolls."""

    barrier = "dice"
    round: int
    links: tuple[bytes, ...] = ()
    seed: bytes = b""
    proofs: tuple[bytes, ...] = ()

    def apply(self, record: Record) -> Record:
        begun = msgspec.structs.replace(record, round=self.round, links=self.links, rolls=0, hidden_rolls=0)
        if record.dice == 1:
            opened = {seat: link for seat, link in enumerate(self.links) if link}
            tips = {seat: (tip, opened.get(seat, last)) for seat, (tip, last) in record.tips.items()}
            return msgspec.structs.replace(begun, tips=tips)
        return _with_parts(begun, record.participation.called if record.strict else self.round, self.links)


class DeferralOpened(CoreEvent, frozen=True, tag="core.opened"):
    """The parts called for a deferred step were opened: `call` is the number of their call, `links` and `proofs` are as
    of RoundBegun. The very next step carries the deferred cause out."""

    barrier = "dice"
    call: int
    links: tuple[bytes, ...]
    proofs: tuple[bytes, ...]

    def apply(self, record: Record) -> Record:
        return _with_parts(record, self.call, self.links)


class TipKnown(CoreEvent, frozen=True, tag="core.tip"):
    """The tip of the entropy chain of a seat's program became known, with its key; an earlier chain ends there."""

    seat: int
    tip: bytes
    key: bytes = b""

    def apply(self, record: Record) -> Record:
        if record.dice == 1:
            return msgspec.structs.replace(record, tips={**record.tips, self.seat: (self.tip, self.tip)})
        known = record.participation.with_tip(self.seat, self.tip, self.key)
        return msgspec.structs.replace(record, participation=known)


class DiceRolled(CoreEvent, frozen=True, tag="core.dice"):
    """Roll `n` of the round was made (of the hidden chain where `to` is not all). `low`, `high`: as in Pool."""

    barrier = "dice"
    round: int
    n: int
    purpose: str
    seat: int
    sides: int
    faces: tuple[int, ...]
    to: Audience = ALL
    low: int = 0
    high: int = 0

    @property
    def id(self) -> RollId:
        """The number of the roll."""
        return RollId(self.round, self.n, not self.to.public)

    def apply(self, record: Record) -> Record:
        is_public = self.to.seats is None
        id = RollId(self.round, self.n, not is_public)
        rolled = record.with_roll(RollMade(id, self.seat, self.sides, self.faces))
        declared = record.with_roll_shown(id, self.purpose, self.to) if record.declared else ()
        if is_public:
            return msgspec.structs.replace(record, rolls=self.n + 1, rolled=rolled, declared=declared)
        return msgspec.structs.replace(record, hidden_rolls=self.n + 1, rolled=rolled, declared=declared)

    def audience(self) -> Audience:
        return self.to


class OrderMade(CoreEvent, frozen=True, tag="core.order"):
    """A shuffle was made whose order everyone sees at once; it counts as roll `n` of the round."""

    barrier = "dice"
    round: int
    n: int
    purpose: str
    order: tuple[int, ...]

    def apply(self, record: Record) -> Record:
        return msgspec.structs.replace(record, rolls=self.n + 1)


class DeckShuffled(CoreEvent, frozen=True, tag="core.deck"):
    """Epoch `epoch` of a deck began, of these cards, sorted. Their order follows from the deck's secret and is not
    disclosed, but bound by `root`, that of the tree over the salted cards (protocol/proof/leaves.py)."""

    barrier = "cards"
    deck: str
    epoch: int
    round: int
    cards: tuple[str, ...]
    root: bytes

    def apply(self, record: Record) -> Record:
        links = () if record.mix else record.links
        deck = DeckState(self.epoch, self.round, links, self.cards, mix=record.mix)
        return _with_deck(record, self.deck, deck)


class CardDrawn(CoreEvent, frozen=True, tag="core.card"):
    """The card at `index` from the top of this epoch was drawn, with the salt and path that open its leaf."""

    barrier = "cards"
    deck: str
    epoch: int
    index: int
    card: str
    salt: bytes
    path: tuple[bytes, ...]
    to: Audience = ALL

    def apply(self, record: Record) -> Record:
        deck = record.decks[self.deck]
        drawn = (*deck.drawn, self.card)
        return _with_deck(record, self.deck, msgspec.structs.replace(deck, drawn=drawn))

    def audience(self) -> Audience:
        return self.to


class GivenAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer of one seat to a question; `by_default` where time ran out or a standing order spoke."""

    seat: int
    reply: Reply
    by_default: bool = False


class ActionDeclared(CoreEvent, frozen=True, tag="core.declared"):
    """A seat declared an action of this kind. `about`: its nodes by their part in it, the one that acts as "group";
    `expect`: the mean of the losses that are forecast of it, in hundredths, -1 where nothing is."""

    kind: str
    seat: int
    about: dict[str, NodeId] = {}
    to: Audience = ALL
    expect: int = -1

    def apply(self, record: Record) -> Record:
        if self.to.seats is None:
            action = PendingAction(self.kind, self.seat, self.about, record.acts + 1, expect=self.expect)
            return msgspec.structs.replace(record, declared=(*record.declared, action), acts=record.acts + 1)
        # each seat has its own count: nobody learns how many others there are
        numbers = {seat: record.hidden_acts.get(seat, 0) + 1 for seat in self.to.seats or ()}
        action = PendingAction(self.kind, self.seat, self.about, numbers=numbers, to=self.to, expect=self.expect)
        return msgspec.structs.replace(
            record, declared=(*record.declared, action), hidden_acts={**record.hidden_acts, **numbers}
        )

    def audience(self) -> Audience:
        return self.to


class ActionResolved(CoreEvent, frozen=True, tag="core.resolved"):
    """A declared action ended. `place`: among the open ones of this audience, from the oldest, 0; `how` it ended, in a
    word, with what there is to count; `losses`: those that its forecast was about."""

    place: int
    how: str
    counts: dict[str, int] = {}
    to: Audience = ALL
    losses: int = 0

    def apply(self, record: Record) -> Record:
        ended = [action for action in record.declared if action.to == self.to][self.place]
        declared = tuple([action for action in record.declared if action is not ended])
        if ended.expect < 0 or not self.to.public:
            return msgspec.structs.replace(record, declared=declared)
        luck = record.luck.get(ended.seat, 0) + HUNDRED * self.losses - ended.expect
        return msgspec.structs.replace(record, declared=declared, luck={**record.luck, ended.seat: luck})

    def audience(self) -> Audience:
        return self.to


class QuestionClosed(CoreEvent, frozen=True, tag="core.answers"):
    """A question closed with all answers, in seat order; the first entry of the step that goes on from it."""

    question: int
    answers: tuple[GivenAnswer, ...]

    def apply(self, record: Record) -> Record:
        return record


class SettingsChanged(CoreEvent, frozen=True, tag="core.settings"):
    """A seat changed its stops and standing orders (here whole), by an aside."""

    seat: int
    settings: SeatSettings

    def apply(self, record: Record) -> Record:
        return msgspec.structs.replace(record, settings={**record.settings, self.seat: self.settings})

    def audience(self) -> Audience:
        return Audience((self.seat,))


class Undone(CoreEvent, frozen=True, tag="core.undone"):
    """A seat took its last act back: the fold restores the state that it kept after step `to`."""

    seat: int
    to: int


class Voided(CoreEvent, frozen=True, tag="core.voided"):
    """A procedure that met a bug was given up, with all actions that it had declared: the fold goes back to the last
    quiescent state. `error`: its id."""

    barrier = "voided"
    error: str


CORE_EVENTS: tuple[type[CoreEvent], ...] = tagged(globals(), CoreEvent)


def _with_parts(record: Record, call: int, links: tuple[bytes, ...]) -> Record:
    """Return the record with the parts of this call (of the round, where the table is not strict) mixed in."""
    mix = mixed(record.mix, record.match, call, links or (b"",) * record.seats)
    return msgspec.structs.replace(record, mix=mix, participation=record.participation.with_round(call, links))


def _with_deck(record: Record, name: str, deck: DeckState) -> Record:
    decks: Mapping[str, DeckState] = {**record.decks, name: deck}
    return msgspec.structs.replace(record, decks=decks)
