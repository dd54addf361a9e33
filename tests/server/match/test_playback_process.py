"""A long match is played again for its replay in a process of its own, and in the server where that fails."""

import io
import json
from typing import Any

import pytest

from engine.core.rules.system import System
from engine.rulesets.action_cards import system as action_cards
from protocol.fairness.replay import read
from protocol.limits import Limits
from server.match.playback import played
from server.match.playback_process import LONG, playback
from server.runtime.logs import make_log
from tests.support.examples.golden import file_of, systems

Stored = tuple[Any, bytes, list[bytes]]


@pytest.fixture
def stored() -> Stored:
    """The match, secret and steps of a golden replay, long enough for a process of its own."""
    installed, _ = systems()["action_cards"]
    replay = read(file_of(installed).read_bytes(), Limits())
    assert len(replay.log) >= LONG
    return replay.header.match, replay.secret, list(replay.log)


@pytest.mark.waits
async def test_a_process_tells_the_same_as_the_server_would(stored: Stored) -> None:
    written = io.StringIO()
    found = await playback(action_cards, *stored, make_log(written))
    assert found == played(action_cards, *stored)
    assert not written.getvalue()


class NotThere(type(action_cards)):  # type: ignore[misc]  # the class of a system that is an instance
    """Rules that a process cannot import."""


NotThere.__qualname__ = "nobody.knows"


@pytest.mark.waits
async def test_where_the_process_fails_the_server_does_it_and_says_so(stored: Stored) -> None:
    rules: System[Any] = NotThere()
    written = io.StringIO()
    found = await playback(rules, *stored, make_log(written))
    assert found == played(action_cards, *stored)
    [line] = [json.loads(line) for line in written.getvalue().splitlines()]
    assert line["event"] == "playback-process"
    assert line["problem"] == "the process ended with 1"
