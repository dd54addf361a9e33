"""Simulation: repeatable by seed, and every replay holds when it is checked."""

from typing import Any

import msgspec
import pytest

from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.rulesets.action_cards.bots.bot import Level1
from engine.rulesets.action_cards.state.model import Effect
from engine.rulesets.action_cards.state.state import Skirmish
from engine.rulesets.action_cards.system import ActionCards
from protocol.ids import MatchId
from server.cli.simulation import simulate
from server.cli.simulation.simulate import factions_for, play
from server.content.systems import install
from server.runtime.errors import CommandError
from tests.support.systems.duel import TOML, Duel
from tests.support.systems.eventful import LEFT, table

MATCH = MatchId("m")

INSTALLED = install(Duel(), {"duel.toml": TOML})


class Laid(ActionCards):
    """The action-card game, begun at a table that is laid already."""

    def __init__(self, state: Skirmish) -> None:
        self._state = state

    def start(self, resolved: bytes, seats: int) -> Skirmish:
        return self._state


def test_the_same_seed_gives_the_same_match_and_another_seed_another() -> None:
    info = INSTALLED.scenarios["six"]
    kinds = ("random",) * 6
    first, again, other = (play(INSTALLED, info, kinds, seed, 0) for seed in (1, 1, 2))
    plain = [(o.winners, o.cards, o.intents, o.steps) for o in (first, again, other)]
    assert plain[0] == plain[1] != plain[2]
    assert first.finished
    assert first.cards >= 6


def test_factions_go_round_the_seats() -> None:
    info = INSTALLED.scenarios["two"]
    assert factions_for(info, 0) == ("amber", "birch")
    assert factions_for(info, 5) == ("frost", "amber")
    assert factions_for(info, 6)[1] != "birch"  # a round later, other neighbours
    met = [factions_for(info, number) for number in range(30)]
    assert len(set(met)) == 30
    assert all(one != other for one, other in met)


def test_each_side_that_brings_lists_has_one_faction_and_meets_all_others_on_both_sides() -> None:
    info = INSTALLED.scenarios["two"]._replace(seats=4, sides=(0, 1, 0, 1), points=500)
    met = [factions_for(info, number) for number in range(30)]
    assert all(one == third and other == fourth and one != other for one, other, third, fourth in met)
    assert {(one, other) for one, other, *_ in met} == {(other, one) for one, other, *_ in met}
    assert len(set(met)) == 30
    alone = info._replace(points=0)
    assert len(set(factions_for(alone, 0))) == 4


def test_the_summary_counts_wins() -> None:
    info = INSTALLED.scenarios["two"]
    kinds = ("hard", "random")
    outcomes = [play(INSTALLED, info, kinds, 3, number) for number in range(3)]
    summary = simulate.summarize(INSTALLED, info, kinds, 3, outcomes)
    assert summary["finished"] == 3
    assert sum(summary["wins_by_seat"].values()) == sum(len(o.winners) for o in outcomes)
    assert [each["match"] for each in summary["each"]] == [0, 1, 2]


def test_decisions_are_counted_by_seat_and_after_a_seat_is_out() -> None:
    """Of three factions the last has fallen before the first decision; what it says to an event is no decision."""
    state = table(Effect("stun"), groups=LEFT)
    match: Match[Any] = Match(Laid(state), MATCH, MatchDice(bytes(32), MATCH))
    game = SelfPlay(match, watched=False)
    game.begin(Start(MATCH, 3, msgspec.msgpack.encode(state.resolved)))
    played = simulate.play_out(game, {Seat(seat): Level1(seat) for seat in range(3)})
    total = sum(played.decided)
    assert played.order[:1] == (0,)
    assert played.decided[2] == 0
    assert min(played.decided[:2]) > 0
    assert game.intents == total + 1
    assert played.out == (0, 0, total - 2)  # the first act, and its casualties, come before anybody looks


@pytest.mark.parametrize("bots", ["clever", "hard,hard,hard"])
def test_unknown_bots_are_refused_in_plain_words(bots: str) -> None:
    with pytest.raises(CommandError, match="bot"):
        simulate.kinds_of(INSTALLED, bots, 2)
