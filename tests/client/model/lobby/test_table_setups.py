"""Set-ups of tables: what is kept of a table, and that it is read again as it was, or refused."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from client.model.lobby.table_setups import read_setup, setup_of, written
from protocol.text import Text
from protocol.wire.choices import OptionChoice
from protocol.wire.from_client import ChangeTable
from tests.support.examples import scenes

EVENTS = OptionChoice("events", Text("Events"), Text("hint"), "flag", default=True)
FOG = OptionChoice("fog", Text("Fog"), Text("hint"), "flag", default=False)
OPEN = replace(scenes.table_view(1, "open"), seconds=120, mail=True, options={"events": False}, begins=5)


def test_all_that_an_owner_chooses_is_kept_but_name_date_and_people() -> None:
    change = setup_of(OPEN, [EVENTS, FOG]).change
    assert (change.scenario, change.seconds, change.mail) == (OPEN.scenario, 120, True)
    assert change.options == {"events": False, "fog": False}, "defaults, too: another table may have other values"
    assert (change.name, change.begins) == (None, None)
    unset = [name for name in ChangeTable.__struct_fields__ if getattr(change, name) is None]
    assert unset == ["name", "begins", "password"], "a new field is to be kept, or named as one that is not"


def test_of_a_ranked_table_is_kept_what_is_chosen_there() -> None:
    ranked = replace(OPEN, ranked=True, rated=True, strict=True, staying=80)
    kept = ChangeTable(scenario=OPEN.scenario, private=OPEN.private, ranked=True, staying=80)
    assert setup_of(ranked, [EVENTS]).change == kept


def test_it_is_read_as_it_was_written() -> None:
    setup = setup_of(OPEN, [EVENTS, FOG])
    assert read_setup(written(setup)) == setup


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"system": "duel", "change": {"seconds": 1}}'])
def test_what_is_no_set_up_is_refused(text: str) -> None:
    with pytest.raises(msgspec.MsgspecError):
        read_setup(text)
