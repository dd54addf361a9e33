"""`odds` and `reach` while the person is asked for something: they tell the group that was named."""

from __future__ import annotations

import pytest

from protocol.ids import NodeId
from protocol.limits import Limits
from protocol.scene.advice import Forecast, Target
from protocol.scene.fields import Band
from protocol.text import Text
from protocol.wire.codec import decode_request
from protocol.wire.from_client import Propose, Survey
from protocol.wire.from_server import Proposed, Surveyed
from tests.client.plain.test_program import aimed, show
from tests.support.clients.plain.table import PlainTable

FOE = NodeId("group/31")
CHANCES = {NodeId("group/11"): 450, NodeId("group/12"): 900}
SQUARES = {id: ((x, 0), (x + 900, 0), (x + 900, 900), (x, 900)) for id, x in zip(CHANCES, (6000, 4800), strict=True)}


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> PlainTable:
    """Program whose table answers surveys of two groups and proposals; the group that shoots is asked for."""
    table = PlainTable()
    table.write()
    show(table, aimed())
    table.write()
    send = table.wire.send

    def answer(data: bytes) -> None:
        send(data)
        message = decode_request(data, Limits())
        if isinstance(message, Survey):
            subject = NodeId(message.subject)
            target = Target(FOE, chance=CHANCES[subject], loss=120)
            reach = (Band(Text("Walk"), regions=(SQUARES[subject],)),)
            table.hear(
                Surveyed(message.id, "move", reach=reach, more=True), Surveyed(message.id, "shoot", targets=(target,))
            )
        elif isinstance(message, Propose):
            group = message.fields["group"]
            assert isinstance(group, list)
            odds = CHANCES[NodeId(str(group[0]))]
            forecast = Forecast(outcomes=((0, 1000 - odds), (1, odds)), mean=odds // 10)
            table.hear(Proposed(message.id, dict(message.fields), forecast=forecast))

    monkeypatch.setattr(table.wire, "send", answer)
    return table


def test_odds_of_another_group_are_told_while_an_enemy_is_asked_for(table: PlainTable) -> None:
    asked = table.write("2", "IS1")
    assert any("HW1" in line and "45 %" in line for line in asked)
    told = table.write("odds IS2")
    assert any("90 %" in line for line in told), told
    assert not any("45 %" in line for line in told), told


def test_reach_of_another_group_is_told_while_an_enemy_is_asked_for(table: PlainTable) -> None:
    table.write("2", "IS1")
    beside, alone = table.write("reach IS2"), table.write("back", "back", "reach IS2")
    assert any(line.startswith("Furthest") for line in beside)
    assert [line for line in alone if line in beside] == beside


def test_odds_with_a_forecast_leave_what_is_proposed_as_it_is(table: PlainTable) -> None:
    proposed = table.write("2", "IS1", "HW1")
    assert any(line.startswith("45 %") for line in proposed), proposed
    told = table.write("odds IS2 HW1")
    assert any("90 %" in line for line in told), told
    assert not any("45 %" in line for line in told), told
    assert table.write("again") == proposed[-5:]
