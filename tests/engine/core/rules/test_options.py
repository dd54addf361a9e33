"""Options of the rules: their values, which scenarios have them, how they are said on a command line."""

from __future__ import annotations

import pytest

from engine.core.rules.errors import SetupRefused
from engine.core.rules.options import NamedValue, RuleOption, all_values, fault_of, kept_values, options_of
from protocol.text import text

NAME = text("name")
FLAG = RuleOption("flag", NAME, NAME, "flag", default=True)
NUMBER = RuleOption("number", NAME, NAME, "number", 3, 1, 5, scenarios=("hill",))
LIGHTS = NamedValue("day", NAME), NamedValue("dusk", NAME)
ONE_OF = RuleOption("light", NAME, NAME, "one_of", "day", choices=LIGHTS)
ALL = (FLAG, NUMBER, ONE_OF)


def test_what_nobody_chooses_has_its_default() -> None:
    assert all_values(ALL, {}) == {"flag": True, "number": 3, "light": "day"}
    assert all_values(ALL, {"number": 5, "light": "dusk"}) == {"flag": True, "number": 5, "light": "dusk"}


@pytest.mark.parametrize(
    "given", [{"number": 6}, {"number": 0}, {"number": True}, {"flag": 1}, {"light": "night"}, {"other": True}]
)
def test_values_that_an_option_does_not_allow_are_refused(given: dict[str, bool | int | str]) -> None:
    with pytest.raises(SetupRefused):
        all_values(ALL, given)


def test_only_what_is_not_the_default_is_kept_and_only_of_options_that_there_are() -> None:
    assert kept_values(ALL, {"flag": True, "number": 4, "light": "dusk"}) == {"number": 4, "light": "dusk"}
    assert kept_values((FLAG,), {"flag": False, "number": 4}) == {"flag": False}
    assert kept_values(ALL, {"number": 9}) == {}


def test_a_form_of_a_scenario_has_its_options() -> None:
    assert options_of(ALL, "hill") == ALL
    assert options_of(ALL, "hill:3", "hill") == ALL
    assert options_of(ALL, "plain") == (FLAG, ONE_OF)


@pytest.mark.parametrize(
    ("option", "word", "value"),
    [
        (FLAG, "yes", True),
        (FLAG, "Off", False),
        (FLAG, "maybe", None),
        (NUMBER, "4", 4),
        (NUMBER, "9", None),
        (NUMBER, "four", None),
        (NUMBER._replace(low=-5), "-5", -5),
        *[(NUMBER._replace(low=-5), wrong, None) for wrong in ("--5", "5-", "-", "", "²", "٣", "4\n", "4" * 5_000)],
        (ONE_OF, "dusk", "dusk"),
        (ONE_OF, "noon", None),
    ],
)
def test_a_word_of_the_command_line_stands_for_a_value(option: RuleOption, word: str, value: object) -> None:
    assert option.read(word) == value


def test_a_default_must_be_one_of_the_values() -> None:
    assert [fault_of(option) for option in ALL] == ["", "", ""]
    assert "'noon'" in fault_of(ONE_OF._replace(default="noon"))
