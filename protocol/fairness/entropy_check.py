"""Check of the entropy of one match, by the facts that its host tells: every call, opening and absence.

It makes the same record of chains, calls and absences as the core does, and holds every fact against it (docs/dice.md,
"Everybody checks"). It needs no socket and no clock.
"""

from __future__ import annotations

from typing import Final

from protocol.errors import Unfair
from protocol.fairness.entropy_chain import LINKS, opening_text
from protocol.fairness.entropy_record import HOLDERS, PERSON, PERSON_BYTES
from protocol.fairness.round_history import RoundHistory
from protocol.fairness.signatures import is_signed
from protocol.ids import MatchId
from protocol.proof.dice import DICE
from protocol.proof.facts import AnyFact, Begun, Bound, Called, Drawn, GivenUp, Held, Opened, Shuffled, Tipped
from protocol.proof.signed_texts import head_text

MOST_SEATS: Final = 64


class EntropyCheck(RoundHistory):
    """Check of all facts of one match that concern entropy. `key`: the host's public key (32 bytes); `call_open`: the
    newest call that is not opened yet; `heads`: every head that the host has signed, by step."""

    def __init__(self, match: MatchId, key: bytes) -> None:
        super().__init__(match)
        self.key = key
        self.bound: Bound | None = None
        self.call_open: Called | None = None
        self.heads: dict[int, bytes] = {}
        self.links: tuple[bytes, ...] = ()

    @property
    def origin(self) -> bytes:
        """H_1, the log's head after step 1; empty before the match is bound."""
        return self.bound.head if self.bound is not None else b""

    @property
    def has_parts(self) -> bool:
        """True where programs add to the dice of this match."""
        return self.bound is not None and self.bound.dice == DICE and self.bound.parts

    @property
    def entropy(self) -> bytes | tuple[bytes, ...]:
        """Entropy of the round that runs, as keys and decks take it: a_r, or under dice 1 the links."""
        if self.bound is not None and self.bound.dice == 1:
            return self.links
        return self.mix

    def take(self, fact: AnyFact) -> None:
        """Take the next fact; those that do not concern entropy change nothing. Raises Unfair."""
        match fact:
            case Bound():
                self._bind(fact)
            case Held():
                self._hold(fact)
            case Tipped():
                self._tip(fact)
            case Called():
                self._call(fact)
            case Begun():
                self._begin(fact)
            case Opened():
                self._open_deferred(fact)
            case GivenUp():
                self.give_up()
            case Shuffled():
                self.shuffle(fact.deck)
            case Drawn():
                self.draw(fact.deck)
            case _:
                pass

    def sign(self, version: int, head: bytes, signature: bytes) -> None:
        """Hold a signed head against the key and against all others of that step. Raises Unfair."""
        if not is_signed(self.key, head_text(self.match, version, head), signature):
            raise Unfair("not_signed")
        self.know(version, head)

    def know(self, version: int, head: bytes) -> None:
        """Remember the head after this step. Raises Unfair where the host has signed another one."""
        if self.heads.setdefault(version, head) != head:
            raise Unfair("two_heads", version=version)

    def _bind(self, fact: Bound) -> None:
        if fact.match != self.match or len(fact.commitment) != 32 or not 0 < fact.seats <= MOST_SEATS:
            raise Unfair("other_match")
        if fact.dice not in (1, DICE):
            raise Unfair("unknown_dice", dice=fact.dice)
        self.sign(1, fact.head, fact.signature)
        if fact.strict and not (fact.dice == DICE and fact.parts):
            raise Unfair("unknown_dice", dice=fact.dice)
        self.bound, self.is_strict = fact, fact.strict
        self.seat(fact.seats)

    def _hold(self, fact: Held) -> None:
        is_named = len(fact.person) in ((0, PERSON_BYTES) if fact.by == PERSON else (0,))
        is_known = 0 <= fact.seat < len(self.participation.holders) and fact.by in HOLDERS and is_named
        if not is_known or self.call_open is not None:
            raise Unfair("holder_wrong", seat=fact.seat + 1)
        self.hold(fact.seat, fact.by)

    def _tip(self, fact: Tipped) -> None:
        if self.bound is not None and self.bound.dice == 1:
            return
        known = self.participation
        if not self.has_parts or self.call_open is not None or known.tip_refusal(fact.seat, fact.tip, fact.key):
            raise Unfair("tip_wrong", seat=fact.seat + 1)
        self.tip(fact.seat, fact.tip, fact.key)

    def _call(self, fact: Called) -> None:
        known = self.participation
        due = known.due_deferred(fact.actor) if fact.deferred else known.due()
        is_next = fact.round == known.called + 1 and (self.is_strict or not fact.deferred)
        if not self.has_parts or self.call_open is not None or not is_next or fact.seats != due:
            raise Unfair("call_wrong", round=fact.round)
        self.sign(fact.version, fact.head, fact.signature)
        if fact.deferred:
            self.defer()
        self.call(fact.round, fact.seats)
        self.call_open = fact

    def _begin(self, fact: Begun) -> None:
        if fact.round != self.round + 1 or fact.round > LINKS:
            raise Unfair("round_order", round=fact.round, next=self.round + 1)
        self.sign(fact.version, fact.head, fact.signature)
        if self.has_parts:
            self._check_opening(fact, fact.round, is_deferred=False)
        elif self.bound is not None and self.bound.dice == DICE and (any(fact.links) or any(fact.proofs)):
            raise Unfair("opening_wrong", round=fact.round)
        self.begin(fact.round, fact.links)
        self.links, self.call_open = fact.links, None

    def _open_deferred(self, fact: Opened) -> None:
        if not self.is_strict or self.call_open is None or fact.call != self.call_open.round:
            raise Unfair("opening_wrong", round=self.round)
        self.sign(fact.version, fact.head, fact.signature)
        self._check_opening(fact, self.round, is_deferred=True)
        self.open_deferred(fact.call, fact.links)
        self.call_open = None

    def _check_opening(self, fact: Begun | Opened, round: int, *, is_deferred: bool) -> None:
        """Hold the links of a round or of a deferred step against their chains, their keys and the call. Raises
        Unfair."""
        call, known = self.call_open, self.participation
        seats = len(known.holders)
        is_its = call is not None and call.deferred == is_deferred and fact.version == call.version + 1
        if call is None or not is_its or {len(fact.links), len(fact.proofs)} != {seats}:
            raise Unfair("opening_wrong", round=round)
        for seat, (link, proof) in enumerate(zip(fact.links, fact.proofs, strict=True)):
            if not link and not proof:
                continue
            if seat not in call.seats or not known.follows(self.match, self.origin, seat, call.round, link):
                raise Unfair("link_wrong", round=round, seat=seat + 1)
            words = opening_text(self.match, call.round, call.version, call.head, link)
            if not is_signed(known.chains[seat].key, words, proof):
                raise Unfair("proof_wrong", round=round, seat=seat + 1)
