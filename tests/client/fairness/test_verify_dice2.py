"""The checker on matches of dice 2: programs' parts, decks after what was given up, and what it says to players."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import msgpack
import msgspec
import pytest

from client.fairness import verify
from client.fairness.receipts import Receipts
from client.fairness.receipts_check import check_receipts
from client.fairness.verify_report import choices, names_of
from engine.core.match.causes import Void
from engine.core.rules.game import Game
from engine.core.rules.system import Intent, Procedure
from protocol.fairness.entropy_check import EntropyCheck
from protocol.ids import MatchId
from tests.support.clients.dice.contributing import Contributed
from tests.support.fairness.sealing import sealed
from tests.support.fairness.signing import HOST
from tests.support.systems.haggle import Act, Haggle, Market, MarketRules, bid

MATCH = MatchId("m1")


def report(played: Contributed) -> list[str]:
    return verify.check(sealed(played.replay()), HOST.public)


def with_line(lines: Iterable[str], start: str) -> str:
    return next((line for line in lines if line.startswith(start)), "")


def test_it_says_whose_programs_added_to_the_dice_and_which_rounds_could_have_been_chosen() -> None:
    played = Contributed()
    played.chain()
    played.chain(missing=(2,))
    played.chain()
    played.chain(is_failing=True)
    played.chain()
    lines = report(played)
    assert with_line(lines, "Programs that added") == (
        "Programs that added to the dice of the 6 rounds: Ada (seat 1) in 6, Cyd (seat 3) in 4."
    )
    assert with_line(lines, "Called, but missing") == "Called, but missing: Cyd (seat 3) in 1."
    assert with_line(lines, "Sitting out") == "Sitting out for that: Cyd (seat 3) in 1."
    assert with_line(lines, "Rounds that nobody") == (
        "Rounds that nobody could choose, if one of these programs was honest: 3."
    )
    assert with_line(lines, "Rounds that the host and") == (
        "Rounds that the host and those missing could have chosen, among so many sets of dice: "
        "round 3 (2), round 5 (2), round 6 (2)."
    )
    assert sum("gave up" in line for line in lines) == 1


def test_rounds_without_any_part_are_said_to_be_the_hosts() -> None:
    played = Contributed(holders=("bot", "bot", "person"))
    played.missing = (2,)
    played.open_rounds()
    played.chain()
    lines = report(played)
    assert with_line(lines, "Rounds that the host alone") == (
        "Rounds that the host alone could choose, as no program had added to the dice yet: 2."
    )
    assert not with_line(lines, "Rounds that nobody")


def test_a_table_without_parts_is_said_to_be_one() -> None:
    played = Contributed(parts=False)
    played.chain()
    assert report(played)[-1].startswith("At this table no program added to the dice")


def test_a_long_report_stays_short() -> None:
    played = Contributed()
    for _ in range(9):
        played.chain(is_failing=True)
    lines = report(played)
    assert len(lines) <= 15
    assert "It did so 4 more times." in lines
    assert "and 1 more" in with_line(lines, "Rounds that the host and")


def test_names_that_a_terminal_might_obey_are_written_out() -> None:
    assert names_of(["Ada", "\x1b[2J", ""], 4) == [
        "Ada (seat 1)",
        "'\\x1b[2J' (seat 2)",
        "seat 3",
        "seat 4",
    ]


@pytest.mark.parametrize("seed", range(6))
def test_it_makes_the_same_of_any_record_as_the_core_and_as_those_who_follow_the_facts(seed: int) -> None:
    played = random_match(random.Random(seed))
    data = sealed(played.replay())
    verify.check(data)
    log = verify.Log("m1", played.secret)
    for number, step in enumerate(played.log, start=1):
        log.check_step(number, step)
    parts, known = log.parts, played.match.record.participation
    assert isinstance(parts, verify.EntropyParts)
    assert parts.entropy == [played.match.record.mix]
    assert parts.holders == list(known.holders)
    assert parts.due(len(parts.rounds)) == list(known.due())
    assert {seat: tuple(chain) for seat, chain in parts.chains.items()} == {
        seat: (chain.tip, chain.key, chain.since, chain.link, chain.round) for seat, chain in known.chains.items()
    }
    follower = followed(played)
    assert follower.entropy == parts.entropy[0]
    rounds = [follower.rounds[number] for number in range(1, follower.round + 1)]
    found = choices(parts.rounds, parts.voids)
    assert [r.choices for r in rounds if r.counted] == [k for k, r in zip(found, rounds, strict=True) if r.counted]
    assert [r.missing for r in rounds] == [
        tuple(seat for seat in begun.called if not begun.links[seat]) for begun in parts.rounds[1:]
    ]


def random_match(chance: random.Random, *, strict: bool = False) -> Contributed:
    played = Contributed(holders=chance.choice([("person", "bot", "person"), ("person",) * 3]), strict=strict)
    for _ in range(14):
        match chance.randrange(6):
            case 0:
                played.tip(
                    chance.choice(
                        [s for s, by in enumerate(played.match.record.participation.holders) if by == "person"]
                    )
                )
            case 1:
                before = played.match.record.participation.holders
                seat = chance.randrange(1, 3)
                played.hold(seat, chance.choice([by for by in ("person", "bot", "empty") if by != before[seat]]))
            case choice:
                played.chain([s for s in range(3) if chance.random() < 0.3], is_failing=choice == 2)
    return played


def followed(played: Contributed) -> EntropyCheck:
    """Return the check of somebody who was told all facts that everyone may know."""
    follower = EntropyCheck(MATCH, HOST.public)
    for fact in played.facts():
        follower.take(fact)
    return follower


@pytest.mark.slow
@pytest.mark.parametrize("strict", [False, True])
def test_receipts_with_the_facts_of_dice_2_agree_with_the_replay(strict: bool) -> None:
    played = random_match(random.Random(7), strict=strict)
    data = sealed(played.replay())
    facts = [msgpack.unpackb(msgspec.msgpack.encode(fact)) for fact in played.facts()]
    assert {fact["f"] for fact in facts} >= {"bound", "seat", "tip", "call", "round", "void", "roll"}
    records = [["fact", number, fact] for number, fact in enumerate(facts)]
    own = Receipts(MATCH, HOST.public, -1, records)
    assert f"{len(facts)} facts" in " ".join(check_receipts(data, [own]))
    for number, fact in enumerate(facts):
        for name in set(fact) - {"f", "signature"}:
            other = [["fact", number, {**fact, name: None}]]
            with pytest.raises(verify.VerificationFailed, match="told otherwise"):
                check_receipts(data, [own._replace(records=other)])


class NewDeck(MarketRules):
    """Rules with an act that makes a deck, draws of it and then asks."""

    def procedure(self, game: Game[Market], seat: Any, intent: Intent) -> Procedure:
        if intent == Act("new"):
            return self._new(game, seat)
        return super().procedure(game, seat, intent)

    async def _new(self, game: Game[Market], seat: Any) -> None:
        game.deck("nuts").new(("walnut", "hazel"))
        game.deck("nuts").draw(1)
        await game.ask(seat, bid(3), "first")


class WithNewDeck(Haggle):
    rules = NewDeck()


def test_a_deck_made_in_what_was_given_up_stays_one_whose_times_are_counted() -> None:
    played = Contributed(system=WithNewDeck())
    for _ in range(2):
        played.act(0, Act("new"))
        played.do(Void("e1"))
    assert played.match.record.decks["nuts"].epoch == 3
    assert report(played)


def test_a_deck_shuffled_again_in_what_was_given_up_has_the_time_after_that() -> None:
    played = Contributed()
    for _ in range(8):
        played.act(0, Act("draw"))
    played.act(0, Act("chain"))  # the deck is empty: it is filled again, and then drawn from
    played.do(Void("e1"))
    assert played.match.record.decks["fruit"].epoch == 2
    played.act(0, Act("draw"))
    assert report(played)
