"""Two checkers agree: that of the client, and one that was written from docs/dice.md alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from client.fairness import verify
from protocol.fairness.replay import Replay, read
from protocol.fairness.round_history import RoundHistory, round_history
from protocol.fairness.round_parts import Presence
from protocol.limits import Limits
from server.content.systems import Installed
from server.match import checking
from tests.support.examples.golden import FOLDER, systems
from tests.support.fairness.entropy_play import entropy_replay
from tests.support.fairness.sealing import sealed
from tests.support.reference import second_checker
from tests.support.runs.longrun import Figures, LongRun
from tests.support.twins.games import installed

FLIPS = 3
LONG_FLIPS = 12
"""Damaged copies of each match."""


@cache
def games() -> tuple[tuple[Installed, str], ...]:
    """Every system with a scenario."""
    return (*systems().values(), (installed("proving")["proving"], "crossing"))


def agree_on(seed: int, flips: int = FLIPS, *, strict: bool = False) -> dict[str, float]:
    """Check that both checkers agree on one random match of each system, honest and damaged."""
    found: dict[str, float] = {"matches": 0, "rounds": 0, "missing": 0, "refused": 0}
    for system, scenario in games():
        missing, moves = (0.0, 0.2, 0.5)[seed % 3], seed % 2 == 0
        data = entropy_replay(system, scenario, seed, missing, moves=moves, strict=strict)
        replay = read(data, Limits())
        rounds = agree_on_honest(data, round_history(replay.header.match, replay.log))
        found["matches"] += 1
        found["rounds"] += len(rounds)
        found["missing"] += sum(len(one.missing) for one in rounds)
        found["refused"] += sum(agree_on_damaged(bent) for bent in damaged(replay, seed, flips))
    return found


def agree_on_honest(data: bytes, history: RoundHistory) -> list[second_checker.Round]:
    """Both let it pass, with the same numbers and the same parts in each round, which are those of the record."""
    said = verify.check(data)
    found = second_checker.check(data)
    log = verify.Log(found.match, verify.read_sections(data)["seal"][0][128:])
    for number, step in enumerate(verify.records(verify.read_sections(data)["tlog"][0]), start=1):
        log.check_step(number, step)
    numbers = (found.steps, found.rolls, found.decks, found.cards, found.head)
    assert numbers == (number, log.rolls, log.orders, log.cards, log.head), said
    assert found.not_strict == sum(parts.not_strict for parts in history.rounds.values())
    for one in found.rounds:
        parts = history.rounds[one.round]
        assert one.mix == parts.mix
        assert one.choices == parts.choices
        assert (one.given, one.missing) == (parts.given(), parts.missing)
        assert one.out == tuple(seat for seat, here in enumerate(parts.presence) if here is Presence.OUT)
    assert len(found.rounds) == history.round
    return found.rounds


def damaged(replay: Replay, seed: int, flips: int) -> Iterator[bytes]:
    """Copies with one byte of the log changed, sealed anew by the host."""
    chance = random.Random(seed)
    for _ in range(flips):
        place = chance.randrange(len(replay.log))
        step = bytearray(replay.log[place])
        step[chance.randrange(len(step))] ^= 1 << chance.randrange(8)
        yield sealed(replay._replace(log=(*replay.log[:place], bytes(step), *replay.log[place + 1 :])))


def agree_on_damaged(data: bytes) -> int:
    """Both refuse it, or both let it pass; whether they refuse."""
    verdicts = []
    for check, refused in ((verify.check, verify.VerificationFailed), (second_checker.check, second_checker.Refused)):
        try:
            check(data)
        except refused as why:
            verdicts.append(str(why))
        else:
            verdicts.append("")
    assert bool(verdicts[0]) == bool(verdicts[1]), verdicts
    return int(bool(verdicts[0]))


@pytest.mark.parametrize("seed", [1, 2])
def test_two_checkers_agree(seed: int) -> None:
    found = agree_on(seed)
    assert found["rounds"]
    assert found["refused"] > FLIPS


def test_two_checkers_agree_on_strict_tables() -> None:
    found = agree_on(1, strict=True)
    assert found["rounds"]
    assert found["refused"] > FLIPS


def test_a_strict_match_is_carried_out_again_by_its_rules() -> None:
    system, scenario = games()[-1]
    replay = read(entropy_replay(system, scenario, 3, moves=False, strict=True), Limits())
    assert any(b"core.deferred" in step for step in replay.log)
    checking.check(replay, system.system)


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.replay")), ids=lambda file: file.stem)
def test_two_checkers_agree_on_matches_of_older_days(file: object) -> None:
    data = (FOLDER / getattr(file, "name", "")).read_bytes()
    verify.check(data)
    second_checker.check(data)


@pytest.mark.long("checkers")
def test_long_two_checkers_agree() -> None:
    total = LongRun("checkers", batches=250).complete(agreed)
    assert total["matches"] >= 1_000
    assert total["missing"] > 100


def agreed(batch: int) -> Figures:
    return agree_on(1_000 + batch, LONG_FLIPS)
