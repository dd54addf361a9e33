"""Rounds of one match with the parts that went into each, as its record tells them; nothing is checked here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from protocol.fairness.entropy_chain import NO_MIX, mixed
from protocol.fairness.entropy_record import BOT, EMPTY, EntropyRecord
from protocol.fairness.round_parts import DeferralParts, Presence, RoundParts
from protocol.ids import MatchId
from protocol.scene.nodes import RollId


def _first() -> dict[int, RoundParts]:
    return {0: RoundParts(0, (), NO_MIX)}


@dataclass
class RoundHistory:
    """Rounds and entropy record of a match up to now. `rounds` begins with round 0, the time before the first round."""

    match: MatchId
    round: int = 0
    participation: EntropyRecord = field(default_factory=lambda: EntropyRecord(()))
    rounds: dict[int, RoundParts] = field(default_factory=_first)
    _ended: set[int] = field(default_factory=set)
    """The seats whose chains ended since the round that runs was opened."""
    _decks: dict[str, int] = field(default_factory=dict)
    """The round in which each deck was shuffled last."""
    mix: bytes = NO_MIX
    """That of all parts so far."""
    is_strict: bool = False
    """True where each step that rolls has a call of its own, and numbers of chains count calls."""
    _strict: dict[RollId, bool] = field(default_factory=dict)
    """At a strict table, by roll: a program that was called for it has added to it."""
    _is_added_to: bool = False
    """True where a program gave its part at the last call."""

    def seat(self, seats: int) -> None:
        """Begin a match of so many seats."""
        self.participation = EntropyRecord((EMPTY,) * seats)

    def hold(self, seat: int, holder: str) -> None:
        """Note that a seat has passed to a holder."""
        self._move_on(self.participation.with_holder(seat, holder))

    def tip(self, seat: int, tip: bytes, key: bytes) -> None:
        """Note the tip of a seat's chain."""
        self._move_on(self.participation.with_tip(seat, tip, key))

    def _move_on(self, known: EntropyRecord) -> None:
        """Take the record as it is after a tip or a new holder; note the chains that have ended with it."""
        before = self.participation.chains
        self._ended |= {seat for seat, chain in before.items() if known.chains.get(seat) != chain}
        self.participation = known

    def defer(self) -> None:
        """Note that a step is deferred: the call that follows is its own."""
        self.participation = self.participation.with_deferral()

    def call(self, number: int, seats: tuple[int, ...]) -> None:
        """Note the call of a round, or of a deferred step."""
        self.participation = self.participation.with_call(number, seats)

    def open_deferred(self, call: int, links: Sequence[bytes]) -> None:
        """Note that these parts were opened for a deferred step."""
        missing = tuple(seat for seat in self.participation.call or () if not links[seat])
        self.rounds[self.round].deferrals.append(DeferralParts(missing, self._counted(links)))
        self._mix(call, links)
        self.participation = self.participation.with_round(call, links)

    def _mix(self, call: int, links: Sequence[bytes]) -> None:
        self.mix, self._is_added_to = mixed(self.mix, self.match, call, links), any(links)

    def begin(self, round: int, links: Sequence[bytes]) -> None:
        """Note that a round begins with these links: one for each seat, or none where the table runs without parts."""
        links = links or (b"",) * len(self.participation.holders)
        before = self.rounds[self.round]
        call = self.participation.called if self.is_strict else round
        self._mix(call, links)
        presence, counted = self._presence(round, links), self._counted(links)
        ended = tuple(sorted(self._ended))
        voids_before = before.voids_in_a_row()
        self.rounds[round] = RoundParts(round, presence, self.mix, counted, ended, voids_before, call=call)
        self.participation = self.participation.with_round(call, links)
        self.round, self._ended = round, set()

    def roll(self, roll: RollId) -> None:
        """Note that dice were rolled, or an order made."""
        if self.is_strict:
            self._strict[roll] = self._is_added_to

    def strictness(self, roll: RollId) -> bool | None:
        """Tell whether a roll of a strict table is strict: nobody, the host too, could know it before its cause was
        fixed. None at other tables, and for a roll that is not known."""
        return self._strict.get(roll)

    def shuffle(self, deck: str) -> None:
        """Note that a deck was shuffled, in the round that runs."""
        self._decks[deck] = self.round

    def draw(self, deck: str) -> None:
        """Note that a card was drawn from a deck."""
        shuffled = self._decks.get(deck, self.round)
        if shuffled != self.round:
            self.rounds[self.round].decks.add(shuffled)

    def give_up(self) -> None:
        """Note that an act was given up."""
        self.rounds[self.round].voids += 1

    def _counted(self, links: Sequence[bytes]) -> dict[int, tuple[bytes, int]]:
        chains = self.participation.chains
        given = [seat for seat, link in enumerate(links) if link and seat in chains]
        return {seat: (chains[seat].tip, chains[seat].since) for seat in given}

    def _presence(self, round: int, links: Sequence[bytes]) -> tuple[Presence, ...]:
        known = self.participation
        called = known.call or ()

        def one(seat: int, holder: str) -> Presence:
            if seat in called:
                return Presence.IN if seat < len(links) and links[seat] else Presence.MISSING
            if holder == BOT:
                return Presence.BOT
            return Presence.OUT if known.is_out(seat, round) else Presence.NONE

        return tuple(one(seat, holder) for seat, holder in enumerate(known.holders))


def round_history(match: MatchId, steps: Iterable[bytes]) -> RoundHistory:
    """Return the history that the stored steps of a match of dice 2 tell (docs/dice.md); of one of dice 1 it has no
    parts. Raises MsgspecError, LookupError, TypeError or ValueError for what is no such record."""
    history = RoundHistory(match)
    for data in steps:
        for entry in msgspec.msgpack.decode(data)[2]:
            _note(history, entry)
    return history


def _note(history: RoundHistory, entry: dict[str, Any]) -> None:
    match entry["e"]:
        case "core.started":
            history.seat(entry["seats"])
            history.is_strict = entry.get("strict", False)
        case "core.seat":
            history.hold(entry["seat"], entry["by"])
        case "core.tip" if entry.get("key"):
            history.tip(entry["seat"], entry["tip"], entry["key"])
        case "core.call":
            history.call(entry["round"], tuple(entry["seats"]))
        case "core.deferred":
            history.defer()
        case "core.opened":
            history.open_deferred(entry["call"], entry["links"])
        case "core.round":
            history.begin(entry["round"], entry.get("links", ()))
        case "core.dice" | "core.order":
            history.roll(RollId(entry["round"], entry["n"], bool(entry.get("to", {}).get("seats"))))
        case "core.voided":
            history.give_up()
        case "core.deck":
            history.shuffle(entry["deck"])
        case "core.card":
            history.draw(entry["deck"])
        case _:
            pass
