"""The optional methods of a system that say what its choices come to."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.rules.advice import Forecasts, Proposes
from engine.core.rules.audience import Seat
from engine.core.rules.game import Game
from engine.core.view.proposals import proposal_for
from engine.core.view.situations import Situation
from protocol.ids import NodeId
from protocol.scene.advice import Forecast
from protocol.scene.nodes import Choice
from tests.support.play.proving_checks import table_of
from tests.support.proving import system
from tests.support.proving.state import Field
from tests.support.proving.system import Proving

WEST = Seat(0)
UNIT, OTHER = NodeId("piece/u01"), NodeId("piece/u02")
ODDS = Forecast(outcomes=((0, 250), (1, 500), (2, 250)), mean=100)


class Telling(Proving):
    """Proving game that answers by itself."""

    def propose(
        self, game: Game[Field], seat: Seat, choice: Choice, fields: Mapping[str, object]
    ) -> Mapping[str, object]:
        return {"unit": [str(UNIT)]}

    def forecast(self, game: Game[Field], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Forecast | None:
        return ODDS if choice.id == "watch" else None


def situation(game: Proving) -> Situation[Field]:
    table = table_of(game, 3)
    while table.match.question is not None:
        table.play.expire()
    return Situation.of(table.match, WEST)


def test_a_system_need_have_none_of_them() -> None:
    assert not isinstance(system, Proposes | Forecasts)
    assert isinstance(Telling(), Proposes)
    assert isinstance(Telling(), Forecasts)


def test_what_a_system_says_itself_is_told_and_the_rest_is_worked_out() -> None:
    now = situation(Telling())
    filled = proposal_for(now, "watch", {})
    assert filled.fields == {"unit": [UNIT]}
    assert [field.key for field in filled.open] == ["unit"]
    assert proposal_for(now, "watch", {}).forecast == ODDS
    assert proposal_for(now, "face", {}).forecast is None


def test_the_chance_of_a_forecast_is_that_of_any_loss() -> None:
    assert ODDS.chance == 750
