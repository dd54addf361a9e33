"""Seats called to each round: the record kept up step by step, against one that is worked out from scratch."""

from __future__ import annotations

from hashlib import sha256
from typing import Final, NamedTuple

import pytest
from hypothesis import given, strategies as st

from protocol.fairness.entropy_chain import LINKS, EntropyChain
from protocol.fairness.entropy_record import BOT, EMPTY, PERSON, Absence, EntropyRecord
from protocol.ids import MatchId

MATCH = MatchId("m")

SEATS: Final = 3


class Held(NamedTuple):
    seat: int
    by: str


class Tipped(NamedTuple):
    seat: int
    number: int


class Opened(NamedTuple):
    """Round with those who give a part where they are called."""

    givers: frozenset[int]


Event = Held | Tipped | Opened


def tip(number: int) -> bytes:
    return sha256(b"tip %d" % number).digest()


def key(number: int) -> bytes:
    return sha256(b"key %d" % number).digest()


class Reference:
    """Record by docs/dice.md, "Entropy", read from the top for every question; nothing is remembered but what has
    happened."""

    def __init__(self) -> None:
        self.past: list[Event] = []

    def holder(self, seat: int, past: list[Event] | None = None) -> str:
        """Return the holder of a seat; before the first `core.seat` all seats are empty."""
        events = self.past if past is None else past
        return next((e.by for e in reversed(events) if isinstance(e, Held) and e.seat == seat), EMPTY)

    def may_tip(self, event: Tipped) -> bool:
        """Return True for a seat held by a person, and a tip and key that the match has not had."""
        had = {e.number for e in self.past if isinstance(e, Tipped)}
        return self.holder(event.seat) == PERSON and event.number not in had

    def chain_at(self, seat: int, end: int) -> int | None:
        """Return the place of the tip of the seat's chain after `end` events; a bot or nobody in the seat has ended
        it."""
        for place in range(end - 1, -1, -1):
            event = self.past[place]
            if isinstance(event, Held) and event.seat == seat and event.by != PERSON:
                return None
            if isinstance(event, Tipped) and event.seat == seat:
                return place
        return None

    def rounds_before(self, place: int) -> int:
        return sum(isinstance(event, Opened) for event in self.past[:place])

    def absences(self, seat: int, end: int) -> list[int]:
        """Return the rounds after which the seat was absent: called without a part, or its chain ended."""
        found = []
        for place, event in enumerate(self.past[:end]):
            has_chain = self.chain_at(seat, place) is not None
            if isinstance(event, Opened):
                if seat in self.called(place) and seat not in event.givers:
                    found.append(self.rounds_before(place) + 1)
            elif event.seat == seat and has_chain and not (isinstance(event, Held) and event.by == PERSON):
                found.append(self.rounds_before(place))
        return found

    def called(self, place: int) -> tuple[int, ...]:
        """Return the seats that the call names which stands right before the opening at this place."""
        round = self.rounds_before(place) + 1
        openings = [n for n, event in enumerate(self.past[:place]) if isinstance(event, Opened)]
        # "before the call of the round before (for round 1: before its own call)"
        deadline = openings[-1] if openings else place
        found = []
        for seat in range(SEATS):
            begun = self.chain_at(seat, place)
            out = [
                round_of + 1 <= round <= round_of + 2**number
                for number, round_of in enumerate(self.absences(seat, place))
            ]
            if begun is not None and begun < deadline and not any(out):
                found.append(seat)
        return tuple(found)


events = st.lists(
    st.one_of(
        st.builds(Held, st.integers(0, SEATS - 1), st.sampled_from([PERSON, PERSON, BOT, EMPTY])),
        st.builds(Tipped, st.integers(0, SEATS - 1), st.integers(0, 12)),
        st.builds(Opened, st.frozensets(st.integers(0, SEATS - 1))),
    ),
    max_size=25,
)


@given(events)
def test_who_is_called_follows_from_the_record_alone(happening: list[Event]) -> None:
    known, reference = EntropyRecord((EMPTY,) * SEATS), Reference()
    for seat in range(SEATS):
        known = known.with_holder(seat, PERSON)
        reference.past.append(Held(seat, PERSON))
    for event in happening:
        match event:
            case Held(seat, by):
                known = known.with_holder(seat, by)
            case Tipped(seat, number):
                is_refused = bool(known.tip_refusal(seat, tip(number), key(number)))
                assert is_refused != reference.may_tip(event)
                if is_refused:
                    continue
                known = known.with_tip(seat, tip(number), key(number))
            case Opened(givers):
                due = known.due()
                assert due == reference.called(len(reference.past))
                round = known.called + 1
                links = [b"link" if seat in givers and seat in due else b"" for seat in range(SEATS)]
                known = known.with_call(round, due).with_round(round, links)
        reference.past.append(event)
        assert known.holders == tuple(reference.holder(seat) for seat in range(SEATS))
        assert known.due() == reference.called(len(reference.past))
        for seat in range(SEATS):
            absences = reference.absences(seat, len(reference.past))
            assert known.absences.get(seat, Absence(0, 0)).times == len(absences)


def with_chain(round: int = 0) -> tuple[EntropyRecord, EntropyChain]:
    chain = EntropyChain(bytes(32), MATCH, b"o" * 32)
    known = EntropyRecord((PERSON, PERSON)).with_tip(0, chain.tip, key(0))
    for r in range(1, round + 1):
        known = known.with_call(r, known.due()).with_round(r, (chain.link(r) if 0 in known.due() else b"", b""))
    return known, chain


@pytest.mark.parametrize("given", [0, 1, 4])
def test_only_the_link_of_the_round_follows(given: int) -> None:
    known, chain = with_chain(given)
    for round in range(given + 1, given + 4):
        fits = [r for r in range(1, 9) if known.follows(MATCH, b"o" * 32, 0, round, chain.link(r))]
        assert fits == [round]
    assert not known.follows(MATCH, b"o" * 32, 1, given + 1, chain.link(given + 1))


@pytest.mark.parametrize(
    ("seat", "tip_bytes", "key_bytes", "code"),
    [
        (1, 32, 32, "entropy/no-person"),
        (2, 32, 32, "entropy/no-person"),
        (3, 32, 32, "entropy/no-person"),
        (-1, 32, 32, "entropy/no-person"),
        (0, 31, 32, "entropy/known"),
        (0, 32, 33, "entropy/known"),
        (0, 32, 0, "entropy/known"),
        (0, 32, 32, ""),
    ],
)
def test_tips_are_for_persons_and_of_their_size(seat: int, tip_bytes: int, key_bytes: int, code: str) -> None:
    known = EntropyRecord((PERSON, BOT, EMPTY))
    assert known.tip_refusal(seat, b"t" * tip_bytes, b"k" * key_bytes) == code


def test_neither_tip_nor_key_comes_twice_whoever_s_it_was() -> None:
    known = EntropyRecord((PERSON, PERSON)).with_tip(0, tip(0), key(0)).with_holder(0, BOT)
    for other in ((tip(0), key(1)), (tip(1), key(0)), (key(0), key(1)), (tip(1), tip(0))):
        assert known.tip_refusal(1, *other) == "entropy/known"
    assert known.tip_refusal(1, tip(1), key(1)) == ""


def test_a_seat_that_is_absent_again_and_again_sits_out_twice_as_long_each_time() -> None:
    known, _ = with_chain()
    absent = []
    for round in range(1, 201):
        due = known.due()
        absent += [round] * (0 in due)
        known = known.with_call(round, due).with_round(round, (b"", b""))
    assert absent == [1, 3, 6, 11, 20, 37, 70, 135]


def test_a_chain_that_ends_before_any_round_costs_the_first_one() -> None:
    known, _ = with_chain()
    again = known.with_tip(0, tip(1), key(1))
    assert (known.due(), again.due()) == ((0,), ())
    assert again.with_call(1, ()).with_round(1, (b"", b"")).due() == (0,)


def test_nobody_is_called_when_the_chains_are_at_their_end() -> None:
    known, _ = with_chain()
    assert known.with_call(LINKS - 1, ()).due() == (0,)
    assert known.with_call(LINKS, ()).due() == ()


def test_a_person_who_follows_a_person_keeps_the_seat_s_chain() -> None:
    known, _ = with_chain()
    assert known.with_holder(0, PERSON).due() == (0,)
    for holder in (BOT, EMPTY):
        ended = known.with_holder(0, holder)
        assert (ended.due(), ended.chains, ended.absences[0]) == ((), {}, Absence(1, 1))
