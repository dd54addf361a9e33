"""The record: the core's own part of a match's state, such as seats, rounds, counters, decks and settings."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Final

import msgspec

from engine.core.rules.audience import ALL, Audience
from protocol.fairness.entropy_record import EntropyRecord
from protocol.ids import MatchId, NodeId
from protocol.proof.dice import RoundEntropy
from protocol.scene.nodes import Reply, RollId

ROLLS: Final = 128
"""The number of newest rolls that a record remembers at least: a scene may name a roll for as long."""
SHOWN: Final = 16
"""The number of rolls that a declared action is shown with."""
RUN: Final = 16
"""The number of rolls in one tuple of a record, so that adding one copies few of the others."""


class DeckState(msgspec.Struct, frozen=True, omit_defaults=True):
    """An epoch of a deck: its cards sorted, those drawn so far in order. The order to come is nowhere in the state: it
    follows from the deck's secret, so that no view of a state can leak it."""

    epoch: int
    round: int
    links: tuple[bytes, ...]
    cards: tuple[str, ...]
    drawn: tuple[str, ...] = ()
    mix: bytes = b""

    @property
    def entropy(self) -> RoundEntropy:
        """The entropy that this epoch was shuffled by."""
        return self.mix or self.links

    @property
    def left(self) -> int:
        """The number of cards that can still be drawn."""
        return len(self.cards) - len(self.drawn)

    def known(self) -> DeckState:
        """Copy the deck as everybody knows it: how many cards were drawn, but not which."""
        return msgspec.structs.replace(self, drawn=("",) * len(self.drawn)) if self.drawn else self

    def undrawn(self) -> tuple[str, ...]:
        """Return the cards not drawn yet, sorted."""
        rest = list(self.cards)
        for card in self.drawn:
            rest.remove(card)
        return tuple(rest)


class StandingOrder(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order that a seat left at a moment: the id of its form, the groups it is for (node ids; none: the seat as a
    whole), and the fields of the form as filled in. Whether it speaks at the moment is for the rules to say."""

    moment: str
    order: str
    groups: tuple[str, ...] = ()
    fields: dict[str, object] = {}

    def without(self, groups: Collection[str]) -> StandingOrder | None:
        """Return the order for the rest of its groups, None where none is left."""
        left = tuple(group for group in self.groups if group not in groups)
        return msgspec.structs.replace(self, groups=left) if left else None


class SeatSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """The settings of a seat: the moments at which it wants to be asked, its replies by question kind where it is not,
    and standing orders, which go before those replies. `waits`: with nothing left to do its activations wait until it
    ends them; else they end by themselves."""

    stops: tuple[str, ...] = ()
    orders: dict[str, Reply] = {}
    standing: tuple[StandingOrder, ...] = ()
    waits: bool = False

    def at(self, moment: str) -> tuple[StandingOrder, ...]:
        """Return the standing orders at a moment, in the order given."""
        return tuple(order for order in self.standing if order.moment == moment)

    def with_order(self, new: StandingOrder) -> SeatSettings:
        """Add a standing order; at its moment its groups, or the seat as a whole, have no other one."""
        standing: list[StandingOrder] = []
        for old in self.standing:
            if old.moment != new.moment:
                standing.append(old)
            elif old.groups and (rest := old.without(new.groups)) is not None:
                standing.append(rest)
            elif not old.groups and new.groups:
                standing.append(old)
        return msgspec.structs.replace(self, standing=(*standing, new))


class RollMade(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A roll as it is shown wherever its number is named."""

    id: RollId
    seat: int
    sides: int
    faces: tuple[int, ...]


class PendingAction(msgspec.Struct, frozen=True, omit_defaults=True):
    """A declared action that has not been resolved. `about`: its nodes by their part in it, the one that acts as
    "group"; `n`: its number among the public acts of the match; of a hidden one `numbers` by seat of those that know of
    it; `rolls`: the newest SHOWN that were made for it, with their purposes; `expect`: as of ActionDeclared."""

    kind: str
    seat: int
    about: dict[str, NodeId]
    n: int = 0
    numbers: dict[int, int] = {}
    to: Audience = ALL
    rolls: tuple[tuple[RollId, str], ...] = ()
    expect: int = -1

    @property
    def key(self) -> Hashable:
        """What tells it from all others of its match."""
        return self.n or (self.to.seats, *self.numbers.items())

    def known(self, seat: int) -> PendingAction:
        """Copy the action as a seat knows it that was told of it: without the numbers of others."""
        if self.to.public:
            return self
        return msgspec.structs.replace(self, numbers={own: n for own, n in self.numbers.items() if own == seat})

    def number_for(self, seat: int | None) -> int:
        """Return its number for a seat, or (None) for everyone: public ones count up from 1, hidden ones down from -1;
        0 where they do not know of it."""
        return self.n or -self.numbers.get(-1 if seat is None else seat, 0)


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """The record of a match, changed by core events only. `rolls` and `hidden_rolls` count within the round,
    `questions` in the match; `log` is the layout of the log's heads, `dice` the scheme of the dice (docs/dice.md):
    under 2 `mix` is that of the round, under 1 `links` are, and `tips` hold a seat's tip with its last link opened;
    `rolled` are the newest rolls, ROLLS of them at least, in runs of at most RUN; `code` is the digest of the rule code
    that the match is played by (rule_code.py); `declared` are the actions that wait to be resolved, the newest last,
    `acts` and (by seat) `hidden_acts` count all; `sides` the side of each seat (sides.py); at a `strict` table each
    step that rolls has a call of its own, and `mix` is that of the last call; `people` by seat the id of its person in
    this match alone, where the log has it; `luck` by seat the losses that its public acts caused, less those that were
    forecast, in hundredths."""

    match: MatchId = MatchId("")
    system: str = ""
    rules: int = 0
    seats: int = 0
    round: int = 0
    links: tuple[bytes, ...] = ()
    rolls: int = 0
    hidden_rolls: int = 0
    questions: int = 0
    decks: dict[str, DeckState] = {}
    settings: dict[int, SeatSettings] = {}
    tips: dict[int, tuple[bytes, bytes]] = {}
    log: int = 1
    dice: int = 1
    parts: bool = False
    mix: bytes = b""
    participation: EntropyRecord = EntropyRecord(())
    rolled: tuple[tuple[RollMade, ...], ...] = ()
    code: bytes = b""
    declared: tuple[PendingAction, ...] = ()
    acts: int = 0
    hidden_acts: dict[int, int] = {}
    sides: tuple[int, ...] = ()
    strict: bool = False
    people: dict[int, bytes] = {}
    luck: dict[int, int] = {}

    @property
    def entropy(self) -> RoundEntropy:
        """The entropy of the current round; at a strict table, of the last call."""
        return self.mix or self.links

    @property
    def call(self) -> tuple[int, ...] | None:
        """The seats of a call that is not opened yet; None where there is none."""
        return self.participation.call

    def known(self, seat: int) -> Record:
        """Return the record as this seat knows it, built up from what is public and what is its own: of decks how many
        cards are drawn, of others no settings and no hidden actions. Rolls that are past are in the scene."""
        told = [action for action in self.declared if action.to.includes(seat)]
        return Record(
            match=self.match,
            system=self.system,
            rules=self.rules,
            seats=self.seats,
            round=self.round,
            links=self.links,
            rolls=self.rolls,
            questions=self.questions,
            decks={name: deck.known() for name, deck in self.decks.items()},
            settings={seat: self.settings[seat]} if seat in self.settings else {},
            tips=self.tips,
            log=self.log,
            dice=self.dice,
            parts=self.parts,
            mix=self.mix,
            participation=self.participation,
            code=self.code,
            sides=self.sides,
            strict=self.strict,
            people=self.people,
            declared=tuple([action.known(seat) for action in told]),
            acts=self.acts,
            hidden_acts={seat: self.hidden_acts[seat]} if seat in self.hidden_acts else {},
        )

    def with_roll(self, made: RollMade) -> tuple[tuple[RollMade, ...], ...]:
        """Return the newest rolls with one more, for `rolled`."""
        runs = self.rolled
        if runs and len(runs[-1]) < RUN:
            return (*runs[:-1], (*runs[-1], made))
        return (*runs[-(ROLLS // RUN) :], (made,))

    def with_roll_shown(self, id: RollId, purpose: str, to: Audience) -> tuple[PendingAction, ...]:
        """Return the open actions with a roll for the newest of this audience, for `declared`."""
        declared = self.declared
        for place in reversed(range(len(declared))):
            if declared[place].to == to:
                action = declared[place]
                action = msgspec.structs.replace(action, rolls=(*action.rolls, (id, purpose))[-SHOWN:])
                return (*declared[:place], action, *declared[place + 1 :])
        return declared

    def roll(self, id: RollId) -> RollMade:
        """Return the roll of this number. Raises LookupError for one that was not made, or too long ago."""
        for run in reversed(self.rolled):
            for made in reversed(run):
                if made.id == id:
                    return made
        kind = "hidden roll" if id.hidden else "roll"
        raise LookupError(f"{kind} {id.n} of round {id.round} is none of the newest {ROLLS} rolls of this match")
