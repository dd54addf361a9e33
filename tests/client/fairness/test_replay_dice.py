"""The page about a replay's dice: each round with its seats by name, and no record that ends the window."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgpack
import pytest
from arcade import key as keys

from client.errors import CannotPlay
from client.fairness.dice_page import replay_lines
from client.fairness.replay_parts import parts_of
from client.model.replay.replay_player import ReplayPlayer, load_replay
from client.text.texts import Texts
from client.views.board.replay_screen import ReplayScreen
from protocol.fairness.replay import Replay, write
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.examples import replays
from tests.support.fairness.entropy_match import NAMES, EntropyMatch
from tests.support.fairness.signing import HOST
from tests.support.systems.hand import Hand

pytestmark = pytest.mark.waits


@cache
def replay() -> Replay:
    match = EntropyMatch()
    for missing in ((), (2,), ()):
        match.round(missing)
    match.give_up()
    match.round()
    return match.replay()


def told(of: Replay) -> list[str]:
    history = parts_of(of).history
    assert history is not None
    return [Texts().say(line.words) for line in replay_lines(history, NAMES.__getitem__)]


def test_each_round_lists_its_seats_and_what_was_given_up() -> None:
    lines = told(replay())
    assert lines[:6] == [
        "Round 5",
        "Parts: Ada in, Bea bot, Cyd in",
        "rests on the programs of Ada and Cyd",
        "Round 4",
        "Parts: Ada in, Bea bot, Cyd sitting out",
        "rests on the program of Ada",
    ]
    assert lines[6] == "The host gave up an act in round 4 after a fault; its dice stay spent."
    assert lines[lines.index("Round 3") + 1] == "Parts: Ada in, Bea bot, Cyd missing"


def test_the_page_opens_over_the_replay_and_closes(app: ReadableApp, hand: Hand) -> None:
    screen = ReplayScreen(app, ReplayPlayer(replay()))
    app.show(screen)
    hand.click_on("Whose dice")
    assert "Parts: Ada in, Bea bot, Cyd missing" in app.labels()
    hand.press(keys.DOWN)
    hand.press(keys.ESCAPE)
    assert "Round 5" not in app.labels()
    hand.press(keys.F2)
    hand.click_on("Back to the replay")
    assert "Step forward" in app.labels()


def shown(app: ReadableApp, of: Replay) -> set[str]:
    screen = ReplayScreen(app, ReplayPlayer(of))
    app.show(screen)
    app.on_key_press(keys.F2, 0)
    return set(app.labels())


def test_of_a_match_of_dice_1_the_page_says_what_its_parts_did_not_do(app: ReadableApp) -> None:
    log = [msgpack.unpackb(step, strict_map_key=False) for step in replay().log]
    del log[0][2][0]["dice"]
    labels = shown(app, replay()._replace(log=tuple(map(msgpack.packb, log))))
    assert any(label.startswith("These rounds were begun before the second dice scheme") for label in labels)
    assert not any(label.startswith("Round ") for label in labels)


def bent(entry: str, field: str, value: Any) -> Replay:
    """Return a record whose first entry of a kind somebody has changed."""
    log = [msgpack.unpackb(step, strict_map_key=False) for step in replay().log]
    first = next(one for step in log for one in step[2] if one["e"] == entry)
    first[field] = value
    return replay()._replace(log=tuple(map(msgpack.packb, log)))


@pytest.mark.parametrize(
    "of",
    [
        replays.replay(),
        replay()._replace(log=()),
        bent("core.started", "seats", "six"),
        bent("core.started", "seats", 2),
        bent("core.started", "seats", -1),
        bent("core.seat", "seat", 99),
        bent("core.seat", "by", 7),
        bent("core.tip", "tip", "no bytes"),
        bent("core.call", "seats", 5),
        bent("core.round", "round", 9),
        bent("core.round", "round", -9),
        bent("core.round", "round", None),
        bent("core.round", "links", {"a": 1}),
        bent("core.round", "links", [1, 2, 3]),
        bent("core.started", "e", ["core", "started"]),
    ],
    ids=range(15),
)
def test_a_record_that_cannot_be_read_does_not_end_the_window(app: ReadableApp, of: Replay) -> None:
    labels = shown(app, of)
    assert "Back to the replay" in labels
    assert any(label.startswith(("The record in this file cannot be read", "Round ")) for label in labels)


def test_a_record_that_costs_too_much_is_not_opened(tmp_path: Path) -> None:
    lists = 7_000_000
    costly = b"\x95\x02\x81\xa1c\xa5table\xdd" + lists.to_bytes(4, "big") + b"\x90" * lists + b"\xc0\x80"
    path = tmp_path / "costly.replay"
    path.write_bytes(write(replay()._replace(log=(replay().log[0], costly)), HOST))
    with pytest.raises(CannotPlay, match="more memory or time"):
        load_replay(path)
    path.write_bytes(write(replay(), HOST))
    assert load_replay(path).log == replay().log
