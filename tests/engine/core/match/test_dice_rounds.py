"""Rounds of dice: what the record allows of seats, tips, calls and openings."""

from __future__ import annotations

import pytest

from engine.core.match.causes import EntropyTip, RoundOpened, Void
from engine.core.match.dice_rounds import begun_of, call_of, holders_changed, tip_of
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import MatchStarted, RoundBegun, RoundCalled, SeatHeld, TipKnown
from engine.core.rules.record import Record
from protocol.fairness.entropy_chain import EntropyChain
from protocol.ids import MatchId

MATCH = MatchId("m1")

ORIGIN = b"o" * 32
CHAIN = EntropyChain(b"s" * 32, MATCH, ORIGIN)
KEY, PROOF = b"k" * 32, b"p" * 64
NO_PARTS = MatchStarted(MATCH, "haggle", 1, 2, b"", bytes(32), 2, 2).apply(Record())
BEGUN = MatchStarted(MATCH, "haggle", 1, 2, b"", bytes(32), 2, 2, parts=True).apply(Record())
HELD = SeatHeld(1, "bot").apply(SeatHeld(0, "person").apply(BEGUN))
KNOWN = TipKnown(0, CHAIN.tip, KEY).apply(HELD)
CALLED = RoundCalled(1, (0,)).apply(KNOWN)
FIRST = MatchStarted(MATCH, "haggle", 1, 2, b"", bytes(32)).apply(Record())


def test_only_seats_that_have_passed_are_told() -> None:
    assert holders_changed(BEGUN, ["person", "empty"]) == [SeatHeld(0, "person")]
    assert holders_changed(HELD, ["bot", "person"]) == [SeatHeld(0, "bot"), SeatHeld(1, "person")]


def test_another_person_in_a_seat_is_told_by_their_id_and_keeps_the_chain() -> None:
    ann, ben = b"a" * 16, b"b" * 16
    [held] = holders_changed(KNOWN, ["person", "bot"], [ann, b""])
    assert held == SeatHeld(0, "person", ann)
    named = held.apply(KNOWN)
    assert named.people == {0: ann}
    [other] = holders_changed(named, ["person", "bot"], [ben, b""])
    assert other.apply(named).participation.chains == KNOWN.participation.chains
    assert SeatHeld(0, "bot").apply(named).people == {}
    with pytest.raises(IllegalIntent, match="seats/unchanged"):
        holders_changed(named, ["person", "bot"], [ann, b""])


@pytest.mark.parametrize("people", [[b"", b"b" * 16], [b"short", b""]])
def test_an_id_that_is_no_persons_is_refused(people: list[bytes]) -> None:
    with pytest.raises(IllegalIntent, match="seats/no-person"):
        holders_changed(HELD, ["person", "bot"], people)


@pytest.mark.parametrize("holders", [["person", "bot"], ["person"], ["person", "bot", "bot"], ["person", "ghost"]])
def test_holders_that_are_none_or_the_same_are_refused(holders: list[str]) -> None:
    with pytest.raises(IllegalIntent, match="seats/unchanged"):
        holders_changed(HELD, holders)


def test_a_persons_new_tip_is_told() -> None:
    assert tip_of(HELD, EntropyTip(0, CHAIN.tip, KEY)) == TipKnown(0, CHAIN.tip, KEY)
    assert tip_of(FIRST, EntropyTip(1, b"any")) == TipKnown(1, b"any")


@pytest.mark.parametrize(
    ("record", "tip", "code"),
    [
        (HELD, EntropyTip(1, CHAIN.tip, KEY), "entropy/no-person"),
        (HELD, EntropyTip(2, CHAIN.tip, KEY), "entropy/no-person"),
        (HELD, EntropyTip(0, b"short", KEY), "entropy/known"),
        (KNOWN, EntropyTip(0, CHAIN.tip, b"q" * 32), "entropy/known"),
        (NO_PARTS, EntropyTip(0, CHAIN.tip, KEY), "entropy/none"),
    ],
)
def test_another_tip_is_refused(record: Record, tip: EntropyTip, code: str) -> None:
    with pytest.raises(IllegalIntent, match=code):
        tip_of(record, tip)


def test_a_call_names_the_next_round_and_the_seats_that_are_due() -> None:
    assert call_of(KNOWN, is_wanted=True) == RoundCalled(1, (0,))
    assert call_of(BEGUN, is_wanted=True) == RoundCalled(1, ())


@pytest.mark.parametrize(("record", "is_wanted"), [(KNOWN, False), (NO_PARTS, True)])
def test_a_call_that_nobody_wants_is_refused(record: Record, *, is_wanted: bool) -> None:
    with pytest.raises(IllegalIntent, match="round/not-wanted"):
        call_of(record, is_wanted=is_wanted)


@pytest.mark.parametrize("cause", [RoundOpened, lambda *parts: Void("e-1", *parts)], ids=["opened", "spent"])
def test_a_round_begins_with_the_parts_that_were_called(cause: type[RoundOpened]) -> None:
    links, proofs = (CHAIN.link(1), b""), (PROOF, b"")
    assert begun_of(CALLED, ORIGIN, cause(links, proofs), b"seed") == RoundBegun(1, links, b"seed", proofs)
    nobody = (b"", b"")
    assert begun_of(CALLED, ORIGIN, cause(nobody, nobody), b"") == RoundBegun(1, nobody, b"", nobody)


def test_a_round_without_parts_begins_at_once() -> None:
    assert begun_of(NO_PARTS, ORIGIN, RoundOpened(), b"seed") == RoundBegun(1, (), b"seed")
    assert begun_of(FIRST, ORIGIN, RoundOpened((b"any", b"")), b"").links == (b"any", b"")


@pytest.mark.parametrize(
    ("record", "links", "proofs", "code"),
    [
        (KNOWN, (b"", b""), (b"", b""), "round/not-called"),
        (CALLED, (), (), "entropy/wrong"),
        (CALLED, (CHAIN.link(1), b"", b""), (PROOF, b"", b""), "entropy/wrong"),
        (CALLED, (CHAIN.link(1), b""), (b"", b""), "entropy/wrong"),
        (CALLED, (b"", b""), (PROOF, b""), "entropy/wrong"),
        (CALLED, (CHAIN.link(2), b""), (PROOF, b""), "entropy/wrong"),
        (CALLED, (b"", CHAIN.link(1)), (b"", PROOF), "entropy/wrong"),
        (RoundCalled(1, ()).apply(KNOWN), (CHAIN.link(1), b""), (PROOF, b""), "entropy/wrong"),
        (NO_PARTS, (CHAIN.link(1), b""), (), "entropy/wrong"),
        (NO_PARTS, (), (PROOF,), "entropy/wrong"),
    ],
)
def test_parts_that_nobody_has_to_give_are_refused(
    record: Record, links: tuple[bytes, ...], proofs: tuple[bytes, ...], code: str
) -> None:
    with pytest.raises(IllegalIntent, match=code):
        begun_of(record, ORIGIN, RoundOpened(links, proofs), b"")


def test_a_link_is_checked_with_the_beginning_of_its_match() -> None:
    with pytest.raises(IllegalIntent, match="entropy/wrong"):
        begun_of(CALLED, b"x" * 32, RoundOpened((CHAIN.link(1), b""), (PROOF, b"")), b"")
