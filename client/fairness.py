"""The live check of chance at one table, round by round, from the facts that the host tells (protocol/proofs.py).

The host is bound to s_0 when the match begins, and to the root of each deck before its first card. Each seed that it
tells at a round's end must lead back to s_0; with it and the links of the round every open roll of that round is made
again, and compared with what the host recorded and with the dice that were shown. What a late joiner did not see he
checks from the facts alone. Hidden rolls are checked after the match (client/verify.py).

Needs no window and no clock. A verdict never gets better by what a host says later, except "unproven" by its proof.
"""

from __future__ import annotations

import base64
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from protocol import dice as derivation
from protocol.from_server import Proof
from protocol.leaves import card_leaf, root_of
from protocol.links import before
from protocol.proofs import AnyFact, Begun, Bound, Drawn, Ordered, Rolled, Shuffled, Tipped, head_text
from protocol.scene import Dice
from protocol.text import Text, text

MOST_FACTS: Final = 50_000
MOST_WAITING: Final = 256
MOST_ROLLED: Final = 4_096
"""Dice of a round that are made again here; what goes beyond is checked after the match."""


class Verdict(Enum):
    """How it stands with a round, or with the table."""

    RUNNING = "running"
    CHECKED = "checked"
    UNPROVEN = "unproven"
    WRONG = "wrong"


@dataclass
class RoundCheck:
    """What is known of a round. `shown`: rolls that were seen as dice here. `word`: what two people at the table can
    compare aloud once it has ended; it is the same for both if they were told the same history."""

    round: int
    verdict: Verdict = Verdict.RUNNING
    why: Text | None = None
    links: tuple[bytes, ...] = ()
    rolls: list[Rolled | Ordered] = field(default_factory=list)
    cards: int = 0
    shown: set[int] = field(default_factory=set)
    word: str = ""


@dataclass
class Deck:
    """An epoch of a deck; `drawn`: places from the top that are known to be drawn."""

    epoch: int
    cards: int
    root: bytes
    drawn: int = 0


class NotFair(Exception):
    """A fact contradicts another, or what was seen. `why` says so in plain words."""

    def __init__(self, key: str, **arguments: int | str) -> None:
        super().__init__(key)
        self.why = text(f"fair.{key}", **arguments)


class Fairness:
    """Follows the facts of one match for one viewer. `key`: the host's; `owns` tells links of one's own program.

    `count` are the facts taken so far: ask for those that follow.
    """

    def __init__(
        self, match: str, key: bytes, seat: int = -1, owns: Callable[[bytes], bool] = lambda link: False
    ) -> None:
        self.match = match
        self.seat = seat
        self.count = 0
        self.is_live = False
        self.is_asking = False
        self.rounds: dict[int, RoundCheck] = {0: RoundCheck(0)}
        self.round = 0
        self.commitment = b""
        self.broken: Text | None = None
        self._key = key
        self._owns = owns
        self._heads: dict[int, bytes] = {}
        self._seeds: dict[int, bytes] = {}
        self._tips: dict[int, bytes] = {}
        self._next = 0
        self._decks: dict[str, Deck] = {}
        self._live_from = 0
        self._waiting: deque[Dice] = deque(maxlen=MOST_WAITING)
        self._opened: dict[int, tuple[bytes, dict[int, bytes] | None]] = {}
        self._digest = sha256(match.encode())

    # How it stands

    @property
    def verdict(self) -> Verdict:
        """Of the table: the worst that was found; checked when the last round that ended was."""
        found = {check.verdict for check in self.rounds.values()}
        if self.broken is not None or Verdict.WRONG in found:
            return Verdict.WRONG
        if self._is_waiting():
            return Verdict.RUNNING
        if not self.commitment or Verdict.UNPROVEN in found or self._is_shown_unproven():
            return Verdict.UNPROVEN
        return Verdict.CHECKED if Verdict.CHECKED in found else Verdict.RUNNING

    @property
    def why(self) -> Text:
        """The verdict in a sentence."""
        if self.broken is not None:
            return self.broken
        bad = next((c for c in self.rounds.values() if c.verdict is Verdict.WRONG), None)
        bad = bad or next((c for c in self.rounds.values() if c.verdict is Verdict.UNPROVEN), None)
        if bad is not None and bad.why is not None:
            return bad.why
        if not self.commitment:
            return text("fair.asking" if self._is_waiting() else "fair.no_proof")
        if self._is_shown_unproven():
            return text("fair.shown_unproven", round=self.round)
        last = self.last_checked
        return text("fair.checked", round=last.round) if last is not None else text("fair.running", round=self.round)

    @property
    def last_checked(self) -> RoundCheck | None:
        """The newest round of which all holds."""
        checked = [check for check in self.rounds.values() if check.verdict is Verdict.CHECKED and check.round]
        return checked[-1] if checked else None

    def _is_waiting(self) -> bool:
        """The host has been asked, and has shown no dice that it must prove."""
        return self.is_asking and not self.commitment and not self._waiting

    def _is_shown_unproven(self) -> bool:
        """Dice were seen of which nothing has been told although all facts so far are here."""
        return self.is_live and any(not dice.hidden for dice in self._waiting)

    # What is heard

    def take(self, proof: Proof) -> bool:
        """Take facts. False where some before them are missing: ask again for those after `count`."""
        self.is_asking = self.is_asking and proof.more
        if proof.first > self.count:
            return False
        if not proof.facts and not proof.more and proof.first < self.count:
            # asked from where one was, a host that has less has lost, or changed, what it told
            self._break(NotFair("shorter", facts=self.count - proof.first))
        for fact in proof.facts[self.count - proof.first :]:
            self.count += 1
            if self.broken is None:
                self._take(fact)
        if not self.is_live and not proof.more:
            self.is_live, self._live_from = True, self.round
        self._match_shown()
        return True

    def signed(self, version: int, head: bytes, fits: bool) -> None:
        """A receipt has come for this head. `fits`: the host's signature is right."""
        if not fits:
            self._break(NotFair("not_signed"))
        elif self._heads.setdefault(version, head) != head:
            self._break(NotFair("two_heads", version=version))

    def accuse(self, key: str) -> None:
        """Something else than chance shows that the host contradicts itself."""
        self._break(NotFair(key))

    def lost(self) -> None:
        """The link is down: what comes next is told anew from `count` on."""
        self.is_live = self.is_asking = False

    def shown(self, dice: Dice) -> None:
        """These dice were seen in a cue."""
        if dice.faces and self.broken is None:
            self._waiting.append(dice)
            self._match_shown()

    def opened(self, round: int, link: bytes) -> None:
        """One's own program has opened this link for a round that is about to begin."""
        self._opened[round] = link, dict(self._tips) if self.is_live else None

    # Facts

    def _take(self, fact: AnyFact) -> None:
        try:
            if self.count > MOST_FACTS:
                self._unproven(self.rounds[self.round], text("fair.too_much"))
                return
            if isinstance(fact, Bound) != (self.count == 1):
                raise NotFair("no_beginning")
            if not (isinstance(fact, Drawn) and fact.private):
                self._digest.update(derivation.joined(msgspec.msgpack.encode(fact)))
            match fact:
                case Bound():
                    self._bind(fact)
                case Tipped():
                    self._tips[fact.seat] = fact.tip
                case Begun():
                    self._begin(fact)
                case Rolled() | Ordered():
                    self._roll(fact)
                case Shuffled():
                    self._shuffle(fact)
                case Drawn():
                    self._draw(fact)
        except NotFair as unfair:
            self._break(unfair)

    def _break(self, unfair: NotFair) -> None:
        """What is told contradicts itself: nothing that follows can be trusted."""
        self.broken = unfair.why
        check = self.rounds[self.round]
        check.verdict, check.why = Verdict.WRONG, unfair.why

    def _bind(self, fact: Bound) -> None:
        if fact.match != self.match or len(fact.commitment) != 32:
            raise NotFair("other_match")
        self._sign(1, fact.head, fact.signature)
        self.commitment = self._seeds[0] = fact.commitment

    def _sign(self, version: int, head: bytes, signature: bytes) -> None:
        if not is_signed(self._key, head_text(self.match, version, head), signature):
            raise NotFair("not_signed")
        if self._heads.setdefault(version, head) != head:
            raise NotFair("two_heads", version=version)

    def _begin(self, fact: Begun) -> None:
        if fact.round != self.round + 1:
            raise NotFair("round_order", round=fact.round, next=self.round + 1)
        self._sign(fact.version, fact.head, fact.signature)
        self.rounds[self.round].word = self._word(fact.head)
        self._match_shown()
        if self.is_live and any(not dice.hidden and dice.n >= 0 for dice in self._waiting):
            raise NotFair("shown_missing", round=self.round)
        self._end_rounds(fact.seed)
        self.round, self._next = fact.round, 0
        self.rounds[self.round] = check = RoundCheck(self.round, links=fact.links)
        self._follow_links(fact, check)

    def _word(self, head: bytes) -> str:
        """Eight letters and digits that follow from the signed head and from every public fact so far."""
        digest = sha256(derivation.joined(head, self._digest.digest())).digest()
        letters = base64.b32encode(digest[:5]).decode().lower()
        return f"{letters[:4]}-{letters[4:]}"

    def _follow_links(self, fact: Begun, check: RoundCheck) -> None:
        """Each link must follow the seat's last one; one's own must be the one that was opened here."""
        mine, known_then = self._opened.pop(fact.round, (b"", None))
        for seat, link in enumerate(fact.links):
            if link and before(self.match, link) != self._tips.get(seat):
                raise NotFair("link_wrong", round=fact.round, seat=seat + 1)
            if link and seat != self.seat and known_then is not None and known_then.get(seat) != self._tips.get(seat):
                raise NotFair("tip_late", round=fact.round, seat=seat + 1)
            self._tips[seat] = link or self._tips.get(seat, b"")
        told = fact.links[self.seat] if 0 <= self.seat < len(fact.links) else b""
        # another device of the same person may have spoken for the round that was being opened as this one came
        is_mine = told == mine if mine else self._owns(told) or not self.is_live or fact.round <= self._live_from + 1
        if told and not is_mine:
            raise NotFair("link_replaced", round=fact.round)
        if mine and not told:
            check.why = text("fair.left_out", round=fact.round)

    def _roll(self, fact: Rolled | Ordered) -> None:
        if fact.round != self.round or fact.n != self._next:
            raise NotFair("roll_order", round=fact.round, n=fact.n, next=self._next)
        self._next += 1
        self.rounds[self.round].rolls.append(fact)

    def _shuffle(self, fact: Shuffled) -> None:
        known = self._decks.get(fact.deck)
        if fact.epoch != (known.epoch + 1 if known is not None else 0) or fact.round != self.round:
            raise NotFair("deck_order", deck=fact.deck)
        self._decks[fact.deck] = Deck(fact.epoch, fact.cards, fact.root)

    def _draw(self, fact: Drawn) -> None:
        deck = self._decks.get(fact.deck)
        # cards that others drew unseen lie between
        if deck is None or fact.epoch != deck.epoch or not deck.drawn <= fact.index < deck.cards:
            raise NotFair("card_order", deck=fact.deck)
        leaf = card_leaf(fact.index, fact.salt, fact.card)
        if root_of(leaf, fact.index, deck.cards, fact.path) != deck.root:
            raise NotFair("card_wrong", deck=fact.deck, index=fact.index + 1)
        deck.drawn = fact.index + 1
        self.rounds[self.round].cards += 1

    # Rounds

    def _end_rounds(self, seed: bytes) -> None:
        """A round has ended with this seed: it, and all before it whose seeds were withheld, can be checked now."""
        ended = self.round
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
            raise NotFair("seed_wrong", round=ended)
        self._seeds.update(found)
        for number in sorted(found):
            # the dice before the first round come from its seed
            for check in [self.rounds[n] for n in ((0, 1) if number == 1 else (number,))]:
                self._check(check, found[number])

    def _check(self, check: RoundCheck, seed: bytes) -> None:
        key = derivation.round_key(seed, self.match, check.round, check.links)
        dice = 0
        for roll in check.rolls:
            dice += len(roll.faces if isinstance(roll, Rolled) else roll.order)
            if dice > MOST_ROLLED:
                self._unproven(check, text("fair.too_much"))
                return
            if not _follows(key, roll):
                raise NotFair("roll_wrong", round=check.round, n=roll.n + 1)
        if check.why is not None and check.why.k == "fair.left_out":
            check.verdict = Verdict.UNPROVEN
        elif check.verdict is not Verdict.WRONG:
            check.verdict, check.why = Verdict.CHECKED, None

    def _unproven(self, check: RoundCheck, why: Text) -> None:
        if check.verdict is not Verdict.WRONG:
            check.verdict, check.why = Verdict.UNPROVEN, why

    # Dice that were seen

    def _match_shown(self) -> None:
        """Put dice that were seen beside the rolls that were told."""
        if self.broken is not None:
            return
        kept = [dice for dice in self._waiting if not self._is_known(dice)]
        self._waiting.clear()
        self._waiting.extend(kept)

    def _is_known(self, dice: Dice) -> bool:
        if dice.hidden:
            return True
        # dice without a number (a restart came between the roll and its showing) are known by their faces
        for number in (dice.round,) if dice.n >= 0 else (self.round, self.round - 1):
            check = self.rounds.get(number)
            for roll in check.rolls if check is not None else ():
                same = isinstance(roll, Rolled) and (roll.sides, roll.faces) == (dice.sides, dice.faces)
                if check is not None and same and dice.n in (-1, roll.n):
                    check.shown.add(roll.n)
                    return True
                if dice.n == roll.n:
                    self._break(NotFair("shown_other", round=dice.round, n=dice.n + 1))
                    return True
        return False


def _follows(key: bytes, roll: Rolled | Ordered) -> bool:
    try:
        if isinstance(roll, Rolled):
            return derivation.faces(key, roll.n, roll.sides, len(roll.faces)) == roll.faces
        return derivation.shuffled(key, roll.n, len(roll.order)) == roll.order
    except (ValueError, OverflowError):  # no such dice exist
        return False


def is_signed(key: bytes, words: bytes, signature: bytes) -> bool:
    """Whether this is the signature (Ed25519, RFC 8032) of these bytes by this key."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, words)
    except (InvalidSignature, ValueError):
        return False
    return True
