"""A duel whose programs add to the dice, and the records of their parts in the log."""

from __future__ import annotations

from typing import Any

from engine.core.match.causes import RoundOpened, TableEvent
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from protocol.fairness.contributor import OwnEntropyChain
from protocol.fairness.entropy_chain import EntropyChain, opening_text
from protocol.fairness.signatures import OpeningKey
from protocol.ids import MatchId, TableId, match_of
from protocol.proof.facts import Bound
from protocol.wire import from_client as say
from protocol.wire.from_client import Entropy, Tip
from protocol.wire.from_server import EntropyWanted, Proof
from tests.support.clients.wire import Client, Running
from tests.support.systems.duel import Duel


async def players(run: Running, *, ben_adds: bool = True) -> tuple[Client, Client]:
    """Return Ann and Ben at a duel that is about to start. Where not `ben_adds`, Ben's program announces that it adds,
    and then stays silent: a test speaks for it."""
    ann, ben = await run.client("Ann", adds=True), await run.client("Ben", adds=True)
    if not ben_adds:
        ben.proof = None
    await ben.join(await ann.create())
    await ben.ready()
    await ann.until(lambda: ann.talk.table is not None and all(s.ready or s.seat == 0 for s in ann.talk.table.seats))
    return ann, ben


async def start(ann: Client) -> None:
    await ann.say(say.StartMatch())


def table_of(client: Client) -> TableId:
    assert client.talk.table is not None
    return client.talk.table.id


class HandMade:
    """Chain that a test opens by hand, whatever the facts are."""

    def __init__(self, match: MatchId, origin: bytes, seed: int | bytes = 1) -> None:
        drawn = seed if isinstance(seed, bytes) else bytes([seed]) * 32
        self.kept = OwnEntropyChain(
            match, origin, drawn, drawn[::-1] if isinstance(seed, bytes) else bytes([seed + 1]) * 32
        )
        self.links = EntropyChain(self.kept.seed, match, origin)
        self.key = OpeningKey(self.kept.key)

    @classmethod
    def of(cls, kept: OwnEntropyChain) -> HandMade:
        """Return the chain that a program keeps."""
        made = cls(kept.match, kept.origin, kept.seed)
        made.kept, made.key = kept, OpeningKey(kept.key)
        return made

    def tip(self) -> Tip:
        return Tip(table=TableId(self.kept.match), tip=self.links.tip, key=self.key.public)

    def part(self, wanted: EntropyWanted, of: int = 0) -> Entropy:
        """Return the requested part, or one with the link of round `of`."""
        link = self.links.link(of or wanted.round)
        words = opening_text(match_of(wanted.table), wanted.round, wanted.version, wanted.head, link)
        return Entropy(table=wanted.table, round=wanted.round, link=link, proof=self.key.sign(words))


async def bound(client: Client) -> Bound:
    """Wait until the match has begun, ask for its facts, and return the one that binds the host."""
    await client.until(lambda: client.state != "open")
    await client.say(say.GetProof(table=table_of(client)))
    fact = (await client.hear(Proof, lambda proof: proof.first == 0 and bool(proof.facts))).facts[0]
    assert isinstance(fact, Bound)
    return fact


async def by_hand(client: Client, seed: int = 1) -> HandMade:
    """Return a chain for this client's seat in the match that has begun."""
    return HandMade(match_of(table_of(client)), (await bound(client)).head, seed)


def own_chain(client: Client, origin: bytes) -> HandMade:
    """Return the chain that this client's program keeps for its present match."""
    assert client.talk.welcome is not None
    kept = client.chains.load(client.talk.welcome.key, match_of(table_of(client)), origin)
    assert kept is not None
    return HandMade.of(kept)


async def steps_of(run: Running, table: TableId) -> list[Any]:
    """Return the steps of a match as they are stored."""
    match: Match[Any] = Match(Duel(), match_of(table), MatchDice(bytes(32), match_of(table)))
    return [match.codec.decode(stored.step) for stored in await run.server.store.read(match_of(table))]


def rounds(steps: list[Any]) -> list[tuple[bytes, ...]]:
    return [step.cause.links for step in steps if isinstance(step.cause, RoundOpened)]


def notes(steps: list[Any]) -> list[tuple[str, int, str]]:
    causes = [step.cause for step in steps if isinstance(step.cause, TableEvent)]
    return [(cause.kind, cause.seat, cause.detail) for cause in causes]


async def rest_to_the_end(*players: Client, turns: int = 6) -> None:
    for turn in range(turns):
        player = players[turn % 2]
        await player.my_turn()
        assert await player.intend("rest") == ""
    for player in players:
        await player.until(lambda player=player: player.state == "finished")  # type: ignore[misc]  # a default has no type
