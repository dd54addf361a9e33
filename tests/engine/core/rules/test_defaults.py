"""Defaults that systems inherit: intents by their tags, fields as offered, dice that are shown."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.defaults import DefaultRules, Defaults
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.events import DiceRolled, Undone
from engine.core.rules.game import Game
from engine.core.rules.record import Record
from engine.core.rules.sides import ALONE
from engine.core.rules.system import Intent, MomentReached
from protocol.ids import MatchId, NodeId
from protocol.scene.fields import Number
from protocol.scene.nodes import NO_PROMPT, Choice, Prompt, Reply
from protocol.text import Text

SEAT = Seat(0)


class Stake(Intent, frozen=True, tag="stake"):
    coins: int


class Pass(Intent, frozen=True, tag="pass"):
    pass


class Coin(msgspec.Struct, frozen=True):
    coins: int = 3


class Plain(Defaults[Coin]):
    intents: Sequence[type[Intent]] = (Stake, Pass)

    def prompt(self, game: Game[Coin], seat: Seat) -> Prompt:
        coins, lazy = Number("coins", Text("n"), most=game.state.coins), Number("lazy", Text("l"), lazy=True)
        return Prompt(NO_PROMPT, Text("turn"), (Choice("stake", Text("stake"), (coins, lazy)),))


PLAIN: Plain = Plain()


def game() -> Game[Coin]:
    return Game(Coin(), Record(), MatchDice(bytes(32), MatchId("m")))


def test_a_choice_is_the_intent_of_its_tag() -> None:
    assert PLAIN.parse(Coin(), SEAT, Reply("stake", {"coins": 2})) == Stake(2)
    assert PLAIN.parse(Coin(), SEAT, Reply("pass")) == Pass()
    with pytest.raises(IllegalIntent, match="reply/unknown-choice"):
        PLAIN.parse(Coin(), SEAT, Reply("bet"))
    wrong: list[dict[str, object]] = [{}, {"coins": "two"}]
    for fields in wrong:
        with pytest.raises(IllegalIntent, match="reply/bad-field"):
            PLAIN.parse(Coin(), SEAT, Reply("stake", fields))


def test_fields_are_as_the_prompt_offers_them() -> None:
    assert PLAIN.detail(game(), SEAT, "stake", {}) == Number("coins", Text("n"), most=3)
    with pytest.raises(IllegalIntent, match="reply/unknown-field"):
        PLAIN.detail(game(), SEAT, "stake", {"coins": 1})
    with pytest.raises(IllegalIntent, match="reply/unknown-choice"):
        PLAIN.detail(game(), SEAT, "bet", {})
    with pytest.raises(IllegalIntent, match="reply/unknown-choice"):
        Defaults[Coin]().detail(game(), SEAT, "bet", {})


def test_dice_are_shown_and_nothing_else() -> None:
    (cue,) = PLAIN.cues(DiceRolled(1, 0, "die", 2, 6, (3, 4)), Coin(), Coin())
    assert (cue.kind, cue.text, cue.seat) == ("dice", Text("die"), 2)  # type: ignore[union-attr]
    assert not [*PLAIN.cues(Undone(0, 1), Coin(), Coin())]


def test_what_is_not_written_is_not_there() -> None:
    state = Coin()
    assert PLAIN.known(state, SEAT) is state
    assert (PLAIN.sides(state), [*PLAIN.private(state, SEAT)], [*PLAIN.commanded(state, SEAT, "m")]) == (ALONE, [], [])
    assert PLAIN.obey(game(), SEAT, MomentReached("m"), ()) is None
    assert (PLAIN.name_of(state, NodeId("group/1")), PLAIN.forces(state)) == (Text("group/1"), ())
    rules = DefaultRules[Coin]()
    assert (rules.flow(game()), rules.leave(state, SEAT)) == (None, None)
