"""Test 44: what a program does with its links is refused or logged, and gains it nothing."""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import Path

import pytest

from client import verify
from protocol import from_client as say
from protocol.from_server import Ack, LinkWanted, Problem
from protocol.limits import Limits
from protocol.links import LinkChain
from protocol.replay import read
from protocol.scene import Reply
from server.checking import check
from server.links import WAIT_SECONDS
from tests.support.duel import Duel
from tests.support.evenness import BIAS
from tests.support.linking import ANN, BEN, notes, players, rest_to_the_end, rounds, start, steps_of, table_of
from tests.support.longrun import Figures, LongRun
from tests.support.wire import Client, running
from tests.support.wishful import WISHES, Known, Wish, Wishful, guess, leanings


async def rest(player: Client) -> None:
    """Rest, and keep whatever is told before that is acknowledged: the next round may begin at once."""
    await player.my_turn()
    id = player.talk.intend(Reply("rest"), secrets.token_bytes(16))
    await player.flush()
    await player.hear(Ack, lambda message: message.id == id, keep=True)


async def test_four_cheats_in_one_match_are_refused_and_logged(tmp_path: Path) -> None:
    """A wrong link; staying silent, and the link when the round is open; two tips, and a link of the first."""
    async with running(tmp_path) as run:
        ann, ben = await players(run, b"")
        table = table_of(ben)
        first, second = LinkChain(BEN, table), LinkChain(b"c" * 32, table)

        async def give(round: int, link: bytes) -> str:
            await ben.say(say.Link(table=table, round=round, link=link))
            return (await ben.hear(Problem)).code

        await ben.say(say.Tip(table=table, tip=first.tip))
        await start(ann)
        wanted = await ben.hear(LinkWanted)
        assert await give(1, bytes(32)) == "link/wrong"
        await ann.my_turn()
        for player in (ann, ben):
            await rest(player)
        wanted = await ben.hear(LinkWanted)
        # nothing of what the other program has opened, nor of the seed, is told to one who still can stay away
        known = LinkChain(ANN, table)
        opened = known.after(known.after(known.tip) or b"") or b""
        assert opened and not any(opened in frame for frame in ben.frames)
        run.clock.advance(WAIT_SECONDS)
        await ann.my_turn()
        assert await give(2, first.after(wanted.known) or b"") == "link/late"
        for tip in (first.tip, second.tip):
            await ben.say(say.Tip(table=table, tip=tip))
        for player in (ann, ben):
            await rest(player)
        wanted = await ben.hear(LinkWanted)
        assert wanted.known == second.tip
        assert await give(3, first.after(first.tip) or b"") == "link/wrong"
        await rest_to_the_end(ann, ben, turns=2)
        steps = await steps_of(run, table)
    assert [[bool(link) for link in links] for links in rounds(steps)] == [[True, False]] * 3
    assert notes(steps) == [
        ("link_wrong", 1, "1"),
        ("link_absent", 1, "2"),
        ("link_late", 1, "2"),
        ("link_wrong", 1, "3"),
    ]
    [file] = (tmp_path / "replays").iterdir()
    assert "Everything holds" in verify.check(file.read_bytes())[0]
    check(read(file.read_bytes(), Limits()), Duel())


def played(wish: Wish, number: int, rounds: int) -> Wishful:
    return Wishful(number, rounds, wish)


def wished(rolls: int, number: int) -> Figures:
    found: Figures = leanings(rolls, partial(played, WISHES[number]))
    assert found["rolls"] == rolls and 0.1 < found["rolls_away"] / rolls < 0.9, found
    assert max(found["worst_lean"], found["worst_lean_there"], found["worst_lean_away"]) < BIAS, found
    return found


@pytest.mark.parametrize("number", range(len(WISHES)), ids=[wish.__name__ for wish in WISHES])
def test_being_absent_at_will_gains_nothing(number: int) -> None:
    wished(2_000, number)


def test_the_gain_would_be_seen() -> None:
    """With the seed of the round that begins, which the host alone has: this is what the order of steps prevents."""

    def cheating(number: int, rounds: int) -> Wishful:
        def knows(known: Known) -> bool:
            seed, other = made.dice.seed(known.round), made.honest_link()
            return guess(known, seed, other, known.own) >= guess(known, seed, other, b"")

        made = Wishful(number, rounds, knows)
        return made

    found = leanings(2_000, cheating)
    assert found["worst_lean"] > 2 * BIAS, found


@pytest.mark.long("clients")
def test_long_being_absent_at_will_gains_nothing() -> None:
    total = LongRun("clients", batches=len(WISHES)).complete(partial(wished, 100_000))
    assert total["rolls"] == 100_000 * len(WISHES)
