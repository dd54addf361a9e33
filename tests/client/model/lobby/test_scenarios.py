"""The choice of a scenario and of its number of players."""

from __future__ import annotations

from client.model.lobby.scenarios import forms_of, next_form, next_scenario
from protocol.text import Text
from protocol.wire.choices import ScenarioChoice


def choice(id: str, seats: int, form_of: str = "") -> ScenarioChoice:
    return ScenarioChoice(id, Text(id), Text(id), seats, (), form_of=form_of)


OFFERED = [choice("a", 4), choice("b", 3), choice("a:3", 3, "a"), choice("a:2", 2, "a"), choice("b:2", 2, "b")]


def test_scenarios_go_round_and_begin_with_their_own_number() -> None:
    assert [next_scenario(OFFERED, id) for id in ("a", "b", "a:2")] == ["b", "a", "b"]
    assert next_scenario(OFFERED, "gone") == "a"


def test_numbers_of_players_go_round_within_a_scenario() -> None:
    assert [next_form(OFFERED, id) for id in ("a", "a:3", "a:2")] == ["a:3", "a:2", "a"]
    assert forms_of(OFFERED, "b:2") == ["b", "b:2"]
    assert next_form(OFFERED, "gone") == "gone"
