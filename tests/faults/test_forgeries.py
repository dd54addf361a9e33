"""Test 41: honest matches hold; every flipped bit and every forgery is found, whatever hashes the forger repairs."""

from __future__ import annotations

import random
from functools import cache

import pytest

from client import verify
from engine.core.causes import AnyCause, Intended, RoundOpened, Start, Tip
from engine.core.dice import MatchDice
from engine.core.match import Match
from engine.core.system import Intent, Setup
from protocol.limits import Limits
from protocol.links import LinkChain
from protocol.replay import Header, Replay, SeatHeader, read
from server.replays import fold, shown
from tests.support.forger import FORGER, FORGERIES, Forgery, forged
from tests.support.haggle import HAGGLE, Act, Buy
from tests.support.sealing import replay_of, sealed
from tests.support.signing import HOST

SECRET = bytes(range(32))
HEADER = Header("haggle", "fair", "m1", "here", "0.1", tuple(SeatHeader(name, "") for name in ("Ada", "Bea", "Cyd")))
CHAINS = {seat: LinkChain(bytes([seat]) * 32, "m1") for seat in (0, 2)}


class Player:
    """A match of haggling in which two of three programs add to the dice."""

    def __init__(self, secret: bytes) -> None:
        self.match = Match(HAGGLE, "m1", MatchDice(secret, "m1"))
        self.log: list[bytes] = []
        self.do(Start("m1", 3, HAGGLE.setup(None, Setup("fair", ("", "", "")))))
        for seat, chain in CHAINS.items():
            self.do(Tip(seat, chain.tip))

    def do(self, cause: AnyCause) -> None:
        step = self.match.propose(cause)
        self.log.append(step.data)
        self.match.settle(step)

    def act(self, seat: int, intent: Intent) -> None:
        self.open_rounds()
        self.do(Intended(seat, bytes(16), self.match.codec.encode_intent(intent)))
        self.open_rounds()

    def open_rounds(self) -> None:
        while self.match.wants_round:
            tips = self.match.record.tips
            links = [CHAINS[s].after(tips[s][1]) or b"" if s in CHAINS else b"" for s in range(3)]
            self.do(RoundOpened(tuple(links)))


@cache
def honest() -> Replay:
    player = Player(SECRET)
    for act in ("gamble", "draw", "hidden_roll", "order", "draw", "gamble"):
        player.act(0, Act(act))
    player.act(0, Buy("bread"))
    streams = shown(Match(HAGGLE, "m1", MatchDice(SECRET, "m1")), player.log, fold)
    return replay_of(HEADER, SECRET, player.log, streams)


def refusal(data: bytes, key: bytes = HOST.public) -> str:
    with pytest.raises(verify.DoesNotHold) as caught:
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
