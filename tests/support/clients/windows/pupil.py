"""A learner who knows nothing and clicks only what a lesson points at, in the client's own window drawn into memory."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from arcade import key as keys

from client.app.navigator import Navigator
from client.app.picture import save_picture
from client.model.arrival_plan import ArrivalPlan
from client.model.session import ClientSession
from client.net.address import parse_address
from client.storage.profile import load_profile
from client.views.result_screen import ResultScreen
from client.views.table.table_screen import TableScreen
from engine.core.bots.bot import Picture, run_inline
from engine.core.bots.random_bot import RandomBot
from protocol.scene.fields import AnyField
from protocol.scene.nodes import Reply
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.runs.patience import PATIENCE
from tests.support.systems.hand import Hand

TURN = 0.004
"""Seconds between two looks at the window."""
FIRST = {"move", "walk"}
"""Steps of which one ends in the first turn."""
WATCHING = {"watch", "watch_on"}
"""Steps that are shown while others act."""
CORNER = (2.0, 2.0)
"""A place in the window where the mouse points at nothing."""
STILL = 0.35
"""Seconds for which a sign that did nothing when it was clicked is not clicked again."""


class Asked(Picture):
    """The scene and prompt of a session, with details asked of its server."""

    def __init__(self, pupil: Pupil, session: ClientSession) -> None:
        scene, table = session.conversation.scene, session.conversation.table
        assert scene is not None
        assert scene.prompt is not None
        assert table is not None
        super().__init__(table.seat, dict(scene.nodes), scene.prompt)
        self.pupil = pupil
        self.session = session

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        number = self.session.ask_detail(choice, fields)
        self.pupil.turn_until(lambda: self.session.detail is not None and self.session.detail.id == number)
        return self.session.detail.field if self.session.detail is not None else None


class Pupil:
    """Learner at one window. `inputs`: clicks and keys so far; `steps`: the steps that were shown, in order; `ended`:
    inputs after which the first turn had ended; `between`: called between two steps.

    `pictures`: a folder for one picture before each input; `watches`: what others do is shown act by act.
    """

    def __init__(
        self,
        app: ReadableApp,
        folder: Path,
        address: str,
        seed: int = 0,
        pictures: Path | None = None,
        *,
        watches: bool = False,
    ) -> None:
        self.watches = watches
        self.app = app
        self.folder = folder
        self.address = address
        self.hand = Hand(app)
        self.chance = random.Random(seed)
        self.bot = RandomBot(seed)
        self.pictures = pictures
        self.inputs = 0
        self.steps: list[str] = []
        self.ended = 0
        self.between: Callable[[Pupil], object] = lambda pupil: None
        self.clicked: tuple[object, float] = (None, 0.0)
        self.navigator = self._start()

    def _start(self) -> Navigator:
        self.app.before_tick.clear()
        navigator = Navigator(self.app, load_profile("pupil", self.folder), "pupil", self.folder)
        navigator.begin(parse_address(self.address), ArrivalPlan(quick=True))
        return navigator

    @property
    def session(self) -> ClientSession:
        assert self.navigator.session is not None
        return self.navigator.session

    def come_back(self) -> None:
        """Close the program, and start it again."""
        self.navigator.close()
        self.navigator = self._start()
        self.turn_until(lambda: isinstance(self.app.front, TableScreen | ResultScreen))

    def act_at_random(self) -> None:
        """Make any legal choice in place of what is pointed at, if there is any to make."""
        screen = self.app.front
        if not isinstance(screen, TableScreen) or screen.gestures.prompt is None or not screen.gestures.prompt.choices:
            return
        reply: Reply = run_inline(self.bot.decide(Asked(self, self.session)))
        intent = self.session.intend(reply)
        self.turn_until(lambda: intent not in self.session.conversation.pending)

    def turn_until(self, condition: Callable[[], bool]) -> None:
        """Let the window's loop run until something holds. Raises TimeoutError."""
        until = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > until:
                raise TimeoutError
            self.app.step(TURN)
            time.sleep(TURN)

    def choose_lesson(self, system: str) -> None:
        """Begin the first lesson of a game from the lobby in place of the one for newcomers."""
        self.navigator.plan = ArrivalPlan()
        conversation = self.session.conversation
        self.turn_until(lambda: conversation.systems is not None and conversation.lobby is not None)
        assert conversation.systems is not None
        chosen = next(one for one in conversation.systems.systems if one.id == system)
        self.navigator.learn(chosen, chosen.lessons[0])

    async def learn(self, seconds: float = PATIENCE, *, turns: int = 0, inputs: int = 0) -> None:
        """Do what is pointed at until the match is over, so many turns of one's own have ended, or as many inputs are
        done. Raises TimeoutError with what was shown last."""
        until = time.monotonic() + seconds
        while not isinstance(self.app.front, ResultScreen):
            if time.monotonic() > until:
                raise TimeoutError(f"after {self.inputs} inputs at {self.steps[-3:]}: {sorted(self.app.labels())}")
            self.app.step(TURN)
            if isinstance(self.app.front, TableScreen):
                self._look(self.app.front)
            if (turns and self.ended) or (inputs and self.inputs >= inputs):
                return
            await asyncio.sleep(TURN)

    def _look(self, screen: TableScreen) -> None:
        if not self.watches and screen.to_truth():
            self.app.step(TURN)
        self.app.build()
        run = self.session.lessons.present
        step = run.step.id if run is not None and run.step is not None else ""
        if not self.ended and run is not None and FIRST & set(run.ended) and step in WATCHING:
            self.ended = self.inputs
        if step and (not self.steps or self.steps[-1] != step):
            self.steps.append(step)
            self.between(self)
            return
        if self.pictures is not None and screen.guide.spot is not None:
            self._settle(screen)
        if self.app.confirmation is not None:
            self._picture()
            self.hand.press(keys.Y)
            self.inputs += 1
        elif screen.guide.spot is not None:
            self._click(screen.guide.spot, (step, screen.guide.spot))

    def _click(self, spot: tuple[float, float], what: object) -> None:
        """Click what is pointed at, but not again at once where nothing has come of it yet."""
        last, at = self.clicked
        if what == last and time.monotonic() - at < STILL:
            return
        self._picture()
        self.hand.click(spot)
        self.inputs += 1
        self.clicked = what, time.monotonic()

    def _settle(self, screen: TableScreen) -> None:
        """Take the mouse away, and let everything come to rest."""
        self.app.ui.mouse = CORNER
        for _ in range(40):
            self.app.step(0.05)
            time.sleep(TURN)
        screen.to_truth()
        self.app.step(TURN)
        self.app.refresh()
        self.app.build()

    def rest(self) -> None:
        """Wait until the lesson points at something, and let all that moves at the table come to rest."""
        self.turn_until(self._is_pointed_at)
        if isinstance(self.app.front, TableScreen):
            self._settle(self.app.front)

    def _is_pointed_at(self) -> bool:
        screen = self.app.front
        if not isinstance(screen, TableScreen):
            return False
        screen.to_truth()
        self.app.build()
        return screen.guide.spot is not None

    def _picture(self) -> None:
        if self.pictures is not None:
            self.pictures.mkdir(parents=True, exist_ok=True)
            save_picture(self.app, self.pictures / f"{self.inputs + 1:02}.png")

    def close(self) -> None:
        """End the program."""
        self.navigator.close()
