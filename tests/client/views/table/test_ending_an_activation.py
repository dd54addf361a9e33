"""The end of an activation at the window: it waits, its number is no other's, and Space does not end it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from arcade import key as keys

from protocol.scene.nodes import Reply
from server.content.systems import Installed
from tests.support.clients.windows.clicks_an_act import MATCHES
from tests.support.clients.windows.deeds import SET_UP, decide
from tests.support.clients.windows.hands import FormHand, Stuck
from tests.support.clients.windows.local_table import LocalTable
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.installed import shipped_systems

pytestmark = pytest.mark.waits
ENDS = {"action_cards": "end", "one_page": "finish", "apocalypse_earth": "finish"}
LATER = {*ENDS.values(), "idle", "stand"}


@pytest.fixture(scope="module")
def systems() -> Mapping[str, Installed]:
    return shipped_systems()


def acted(local: LocalTable, hand: FormHand) -> None:
    """Act until nothing is left to do but to end the activation."""
    dice = random.Random(2)
    for _ in range(60):
        hand.until(lambda: not hand.view.controller.busy and hand.view.controller.driver is not None)
        prompt = local.prompt
        assert prompt is not None
        if {choice.id for choice in prompt.choices} <= set(ENDS.values()):
            return
        deed = decide(local.situation, Reply(prompt.default), dice)
        if deed.choice.id not in LATER:
            try:
                hand.do(deed)
            except Stuck:
                hand.give_up()
    raise AssertionError(f"the activation never came to its end: {local.acts}")


@pytest.mark.parametrize(("system", "scenario"), MATCHES.items())
def test_an_activation_waits_for_its_player_and_neither_space_nor_another_number_ends_it(
    app: ReadableApp, tmp_path: Path, systems: Mapping[str, Installed], system: str, scenario: str
) -> None:
    local = LocalTable(app, tmp_path, systems[system], scenario, 3, SET_UP)
    hand = FormHand(local)
    hand.until(lambda: local.match.record.settings)
    assert local.match.record.settings[local.seat].waits
    acted(local, hand)
    done = len(local.acts)
    app.build()
    assert local.prompt is not None
    numbers = {spot.label: spot.number for spot in app.ui.hotspots if spot.listed and spot.number}
    free = set(range(1, 10)) - set(numbers.values())
    for symbol in (keys.SPACE, keys.SPACE, *(keys.KEY_0 + number for number in free)):
        hand.press(symbol)
    local.turn()
    assert len(local.acts) == done
    hand.press(keys.KEY_0 + numbers[hand.say(local.prompt.choices[0].name)])
    assert hand.until(lambda: len(local.acts) > done)
    assert local.acts[done] == ENDS[system]
