"""Test 44: what a program does with its parts is refused or logged, and gains it nothing."""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from client.fairness import verify
from protocol.fairness.replay import read
from protocol.limits import Limits
from protocol.scene.nodes import Reply
from protocol.wire import from_client as say
from protocol.wire.from_server import Ack, EntropyWanted, Problem
from server.match.checking import check
from server.match.entropy import WAIT_SECONDS
from tests.support.clients.dice.linking import (
    by_hand,
    notes,
    own_chain,
    players,
    rest_to_the_end,
    rounds,
    start,
    steps_of,
    table_of,
)
from tests.support.clients.wire import Client, running
from tests.support.faults.evenness import BIAS
from tests.support.runs.longrun import Figures, LongRun
from tests.support.systems.duel import Duel
from tests.support.systems.wishful import WISHES, Known, Wish, Wishful, guess, leanings

pytestmark = pytest.mark.waits


async def test_four_cheats_in_one_match_are_refused_and_logged(tmp_path: Path) -> None:
    """A wrong part; a tip that the match has had; silence, and the part when the round is open; and the part of a round
    to which the seat was not called."""
    async with running(tmp_path) as run:
        ann, ben = await players(run, ben_adds=False)
        await start(ann)
        chain = await by_hand(ben)
        anns = own_chain(ann, chain.kept.origin)

        async def give(part: say.Entropy) -> str:
            await ben.say(part)
            return (await ben.hear(Problem)).code

        await ben.say(chain.tip())
        wanted = await ben.hear(EntropyWanted)
        assert await give(chain.part(wanted, of=2)) == "entropy/wrong"
        await ann.my_turn()
        await ben.say(anns.tip())
        assert (await ben.hear(Problem)).code == "entropy/known"
        await rest(ann, ben)
        await ann.my_turn()
        assert await give(chain.part(replace(wanted, round=2))) == "entropy/late"
        await rest(ann, ben)
        wanted = await ben.hear(EntropyWanted)
        assert wanted.round == 3
        # nothing of what the other program has opened is told to one who still can stay away
        assert not any(anns.links.link(3) in frame for frame in ben.frames)
        run.clock.advance(WAIT_SECONDS)
        await ann.my_turn()
        assert await give(chain.part(wanted)) == "entropy/late"
        await rest_to_the_end(ann, ben, turns=2)
        steps = await steps_of(run, table_of(ben))
    assert [[bool(link) for link in links] for links in rounds(steps)] == [[True, False]] * 3
    assert notes(steps) == [("part_wrong", 1, "1"), ("part_absent", 1, "3"), ("part_late", 1, "3")]
    [file] = (tmp_path / "replays").iterdir()
    assert "Everything holds" in verify.check(file.read_bytes())[0]
    check(read(file.read_bytes(), Limits()), Duel())


async def rest(*turns: Client) -> None:
    """Rest in turn, and keep whatever is told before that is acknowledged: the next round may begin at once."""
    for player in turns:
        await player.my_turn()
        id = player.talk.intend(Reply("rest"), secrets.token_bytes(16))
        await player.flush()
        await player.hear(Ack, lambda message, id=id: message.id == id, keep=True)  # type: ignore[misc]  # a default has no type


def played(wish: Wish, number: int, rounds: int) -> Wishful:
    return Wishful(number, rounds, wish)


def wished(rolls: int, number: int) -> Figures:
    found: Figures = leanings(rolls, partial(played, WISHES[number]))
    assert found["rolls"] == rolls, found
    assert 0.3 < found["rolls_away"] / rolls < 0.9, found
    assert max(found["worst_lean"], found["worst_lean_there"], found["worst_lean_away"]) < BIAS, found
    return found


@pytest.mark.parametrize("number", range(len(WISHES)), ids=[wish.__name__ for wish in WISHES])
def test_being_absent_at_will_gains_nothing(number: int) -> None:
    wished(2_400, number)


def test_the_gain_would_be_seen() -> None:
    """With the seed of the round that begins, which the host alone has: this is what the order of steps prevents."""

    def cheating(number: int, rounds: int) -> Wishful:
        def knows(known: Known) -> bool:
            seed, other = made.dice.seed(known.round), made.honest_link()
            return guess(known, seed, other, known.own) >= guess(known, seed, other, b"")

        made = Wishful(number, rounds, knows)
        return made

    found = leanings(6_000, cheating)
    assert found["worst_lean"] > 2 * BIAS, found


@pytest.mark.long("clients")
def test_long_being_absent_at_will_gains_nothing() -> None:
    total = LongRun("clients", batches=len(WISHES)).complete(partial(wished, 100_000))
    assert total["rolls"] == 100_000 * len(WISHES)
