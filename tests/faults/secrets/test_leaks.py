"""Hidden data is in no byte sent to a viewer who may not know it."""

from pathlib import Path

import pytest

from engine.core.rules.dice import MatchDice
from engine.rulesets.action_cards import system
from engine.rulesets.action_cards.state.state import Skirmish
from protocol.ids import MatchId
from server.runtime.sealing import SealingKey
from tests.support.clients.wire import running, two_players
from tests.support.faults.leaks import check_secret, search
from tests.support.play.observed import Observed
from tests.support.runs.longrun import LongRun
from tests.support.systems.shipped import resolved_scenario


def test_marked_secrets_in_what_viewers_are_sent() -> None:
    happened = search(1)
    assert happened["streams_compared"] >= 10
    assert happened["frames"] > 100


def test_marked_secrets_in_matches_played_to_their_end() -> None:
    assert search(3)["ended"] == 2


def test_a_secret_would_be_found() -> None:
    """The search is for the data that the real dice are made of."""
    secret = bytes(range(32))
    dice = MatchDice(secret, MatchId("m1"))
    resolved, seats = resolved_scenario("low_water")
    table: Observed[Skirmish] = Observed(system, dice, resolved, seats)
    check_secret(table, {None: [b"nothing"]}, secret)
    for hidden in (secret, dice.seed(table.match.record.round), dice.seed(table.match.record.round + 1)):
        with pytest.raises(AssertionError, match="was sent a secret"):
            check_secret(table, {None: [b"", b"something " + hidden.hex().encode()]}, secret)


async def test_tokens_and_secrets_over_real_sockets(tmp_path: Path) -> None:
    """Every byte that each of three connections gets: no one else's token, not the host key, not the match's secret."""
    async with running(tmp_path) as run:
        ann, ben = await two_players(run)
        eve = await run.client("Eve")
        people = (ann, ben, eve)
        for _ in range(2):
            await ann.my_turn("rest")
            await ann.intend("draw")
            await ann.intend("rest")
            await ben.my_turn("rest")
            await ben.intend("rest")
        [live] = run.server.lobby.tables()
        sealing_key = SealingKey.at(tmp_path / "host.key")
        secret = sealing_key.open(live.record.sealed, live.record.match)
        tokens = {person: str(person.talk.token).encode() for person in people}
        key = (tmp_path / "host.key").read_bytes()
        for person in people:
            got = b"".join(person.frames)
            foreign = [token for other, token in tokens.items() if other is not person]
            for hidden in (*foreign, key, secret, secret.hex().encode(), live.record.sealed):
                assert hidden not in got
            assert tokens[person] in got
        log = run.log.getvalue()
        assert not any(token.decode() in log for token in tokens.values())
        assert secret.hex() not in log


@pytest.mark.long("leaks")
def test_long_marked_secrets() -> None:
    total = LongRun("leaks", batches=500).complete(search)
    assert total["matches"] >= 1_000
