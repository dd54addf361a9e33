"""Simulation: repeatable by seed, and every replay holds when it is checked."""

import pytest

from server import simulate
from server.content import install
from server.plain_errors import PlainError
from server.simulate import factions_for, play
from tests.support.duel import TOML, Duel

INSTALLED = install(Duel(), {"duel.toml": TOML})


def test_the_same_seed_gives_the_same_match_and_another_seed_another() -> None:
    info = INSTALLED.scenarios["six"]
    kinds = ("random",) * 6
    first, again, other = (play(INSTALLED, info, kinds, seed, 0) for seed in (1, 1, 2))
    plain = [(o.winners, o.cards, o.intents, o.steps) for o in (first, again, other)]
    assert plain[0] == plain[1] != plain[2]
    assert first.finished and first.cards >= 6


def test_factions_go_round_the_seats() -> None:
    info = INSTALLED.scenarios["two"]
    assert factions_for(info, 0) == ("amber", "birch")
    assert factions_for(info, 5) == ("frost", "amber")
    assert factions_for(info, 6)[1] != "birch"  # a round later, other neighbours
    met = [factions_for(info, number) for number in range(30)]
    assert len(set(met)) == 30 and all(one != other for one, other in met)  # in a game for two each meets all others


def test_the_summary_counts_wins() -> None:
    info = INSTALLED.scenarios["two"]
    kinds = ("hard", "random")
    outcomes = [play(INSTALLED, info, kinds, 3, number) for number in range(3)]
    summary = simulate.summarize(INSTALLED, info, kinds, 3, outcomes)
    assert summary["finished"] == 3
    assert sum(summary["wins_by_seat"].values()) == sum(len(o.winners) for o in outcomes)
    assert [each["match"] for each in summary["each"]] == [0, 1, 2]


@pytest.mark.parametrize("bots", ["clever", "hard,hard,hard"])
def test_unknown_bots_are_refused_in_plain_words(bots: str) -> None:
    with pytest.raises(PlainError, match="bot"):
        simulate.kinds_of(INSTALLED, bots, 2)
