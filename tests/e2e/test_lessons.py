"""Lessons are learned by clicking what they point at and nothing else, whatever comes between two steps."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

os.environ["ARCADE_HEADLESS"] = "1"

from client.views.result_screen import ResultScreen
from tests.support.clients.programs import ServerProgram
from tests.support.clients.windows.pupil import Pupil
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.doubles.relay_thread import RelayThread

pytestmark = pytest.mark.waits

MOST_INPUTS = 12
"""Clicks and keys after which the first turn has ended."""
ASKS_WITHIN = 30
"""Seconds from the start to the first act that is asked for."""
LONG = 240


@pytest.fixture(scope="module")
def app() -> Iterator[ReadableApp]:
    window = ReadableApp((1280, 800))
    yield window
    window.close()


@contextmanager
def learner(app: ReadableApp, folder: Path, port: int, seed: int = 0) -> Iterator[Pupil]:
    app.front = app.confirmation = None
    pupil = Pupil(app, folder, f"127.0.0.1:{port}", seed)
    try:
        yield pupil
    finally:
        pupil.close()


async def test_whoever_clicks_what_is_pointed_at_ends_a_turn_and_the_match(app: ReadableApp, tmp_path: Path) -> None:
    """The first quick start of a profile is the guided match."""
    server = ServerProgram(tmp_path)
    await server.start()
    begun = time.monotonic()
    try:
        with learner(app, tmp_path, server.port) as pupil:
            await pupil.learn(inputs=1)
            assert time.monotonic() - begun < ASKS_WITHIN
            await pupil.learn()
            assert 0 < pupil.ended <= MOST_INPUTS
            assert isinstance(app.front, ResultScreen)
            assert pupil.session.lessons.is_taught("action_cards", "first_patrol")
    finally:
        await server.end()


@pytest.mark.long("client")
@pytest.mark.parametrize("system", ["one_page", "apocalypse_earth"])
async def test_lessons_of_other_games_are_in_the_lobby(app: ReadableApp, tmp_path: Path, system: str) -> None:
    server = ServerProgram(tmp_path)
    await server.start()
    try:
        with learner(app, tmp_path, server.port) as pupil:
            pupil.choose_lesson(system)
            await pupil.learn(turns=1)
            assert 0 < pupil.ended <= MOST_INPUTS
    finally:
        await server.end()


def every_other_time(act: Callable[[], object], pupil: Pupil) -> None:
    """Do something between two steps, every other time."""
    if len(pupil.steps) > 1 and pupil.chance.random() < 0.5:
        act()


@pytest.mark.parametrize("system", ["action_cards", "one_page", "apocalypse_earth"])
@pytest.mark.parametrize("between", ["act", "cut", "leave"])
@pytest.mark.parametrize(
    "seed",
    [pytest.param(seed, marks=pytest.mark.long("lessons")) for seed in range(20)],
)
async def test_whatever_comes_between_two_steps_the_match_is_learned_to_its_end(
    app: ReadableApp, tmp_path: Path, seed: int, between: str, system: str
) -> None:
    """A random legal act, a cut connection, or the program closed and started again."""
    server = ServerProgram(tmp_path)
    await server.start()
    try:
        with RelayThread(server.port) as relay, learner(app, tmp_path, relay.port, seed) as pupil:
            if system != "action_cards":
                pupil.choose_lesson(system)
            acts = {"act": pupil.act_at_random, "cut": relay.cut, "leave": pupil.come_back}
            pupil.between = partial(every_other_time, acts[between])
            await pupil.learn(LONG)
            assert isinstance(app.front, ResultScreen)
    finally:
        await server.end()
