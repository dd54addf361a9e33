"""The game as a whole: matches end, replays hold, the bot knows more than chance."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from engine.core.bots.bot import Bot
from engine.core.bots.random_bot import RandomBot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import ContentRefused, IllegalIntent
from engine.core.rules.system import Setup
from protocol.ids import GroupId, MatchId
from protocol.scene.nodes import Reply

from server.cli.skeleton.skeleton import system
from server.cli.skeleton.skeleton.bot import Steady
from server.cli.skeleton.skeleton.shooting import Shoot
from server.cli.skeleton.skeleton.state import Battle

PACKAGE = resources.files(system.__module__)
TEXTS = {file.name: file.read_text("utf-8") for file in PACKAGE.joinpath("data").iterdir()}
RESOLVED = system.setup(system.content(TEXTS), Setup("meeting", ("red", "blue")))
PAIRS = 60


def begun(seed: int = 0) -> SelfPlay[Battle]:
    """Return a match that has begun."""
    play = SelfPlay(Match(system, MatchId("test"), MatchDice(seed.to_bytes(32, "big"), MatchId("test"))), watched=False)
    play.begin(Start(MatchId("test"), 2, RESOLVED))
    return play


def scores(seed: int, *bots: Bot) -> list[int]:
    """Play a match to its end; return the scores by seat."""
    play = begun(seed)
    play.play({Seat(seat): bot for seat, bot in enumerate(bots)})
    result = play.match.result
    assert result is not None
    return [seat.score for seat in result.seats]


def test_a_match_is_played_to_its_end_and_repeats_with_its_seed() -> None:
    one, other = (scores(1, RandomBot(1), RandomBot(2)) for _ in range(2))
    assert one == other


def test_a_group_moves_and_shoots_as_far_as_its_profile_says() -> None:
    play = begun()
    with pytest.raises(IllegalIntent, match="move/allowance"):
        play.submit(Seat(0), Reply("move", {"group": ["group/0.1"], "to": [1000, 1001]}))
    play.submit(Seat(0), Reply("move", {"group": ["group/0.1"], "to": [1000, 1000]}))
    assert play.match.state.figures[play.match.state.groups[GroupId("0.1")].figures[0]].at == (1000, 1000)
    refusal = play.match.can(Seat(1), Shoot(GroupId("1.3"), GroupId("0.1")))
    assert refusal is not None
    assert refusal.code == "shoot/too-far"


def test_all_that_players_read_has_words() -> None:
    """Look up the names of choices and fields, and the keys that the code mentions."""
    prompt = begun().projector.prompt(Seat(0))
    assert prompt is not None
    keys = [text.k for choice in prompt.choices for text in (choice.name, *(field.name for field in choice.fields))]
    for file in PACKAGE.iterdir():
        code = file.read_text("utf-8") if file.name.endswith(".py") else ""
        keys += re.findall(r'"(skeleton\.(?:log|dice)\.\w+)"', code) + re.findall(r'ext\("([\w./-]+)"', code)
        keys += [f"refuse.{refusal}" for refusal in re.findall(r'IllegalIntent\("([\w/-]+)"', code)]
    assert not sorted(set(keys) - set(system.catalogue("en")))


@pytest.mark.parametrize(
    ("written", "instead", "told"),
    [
        ('profile = "scouts"', 'profile = "spies"', "no profile has the id spies"),
        ("at = [10, 4]", "at = [10, 40]", "reaches beyond the table"),
        ("rounds = 6", "rounds = 0", "greater than or equal to 1"),
    ],
)
def test_faults_of_content_are_told_with_their_place(written: str, instead: str, told: str) -> None:
    with pytest.raises(ContentRefused) as refused:
        system.content({**TEXTS, "scenarios.toml": TEXTS["scenarios.toml"].replace(written, instead)})
    assert refused.value.problems[0].startswith("scenarios.toml:")
    assert told in refused.value.problems[0]


def test_the_bot_beats_the_random_player() -> None:
    """Play pairs: the same dice twice, with seats changed; more figures left in both together win the pair."""
    won = 0
    for seed in range(PAIRS):
        steady, chance = Steady(seed), RandomBot(seed)
        first, second = scores(seed, steady, chance), scores(seed, chance, steady)
        won += first[0] + second[1] > first[1] + second[0]
    assert won >= PAIRS * 9 // 10
