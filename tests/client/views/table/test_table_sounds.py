"""Sounds at the table: what is shown is heard as it is shown, one's turn rings, what is passed over is silent."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.views.table.table_screen import TableScreen
from protocol.ids import Seq, TableId
from protocol.scene.delta import Patch, node_map
from protocol.scene.nodes import PROMPT_NODE, RESULT_NODE, WAITS_NODE, Act, Cue, Dice, Result, SeatResult
from protocol.text import Text, text
from protocol.wire.from_server import ChatLine, ClockView, ClockWarning, Delta, Problem, Reject
from protocol.wire.scene_model import SceneModel
from tests.support.clients.heard_sounds import Ear
from tests.support.clients.sessions import Table
from tests.support.examples import scenes
from tests.support.systems.hand import Hand

OTHER, MINE = 0, 1


@pytest.fixture
def ear(table: Table) -> Ear:
    return Ear(table.app)


def change(table: Table, patch: Patch, *cues: Cue, acts: Sequence[Act] = ()) -> None:
    """Tell of cues, and of a change of the public part."""
    model = table.session.conversation.scene
    assert isinstance(model, SceneModel)
    at = Seq(model.numbers[0] + 1)
    table.say(Delta(n=at, patch=patch, hash=model.public.after(patch).hash, told=cues, acts=tuple(acts)))


def waits(table: Table, *seats: int) -> None:
    change(table, {WAITS_NODE: {"seats": list(seats)}})


def pass_time(table: Table, seconds: float) -> None:
    for _ in range(round(seconds / 0.1)):
        table.time += 0.1
        table.app.step(0.1)


def shots() -> list[Cue]:
    dice = Dice(text("what"), OTHER, 6, (3, 4))
    return [
        Cue("shot", Text("log.shot"), act=1),
        Cue("dice", Text("log.shot"), dice=dice, act=1),
        Cue("casualty", Text("log.casualties"), act=1),
    ]


def test_an_act_is_heard_as_it_is_shown_and_not_before(table: Table, ear: Ear) -> None:
    pass_time(table, 2.0)
    change(table, {}, *shots(), acts=[Act(1, "shot", OTHER, how="done")])
    assert ear.names == ["rifle"]
    pass_time(table, 3.0)
    assert ear.names == ["rifle", "dice_roll", "dice_settle", "casualty"]


def test_what_is_passed_over_is_silent(table: Table, ear: Ear, hand: Hand) -> None:
    pass_time(table, 2.0)
    change(table, {}, *shots(), acts=[Act(1, "shot", OTHER, how="done")])
    hand.press(keys.SPACE)
    pass_time(table, 3.0)
    assert ear.names == ["rifle"]


def test_at_the_speed_that_shows_all_at_once_acts_are_silent(table: Table, ear: Ear) -> None:
    pass_time(table, 2.0)
    table.profile.speed = "skip"
    change(table, {}, *shots(), acts=[Act(1, "shot", OTHER, how="done")])
    pass_time(table, 3.0)
    assert ear.names == []


def test_a_bell_rings_once_when_ones_turn_comes_and_not_while_it_goes_on(table: Table, ear: Ear) -> None:
    waits(table, MINE)
    assert ear.names == [], "it was one's turn already"
    waits(table, OTHER)
    assert ear.names == []
    waits(table, MINE)
    waits(table, MINE, OTHER)
    assert ear.names == ["my_turn"]
    waits(table, OTHER)
    waits(table, MINE)
    assert ear.names == ["my_turn", "my_turn"]


def test_another_bell_rings_for_a_question(table: Table, ear: Ear) -> None:
    waits(table, OTHER)
    prompt = replace(scenes.card_prompt(), window="reaction")
    table.say(scenes.snapshot("private", {PROMPT_NODE: prompt}))
    waits(table, OTHER)
    waits(table, MINE)
    assert ear.names == ["question"]


def test_the_window_calls_where_another_has_the_keys_until_it_has_them_again(
    table: Table, ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles: list[str] = []
    monkeypatch.setattr(table.app, "set_caption", titles.append)
    waits(table, OTHER)
    table.app.on_activate()
    waits(table, MINE)
    assert {*titles} == {"Eschaton"}
    waits(table, OTHER)
    table.app.on_deactivate()
    waits(table, MINE)
    table.app.on_activate()
    assert titles[-2:] == ["\N{BLACK CIRCLE} Eschaton", "Eschaton"]


def test_what_others_say_is_heard_and_what_one_says_oneself_is_not(table: Table, ear: Ear) -> None:
    you = table.session.conversation.you
    for who in (you, "w9"):
        table.say(ChatLine(who=who, name="Ann", role="player", text="hello", at=1))
    assert ear.names == ["chat"]


def test_a_refusal_is_heard(table: Table, ear: Ear) -> None:
    table.say(Reject(bytes(16), "turn/not-yours", text("refuse.turn/not-yours")))
    table.say(Problem("table/full", text("no")))
    assert ear.names == ["refused", "refused"]


def test_the_clock_is_heard_when_time_runs_out(table: Table, ear: Ear) -> None:
    view = replace(scenes.table_view(1), clocks=(ClockView(1, 0, 9_000),))
    table.say(view, ClockWarning(TableId(view.id), (1,), 9_000))
    table.settle()
    assert ear.names == ["clock"]


@pytest.mark.parametrize(("winner", "sound"), [(MINE, "victory"), (OTHER, "defeat")])
def test_the_end_is_heard_once_when_the_result_is_shown(table: Table, ear: Ear, winner: int, sound: str) -> None:
    result = Result(text("why"), tuple(SeatResult(seat, seat == winner) for seat in range(2)))
    change(table, {RESULT_NODE: node_map(result)})
    pass_time(table, 1.0)
    assert not isinstance(table.app.front, TableScreen)
    assert ear.names == [sound]
    table.navigator.look_at_table()
    pass_time(table, 0.5)
    table.navigator.to_result()
    pass_time(table, 0.5)
    assert ear.names == [sound]


def test_a_click_is_heard_by_mouse_and_by_keys_and_muted_by_a_key(table: Table, ear: Ear, hand: Hand) -> None:
    hand.click_on("Menu")
    hand.tab_to("Settings")
    hand.press(keys.ENTER)
    assert ear.names == ["click", "click"]
    hand.press(keys.S, keys.MOD_CTRL)
    hand.click_on("Close")
    assert ear.names == ["click", "click"]
    assert not table.profile.sound
    hand.press(keys.S, keys.MOD_CTRL)
    hand.click_on("Back to the table")
    assert ear.names == ["click"] * 3
