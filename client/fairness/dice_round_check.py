"""Live check of the dice rounds of one match, from the facts that the host tells (protocol/proof/facts.py).

The host is bound to s_0 when the match begins, and to the root of each deck before its first card. Each seed that it
tells at a round's end must lead back to s_0; with it and the mix of all parts every open roll of that round is made
again, and compared with what the host recorded and with the dice that were shown. Whoever joins late checks what they
did not see from the facts alone. Hidden rolls are checked after the match (client/fairness/verify.py).

Needs no window and no clock. A verdict never gets better by what a host says later, except "unproven" by its proof.
"""

from __future__ import annotations

import base64
from collections import deque
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256
from typing import Final

import msgspec

from protocol.errors import Unfair
from protocol.fairness.entropy_chain import NO_MIX
from protocol.fairness.fact_stream import FactStream
from protocol.ids import MatchId
from protocol.proof import dice as derivation
from protocol.proof.facts import AnyFact, Begun, Bound, Drawn, Opened, Ordered, Rolled, Shuffled, Tipped
from protocol.proof.leaves import card_leaf, root_of
from protocol.scene.nodes import Dice, RollId
from protocol.text import Text, text
from protocol.wire.from_server import Proof

MOST_WAITING: Final = 256
MOST_ROLLED: Final = 4_096
"""Dice of a round that are made again here; what goes beyond is checked after the match."""


class Verdict(Enum):
    """Result of the check of a round, or of a table."""

    RUNNING = "running"
    CHECKED = "checked"
    UNPROVEN = "unproven"
    WRONG = "wrong"


@dataclass
class DiceRoundCheck:
    """Check of one round. `later`: at a strict table the entropy from a roll of this number on. `shown`: rolls that
    were seen as dice here. `word`: what two people at the table can compare aloud once it has ended; it is the same for
    both if they were told the same history."""

    round: int
    verdict: Verdict = Verdict.RUNNING
    why: Text | None = None
    entropy: derivation.RoundEntropy = NO_MIX
    later: dict[int, derivation.RoundEntropy] = field(default_factory=dict)
    rolls: list[Rolled | Ordered] = field(default_factory=list)
    cards: int = 0
    shown: set[int] = field(default_factory=set)
    word: str = ""


@dataclass
class DeckEpoch:
    """Epoch of a deck; `drawn`: places from the top that are known to be drawn."""

    epoch: int
    cards: int
    root: bytes
    drawn: int = 0


class LiveDiceCheck(FactStream):
    """Check of the chance of one match for one viewer. `key`: the host's."""

    def __init__(self, match: MatchId, key: bytes, seat: int = -1) -> None:
        super().__init__(match, key, seat)
        self.rounds: dict[int, DiceRoundCheck] = {0: DiceRoundCheck(0)}
        self._seeds: dict[int, bytes] = {}
        self._next = 0
        self._decks: dict[str, DeckEpoch] = {}
        self._waiting: deque[Dice] = deque(maxlen=MOST_WAITING)
        self.chains: list[tuple[bytes, int]] = []
        """The tips of the viewer's own seat, with the round that ran when each was logged."""
        self._digest = sha256(match.encode())

    @property
    def round(self) -> int:
        """Round that runs, 0 before the first."""
        return self.parts.round

    @property
    def commitment(self) -> bytes:
        """s_0, empty before the match is bound."""
        return self.parts.bound.commitment if self.parts.bound is not None else b""

    # The verdict

    @property
    def verdict(self) -> Verdict:
        """Verdict on the table: the worst that was found; checked when the last round that ended was."""
        found = {check.verdict for check in self.rounds.values()}
        if self.broken is not None or Verdict.WRONG in found:
            return Verdict.WRONG
        if self._is_waiting():
            return Verdict.RUNNING
        if not self.commitment or Verdict.UNPROVEN in found or self.is_full or self._is_shown_unproven():
            return Verdict.UNPROVEN
        if self.is_of_dice_1:
            return Verdict.UNPROVEN
        return Verdict.CHECKED if Verdict.CHECKED in found else Verdict.RUNNING

    @property
    def why(self) -> Text:
        """Verdict in a sentence."""
        if self.broken is not None:
            return self.broken
        bad = next((c for c in self.rounds.values() if c.verdict is Verdict.WRONG), None)
        bad = bad or next((c for c in self.rounds.values() if c.verdict is Verdict.UNPROVEN), None)
        if bad is not None and bad.why is not None:
            return bad.why
        if not self.commitment:
            return text("fair.asking" if self._is_waiting() else "fair.no_proof")
        if self.is_full:
            return text("fair.too_much")
        if self._is_shown_unproven():
            return text("fair.shown_unproven", round=self.round)
        if self.is_of_dice_1:
            return text("fair.before_dice_2")
        last = self.last_checked
        return text("fair.checked", round=last.round) if last is not None else text("fair.running", round=self.round)

    @property
    def last_checked(self) -> DiceRoundCheck | None:
        """Newest round of which all holds."""
        checked = [check for check in self.rounds.values() if check.verdict is Verdict.CHECKED and check.round]
        return checked[-1] if checked else None

    @property
    def is_of_dice_1(self) -> bool:
        """True where the match began under the scheme that bound the host to less."""
        return self.parts.bound is not None and self.parts.bound.dice == 1

    def _is_waiting(self) -> bool:
        """Tell whether the host has been asked, and has shown no dice that it must prove."""
        return self.is_asking and not self.commitment and not self._waiting

    def _is_shown_unproven(self) -> bool:
        """Tell whether dice were seen of which nothing has been told: a host that was asked may also be silent."""
        return any(not dice.hidden for dice in self._waiting)

    # Handed on by the window

    def take(self, proof: Proof) -> bool:
        is_taken = super().take(proof)
        self._match_seen()
        return is_taken

    def note_head(self, version: int, head: bytes, *, fits: bool) -> None:
        """Take the head that a receipt is for. `fits`: the host's signature is right."""
        if not fits:
            self.fail(Unfair("not_signed"))
            return
        try:
            self.parts.know(version, head)
        except Unfair as unfair:
            self.fail(unfair)

    def note_dice(self, dice: Dice) -> None:
        """Take dice that were seen in a cue."""
        if dice.faces and self.broken is None:
            self._waiting.append(dice)
            self._match_seen()

    # Facts

    def check(self, fact: AnyFact) -> None:
        if not (isinstance(fact, Drawn) and fact.private):
            self._digest.update(derivation.joined(msgspec.msgpack.encode(fact)))
        match fact:
            case Bound():
                self._seeds[0] = fact.commitment
                self.rounds[0].entropy = self.parts.entropy
            case Tipped(seat=self.seat):
                self.chains.append((fact.tip, self.round))
            case Begun():
                self._begin(fact)
            case Opened():
                self.rounds[self.round].later[self._next] = self.parts.entropy
            case Rolled() | Ordered():
                self._roll(fact)
            case Shuffled():
                self._shuffle(fact)
            case Drawn():
                self._draw(fact)
            case _:
                pass

    def fail(self, unfair: Unfair) -> None:
        super().fail(unfair)
        # nothing that follows a contradiction can be trusted
        check = self.rounds[max(self.rounds)]
        check.verdict, check.why = Verdict.WRONG, unfair.why

    def _begin(self, fact: Begun) -> None:
        ended = fact.round - 1
        self.rounds[ended].word = self._word(fact.head)
        self._match_seen()
        # facts come in order, so that all rolls up to this round are told; dice of the next may be seen before it is
        if any(not dice.hidden and dice.n >= 0 and dice.round <= ended for dice in self._waiting):
            raise Unfair("shown_missing", round=ended)
        self._end_rounds(ended, fact.seed)
        self._next = 0
        self.rounds[fact.round] = DiceRoundCheck(fact.round, entropy=self.parts.entropy)

    def _word(self, head: bytes) -> str:
        """Return eight letters and digits that follow from the signed head and from every public fact so far."""
        digest = sha256(derivation.joined(head, self._digest.digest())).digest()
        letters = base64.b32encode(digest[:5]).decode().lower()
        return f"{letters[:4]}-{letters[4:]}"

    def _roll(self, fact: Rolled | Ordered) -> None:
        if fact.round != self.round or fact.n != self._next:
            raise Unfair("roll_order", round=fact.round, n=fact.n, next=self._next)
        self._next += 1
        self.rounds[self.round].rolls.append(fact)
        self.parts.roll(RollId(fact.round, fact.n))

    def _shuffle(self, fact: Shuffled) -> None:
        known = self._decks.get(fact.deck)
        if fact.epoch != (known.epoch + 1 if known is not None else 0) or fact.round != self.round:
            raise Unfair("deck_order", deck=fact.deck)
        self._decks[fact.deck] = DeckEpoch(fact.epoch, fact.cards, fact.root)

    def _draw(self, fact: Drawn) -> None:
        deck = self._decks.get(fact.deck)
        # cards that others drew unseen lie between
        if deck is None or fact.epoch != deck.epoch or not deck.drawn <= fact.index < deck.cards:
            raise Unfair("card_order", deck=fact.deck)
        leaf = card_leaf(fact.index, fact.salt, fact.card)
        if root_of(leaf, fact.index, deck.cards, fact.path) != deck.root:
            raise Unfair("card_wrong", deck=fact.deck, index=fact.index + 1)
        deck.drawn = fact.index + 1
        self.rounds[self.round].cards += 1

    # Rounds

    def _end_rounds(self, ended: int, seed: bytes) -> None:
        """Check the round that has ended with this seed, and all before it whose seeds were withheld."""
        if not ended:
            return
        if len(seed) != 32:
            self._unproven(self.rounds[ended], text("fair.withheld", round=ended))
            return
        found = {ended: seed}
        known = max(self._seeds)
        for number in range(ended, known + 1, -1):
            found[number - 1] = derivation.seed_before(found[number], self.match, number)
        if derivation.seed_before(found[known + 1], self.match, known + 1) != self._seeds[known]:
            raise Unfair("seed_wrong", round=ended)
        self._seeds.update(found)
        for number in sorted(found):
            # the dice before the first round come from its seed
            for check in [self.rounds[n] for n in ((0, 1) if number == 1 else (number,))]:
                self._check(check, found[number])

    def _check(self, check: DiceRoundCheck, seed: bytes) -> None:
        key = derivation.round_key(seed, self.match, check.round, check.entropy)
        dice = 0
        for roll in check.rolls:
            if roll.n in check.later:
                key = derivation.round_key(seed, self.match, check.round, check.later[roll.n])
            dice += len(roll.faces if isinstance(roll, Rolled) else roll.order)
            if dice > MOST_ROLLED:
                self._unproven(check, text("fair.too_much"))
                return
            if not _follows(key, roll):
                raise Unfair("roll_wrong", round=check.round, n=roll.n + 1)
        if self.is_of_dice_1:
            self._unproven(check, text("fair.before_dice_2"))
        elif check.verdict is not Verdict.WRONG:
            check.verdict, check.why = Verdict.CHECKED, None

    def _unproven(self, check: DiceRoundCheck, why: Text) -> None:
        if check.verdict is not Verdict.WRONG:
            check.verdict, check.why = Verdict.UNPROVEN, why

    # Dice that were seen

    def _match_seen(self) -> None:
        """Put dice that were seen beside the rolls that were told."""
        if self.broken is not None:
            return
        kept = [dice for dice in self._waiting if not self._is_known(dice)]
        self._waiting.clear()
        self._waiting.extend(kept)

    def _is_known(self, dice: Dice) -> bool:
        if dice.hidden:
            return True
        if dice.n < 0 and self.parts.bound is not None and not self.is_of_dice_1:
            self.fail(Unfair("shown_unnumbered", round=self.round))
            return True
        # in dice 1 dice without a number (a restart came between the roll and its showing) are known by their faces
        for number in (dice.round,) if dice.n >= 0 else (self.round, self.round - 1):
            check = self.rounds.get(number)
            for roll in check.rolls if check is not None else ():
                same = isinstance(roll, Rolled) and (roll.sides, roll.faces) == (dice.sides, dice.faces)
                if check is not None and same and dice.n in (-1, roll.n):
                    check.shown.add(roll.n)
                    return True
                if dice.n == roll.n:
                    self.fail(Unfair("shown_other", round=dice.round, n=dice.n + 1))
                    return True
        return False


def _follows(key: bytes, roll: Rolled | Ordered) -> bool:
    try:
        if isinstance(roll, Rolled):
            return derivation.faces(key, roll.n, roll.sides, len(roll.faces)) == roll.faces
        return derivation.shuffled(key, roll.n, len(roll.order)) == roll.order
    except (ValueError, OverflowError):  # no such dice exist
        return False
