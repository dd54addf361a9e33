"""Options of the rules and sides, as the set-up screen shows them and the owner changes them by clicks."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from client.model.lobby.table_options import next_value, rule_options, table_options, value_in_words
from client.text.texts import Texts
from protocol.text import text
from protocol.wire.choices import OptionChoice, ScenarioChoice, SystemChoice, ValueChoice
from protocol.wire.from_client import ChangeTable
from protocol.wire.from_server import Systems, TableView
from tests.support.clients.sessions import Table, at_table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

FLAG = OptionChoice("fog", text("Fog"), text("Nobody sees far."), "flag", default=False)
NUMBER = OptionChoice("wind", text("Wind"), text("How strong."), "number", 2, 0, 3, scenarios=("hill",))
LIGHTS = ValueChoice("day", text("by day")), ValueChoice("dusk", text("at dusk"))
ONE_OF = OptionChoice("light", text("Light"), text("When."), "one_of", "day", values=LIGHTS)


def system(*scenarios: ScenarioChoice) -> SystemChoice:
    return SystemChoice("game", text("Game"), scenarios, ("random",), (FLAG, NUMBER, ONE_OF))


def scenario(id: str, form_of: str = "") -> ScenarioChoice:
    return ScenarioChoice(id, text(id), text(id), 4, (), form_of=form_of)


def test_a_scenario_and_its_forms_have_the_options_declared_for_it() -> None:
    known = system(scenario("hill"), scenario("hill:sides", "hill"), scenario("plain"))
    assert rule_options(known, "hill") == rule_options(known, "hill:sides") == [FLAG, NUMBER, ONE_OF]
    assert rule_options(known, "plain") == [FLAG, ONE_OF]


def test_each_click_takes_the_next_value_and_after_the_last_the_first() -> None:
    assert [next_value(FLAG, value) for value in (False, True)] == [True, False]
    assert [next_value(NUMBER, value) for value in (0, 2, 3)] == [1, 3, 0]
    assert [next_value(ONE_OF, value) for value in ("day", "dusk", "gone")] == ["dusk", "day", "day"]


def test_values_are_shown_in_words() -> None:
    texts = Texts()
    assert value_in_words(FLAG, value=True, texts=texts) == "yes"
    assert value_in_words(NUMBER, 3, texts) == "3"
    assert value_in_words(ONE_OF, "dusk", texts) == "at dusk"


def test_a_table_by_mail_is_shown_as_not_rated() -> None:
    view = replace(scenes.table_view(0, "open"), rated=True)
    words = [{id: words for id, words, _ in table_options(replace(view, mail=mail))}["rated"] for mail in (False, True)]
    assert words == ["Rated: yes", "Rated: no"]


def set_up(table: Table, view: TableView, owner: int) -> None:
    known = system(replace(scenario(view.scenario), sides=(0, 1) * (len(view.seats) // 2)))
    table.say(Systems((replace(known, id=view.system),)))
    seats = tuple(replace(seat, side=seat.seat % 2, ready=True) for seat in view.seats)
    table.say(replace(view, seats=seats, owner=view.seats[owner].who, options={"light": "dusk"}))
    table.said.clear()


def test_the_owner_changes_an_option_by_a_click(app: ReadableApp, tmp_path: Path) -> None:
    table = at_table(app, tmp_path, 0)
    set_up(table, scenes.table_view(0, "open"), 0)
    app.build()
    Hand(app).click_on("Fog")
    table.settle()
    assert [message for message in table.said if isinstance(message, ChangeTable)] == [
        ChangeTable(options={"fog": True})
    ]


def test_all_others_see_the_options_and_the_sides(app: ReadableApp, tmp_path: Path) -> None:
    table = at_table(app, tmp_path, 1)
    set_up(table, scenes.table_view(1, "open"), 0)
    app.build()
    lines = [key[0] for key, _, _ in app.ui.layers["panels"].letters.lines]
    assert "Light: at dusk" in lines
    assert any(line.startswith("Side A") for line in lines)
    assert any(line.startswith("Side B") for line in lines)
