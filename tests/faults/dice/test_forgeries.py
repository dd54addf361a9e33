"""Test 41: honest matches hold; every flipped bit and every forgery is found, whatever hashes the forger repairs."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from client.fairness import verify
from protocol.fairness.replay import Replay, read
from protocol.ids import MatchId
from protocol.limits import Limits
from tests.support.clients.dice.contributing import Contributed, Program
from tests.support.fairness.sealing import heads_of, packed, sealed
from tests.support.fairness.signing import HOST
from tests.support.faults.hostile import parts_forger as parts
from tests.support.faults.hostile.forger import FORGER, FORGERIES, Forgery, Log, forged, renumbered
from tests.support.systems.haggle import Act, Buy


@cache
def honest() -> Replay:
    """Programs of two seats add to the dice of the third's bot, too."""
    played = Contributed()
    for act in ("gamble", "draw", "hidden_roll", "order", "draw", "gamble"):
        played.act(0, Act(act))
    played.chain(missing=(2,))
    played.act(0, Buy("bread"))
    return played.replay()


def refusal(data: bytes, key: bytes = HOST.public) -> str:
    with pytest.raises(verify.VerificationFailed) as caught:
        verify.check(data, key)
    return str(caught.value)


def test_the_honest_match_holds() -> None:
    report = verify.check(sealed(honest()), HOST.public)
    assert report[0].startswith("Everything holds")
    assert HOST.public.hex() in report[1]


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_whatever_a_forger_repairs_he_is_found(forge: Forgery) -> None:
    """With a key of his own he is another host than the one known; with the host's signatures they do not fit."""
    for signed, data in forged(honest(), forge):
        refusal(data)
        if signed == "own key":
            assert refusal(data) == "The file was signed by another host than the one you know."


CHANCE = ("changed_face", "swapped_card", "dropped_event", "repeated_event", "other_link", "other_root")


@pytest.mark.parametrize("forge", [f for f in FORGERIES if f.__name__ in CHANCE], ids=lambda forge: forge.__name__)
def test_what_concerns_chance_is_found_even_where_the_host_is_not_known(forge: Forgery) -> None:
    """The host himself, with his key, cannot do these either."""
    own = dict(forged(honest(), forge))["own key"]
    assert "Step" in refusal(own, b"")


def flips(count: int) -> None:
    good = sealed(honest())
    chance = random.Random(41)
    for _ in range(count):
        bit = chance.randrange(len(good) * 8)
        data = bytearray(good)
        data[bit // 8] ^= 1 << bit % 8
        refusal(bytes(data))


def test_a_flipped_bit_is_found() -> None:
    flips(200)


@pytest.mark.long("flips")
def test_ten_thousand_flipped_bits_are_found() -> None:
    flips(10_000)


@pytest.mark.parametrize("forge", [None, *FORGERIES], ids=lambda forge: getattr(forge, "__name__", "honest"))
def test_with_its_hashes_repaired_a_flipped_log_is_found_all_the_same(forge: Forgery | None) -> None:
    """The file as such is well-formed: only the checks behind its SHA-256 can find it."""
    files = [sealed(honest(), FORGER)] if forge is None else [data for _, data in forged(honest(), forge)]
    for data in files:
        assert read(data, Limits()).log
        refusal(data)


def test_a_match_with_missing_programs_and_a_void_holds() -> None:
    assert verify.check(parts.forged(parts.honest(), lambda log: None))


@cache
def played() -> Contributed:
    return parts.honest()


def own(seat: int, number: int) -> tuple[bytes, bytes]:
    """Tip and key of a program of the honest match."""
    program = Program(number, played().match.origin)
    return program.chain.tip, program.key.public


def link_of(number: int, round: int) -> bytes:
    return Program(number, played().match.origin).chain.link(round)


def proof_of(log: Log, round: int, seat: int) -> bytes:
    found: bytes = log[parts.opening(log, round)][2][0]["proofs"][seat]
    return found


def first_tip(log: Log) -> int:
    return parts.place(log, "tip")


def entry(log: Log, cause: str, nth: int = 0, place: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = log[parts.place(log, cause, nth)][2][place]
    return found


def swap(log: Log, one: int, other: int) -> None:
    log[one], log[other] = log[other], log[one]
    renumbered(log)


def as_seats(log: Log, cause: list[str], *passed: tuple[int, str]) -> None:
    entries = [{"e": "core.seat", "seat": seat, "by": by} for seat, by in passed]
    parts.insert(log, parts.place(log, "intent"), {"c": "seats", "holders": cause}, *entries)


def second_call(log: Log) -> None:
    call = log[parts.place(log, "call")]
    parts.insert(log, parts.place(log, "round"), call[1], *call[2])


def bare_void(log: Log) -> None:
    """The void of a called round without the round."""
    step = log[parts.place(log, "void")]
    del step[2][0], step[1]["links"], step[1]["proofs"]


OTHER = "other entries than those that follow from its cause"
PARTS: list[tuple[str, Callable[[Log], object], Callable[[Log], object] | None]] = [
    ("a tip of seat 1, which no person", lambda log: parts.tip(log, 4, 1, *parts.stranger()), None),
    ("a tip of seat 0, which no person", lambda log: swap(log, 1, 2), None),
    ("a tip of seat 3, which no person", lambda log: parts.tip(log, 4, 3, *parts.stranger()), None),
    ("a tip of seat -1, which no person", lambda log: parts.tip(log, 4, -1, *parts.stranger()), None),
    ("that the match has had before", lambda log: parts.tip(log, 4, 0, *own(0, 1)), None),
    ("that the match has had before", lambda log: parts.tip(log, 4, 0, parts.stranger()[0], own(2, 2)[1]), None),
    ("that the match has had before", lambda log: parts.tip(log, 4, 0, own(2, 2)[1], parts.stranger()[1]), None),
    ("that is none, or", lambda log: parts.tip(log, 4, 0, b"tip", parts.stranger()[1]), None),
    ("that is none, or", lambda log: parts.tip(log, 4, 0, parts.stranger()[0], b""), None),
    (OTHER, lambda log: entry(log, "tip").update(key=parts.stranger()[1]), None),
    (OTHER, lambda log: entry(log, "tip").update(seat=2), None),
    (OTHER, lambda log: log[first_tip(log)][2].append(dict(entry(log, "tip"))), None),
    (OTHER, lambda log: parts.called(log, 0, seats=[0]), None),
    (OTHER, lambda log: parts.called(log, 0, seats=[0, 1, 2]), None),
    (OTHER, lambda log: parts.called(log, 0, seats=[2, 0]), None),
    (OTHER, lambda log: parts.called(log, 1, round=3), None),
    # the absent one is called again at once, and after its second absence, for another program, too early
    (OTHER, lambda log: parts.called(log, 3, seats=[0, 2]), None),
    (OTHER, lambda log: parts.called(log, 5, seats=[0, 2]), None),
    ("stands between the call of a round", lambda log: parts.insert(log, 5, {"c": "table", "kind": "x"}), None),
    ("stands between the call of a round", lambda log: parts.tip(log, 5, 0, *parts.stranger()), None),
    ("stands between the call of a round", second_call, None),
    ("opens a round that was not called", lambda log: parts.drop(log, parts.place(log, "call")), None),
    ("has not signed", lambda log: None, lambda log: parts.proof(log, 2, 0, proof_of(log, 1, 0))),
    ("has not signed", lambda log: None, lambda log: parts.proof(log, 1, 0, proof_of(log, 1, 2))),
    ("has not signed", lambda log: None, lambda log: parts.proof(log, 1, 0, b"")),
    ("has not signed", lambda log: None, lambda log: parts.proof(log, 1, 0, other_match(log))),
    # an opening for another history: something public happened before the call
    ("has not signed", lambda log: None, lambda log: parts.insert(log, 4, {"c": "table", "kind": "x"})),
    ("the link of seat 0 does not follow", lambda log: parts.link(log, 2, 0, link_of(1, 3)), None),
    ("the link of seat 0 does not follow", lambda log: parts.link(log, 2, 0, link_of(1, 1)), None),
    ("the link of seat 0 does not follow", lambda log: parts.link(log, 1, 0, link_of(2, 1)), None),
    ("the link of seat 0 does not follow", lambda log: parts.link(log, 1, 0, bytes(31)), None),
    # a proof without a link
    (
        "the link of seat 2 does not follow",
        lambda log: None,
        lambda log: parts.proof(log, 3, 2, proof_of(log, 1, 2)),
    ),
    ("a part of seat 1, which was not called", lambda log: parts.link(log, 1, 1, link_of(90, 1)), None),
    ("a part of seat 2, which was not called", lambda log: parts.link(log, 4, 2, link_of(2, 4)), None),
    ("more or fewer seats", lambda log: cut_parts(log), None),
    # the host keeps the part of one who was there to itself, and the dice as they were
    ("but the secret gives", lambda log: parts.link(log, 2, 2, b""), None),
    (OTHER, bare_void, None),
    ("other links or proofs than were given", lambda log: entry(log, "void").update(links=[b"", b"", b""]), None),
    ("does not put back the decks", lambda log: log[parts.place(log, "void")][2].pop(), None),
    ("does not put back the decks", lambda log: entry(log, "void", place=2)["cards"].pop(), None),
    ("shuffled for the wrong time", lambda log: entry(log, "void", place=2).update(epoch=0), None),
    (OTHER, lambda log: entry(log, "void", place=1).update(e="core.undone", seat=0, to=1), None),
    (OTHER, lambda log: log[parts.place(log, "intent")][2].append({"e": "core.voided", "error": ""}), None),
    (OTHER, lambda log: as_seats(log, ["person", "bot", "bot"], (1, "bot")), None),
    (OTHER, lambda log: as_seats(log, ["person", "bot", "person"]), None),
    (OTHER, lambda log: as_seats(log, ["person", "bot", "ghost"], (2, "ghost")), None),
    ("is not in the form", lambda log: as_seats(log, ["bot"], (0, "bot")), None),
    # the seat of one who was called before passes to a bot: then it is not called
    (OTHER, lambda log: as_seats(log, ["person", "bot", "bot"], (2, "bot")), None),
    (OTHER, lambda log: log[parts.place(log, "intent")][2].append({"e": "core.seat", "seat": 0, "by": "bot"}), None),
    ("which no person's program may say", lambda log: log[0][2][0].update(parts=False), None),
    ("does not know: 'core.seat'", lambda log: log[0][2][0].update(dice=1, parts=False), None),
    ("are of a layout", lambda log: log[0][2][0].update(dice=3), None),
    ("hides what all may know", lambda log: log[4][4].update({0: [1]}), None),
    ("tells a roll or a card to others", lambda log: log[4][4].update({0: [-1]}), None),
]


def other_match(log: Log) -> bytes:
    head = heads_of(MatchId("m1"), played().secret, [packed(step) for step in log[:5]], 3)[-1]
    return Program(1, played().match.origin, MatchId("m2")).part(1, 5, head)[1]


def cut_parts(log: Log) -> None:
    for holder in (log[5][1], log[5][2][0]):
        holder["links"].pop()
        holder["proofs"].pop()


@pytest.mark.parametrize(("sentence", "forge", "later"), PARTS)
def test_what_a_host_does_to_the_parts_is_found_though_its_friends_sign_it(
    sentence: str, forge: Callable[[Log], object], later: Callable[[Log], object] | None
) -> None:
    assert sentence in refusal(parts.forged(played(), forge, later))
