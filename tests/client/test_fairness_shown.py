"""The mark of the live check in the window: found by its label, told apart by its shape, explained by a page."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key as keys
from msgspec.structs import replace

from client.app import App
from client.draw.fairness import MARK
from client.fairness import Verdict
from client.texts import Texts
from protocol.codec import decode_message, encode
from protocol.from_server import Delta, Proof, TableView, Welcome
from protocol.limits import Limits
from protocol.proofs import Begun, Bound
from protocol.text import text
from tests.client.test_fairness import honest
from tests.support import scenes
from tests.support.hand import Hand
from tests.support.sessions import Table
from tests.support.signing import HOST


@pytest.fixture
def watched(app: App, tmp_path: Path) -> Table:
    """A table whose id is that of the proven match, with a host that has a key."""
    frames = []
    for message in (decode_message(frame, Limits()) for frame in scenes.table_frames(-1)):
        if isinstance(message, Welcome):
            message = replace(message, key=HOST.public)
        if isinstance(message, TableView):
            message = replace(message, id="m1")
        # the dice of the picture are of no match
        frames.append(encode(replace(message, told=()) if isinstance(message, Delta) else message))
    return Table(app, tmp_path, frames)


def test_the_mark_says_how_the_dice_stand(watched: Table, app: App, hand: Hand) -> None:
    check = watched.session.fair_play.check
    assert check is not None and MARK in app.labels()
    facts = honest()
    watched.say(Proof("m1", 0, tuple(facts)))
    assert check.verdict is Verdict.CHECKED
    hand.press(keys.F2)
    watched.settle()
    assert "Back to the table" in app.labels()
    hand.press(keys.ESCAPE)
    watched.settle()
    assert "Back to the table" not in app.labels()


def test_a_click_on_the_mark_opens_the_page(watched: Table, app: App, hand: Hand) -> None:
    watched.say(Proof("m1", 0, tuple(honest())))
    hand.click_on(MARK)
    watched.settle()
    assert "Back to the table" in app.labels()


def test_a_cheat_is_in_the_log_and_stays_on_the_mark(watched: Table) -> None:
    facts = honest()
    second = [n for n, fact in enumerate(facts) if isinstance(fact, Begun)][1]
    begun = facts[second]
    assert isinstance(begun, Begun) and isinstance(facts[0], Bound)
    watched.say(Proof("m1", 0, (*facts[:second], replace(begun, seed=bytes(32)), *facts[second + 1 :])))
    assert watched.session.fair_play.check is not None
    assert watched.session.fair_play.check.verdict is Verdict.WRONG
    assert any("WRONG" in line.text for line in watched.session.talk.log)


def test_no_catalogue_of_a_server_changes_what_the_check_says() -> None:
    texts = Texts()
    texts.learn({"fair.no_proof": "all is well"})
    assert texts.say(text("fair.no_proof")).startswith("unproven")
