"""A person at the real window, in a process of its own: plays a whole match by mouse and keys alone.

`python -m tests.support.clients.windows.robot --server HOST:PORT --name Ada --folder DIR [--code CODE | --people N
--scenario ID] [--watch] [--pictures]` opens the client's own window (in memory), runs its loop, and puts mouse and key
events into the window's queue, at places found by visible labels and by where figures are drawn. Without a code it
makes a table, writes its invite code into DIR/code, waits until N people are there, fills the rest with bots, starts.

In DIR it writes hashes.jsonl (stream, number and hash of both parts of the scene, at every change), with --pictures
pictures for people, and at the end result.json. Exit code 0: the match is over and the replay is saved. SIGTERM ends
it where it is (exit code 3).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

os.environ["ARCADE_HEADLESS"] = "1"

from arcade import key as keys

from client.app.navigator import Navigator
from client.app.picture import save_picture
from client.input.prompt_driver import CHOOSING, FILLING, PromptDriver
from client.model.arrival_plan import ArrivalPlan
from client.net.address import parse_address
from client.storage.profile import load_profile
from client.views.lobby.lobby_screen import LobbyScreen
from client.views.lobby.setup_screen import SetupScreen
from client.views.result_screen import ResultScreen
from client.views.table.table_screen import TableScreen
from protocol.scene.nodes import Choice
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.clients.windows.robot_fields import Filler, occasion
from tests.support.clients.windows.robot_notes import Notes
from tests.support.systems.hand import Hand

TURN = 0.01
TRIES = 4
NEW = 4
"""What it has never tried it likes so much better."""
PICTURE_EVERY = 40
LISTS = ("Army list", "Take the ready list", "Play with this list")
"""What it clicks, in this order, where a list is to be brought; a guest picks another army before."""
KEEN = 12
"""What has not come off so many times is liked no better than other things."""
WHEELS = ("fly", "land", "take_off", "disembark", "embark", "blast", "drive")
"""What it does first wherever it can and has not done it yet, in this order."""
LIKELY: dict[str, float] = {
    **dict.fromkeys(WHEELS, 8),
    "shoot": 5,
    "linked": 5,
    "move": 3,
    "end": 1,
    "propose": 0,
    "walk": 5,
    "run": 5,
    "assault": 20,
    "hold": 1,
    "idle": 0.25,
    "finish": 1,
    "rest": 0.5,
}


class Robot:
    """Player that looks at the window, does one thing, and waits for the table."""

    def __init__(self, app: ReadableApp, navigator: Navigator, options: argparse.Namespace) -> None:
        self.app = app
        self.navigator = navigator
        self.options = options
        self.hand = Hand(app)
        self.dice = random.Random(options.name)
        self.folder: Path = options.folder
        self.acts = 0
        self.pictures = 0
        self.filler = Filler(app, self.hand, self.dice, self.picture)
        self.seen = self.filler.seen
        self.dead = self.filler.dead
        self.tried: dict[str, int] = {}
        self.begun: tuple[str, str] | None = None
        self.done: set[str] = set()
        self.stopped = False

    def stop(self, *_: object) -> None:
        """Stop after the present act."""
        self.stopped = True

    def do_something(self) -> bool:
        """Look once and do at most one thing; return True when everything is done."""
        match self.app.front:
            case LobbyScreen() as view:
                self._lobby(view)
            case SetupScreen() as view:
                self._setup(view)
            case TableScreen() as view:
                self._table(view)
            case ResultScreen():
                return self._result()
            case _:
                pass
        return False

    def _lobby(self, view: LobbyScreen) -> None:
        session = self.navigator.session
        if self.options.code or session is None or session.conversation.systems is None:
            return
        if self._is_wanted(view) and self.filler.click_if_seen("Create table", once="create"):
            self.picture("lobby")

    def _is_wanted(self, view: LobbyScreen) -> bool:
        """Tell if the shown scenario is the wanted one, for as many; else ask for the next one."""
        choice = view._choice()
        if self.options.system and choice is not None and choice[0].id != self.options.system:
            self.filler.click_if_seen("Game")
            return False
        if not self.options.scenario or (choice is not None and choice[1].id == self.options.scenario):
            return True
        same = choice is not None and (choice[1].form_of or choice[1].id) == self.options.scenario.partition(":")[0]
        self.filler.click_if_seen("Number of seats" if same else "Scenario")
        return False

    def _setup(self, view: SetupScreen) -> None:
        table = view.table
        if table is None or self.options.watch:
            return
        if table.code and not self.options.code and not self.seen.get("code"):
            self.seen["code"] = 1
            (self.folder / "code.new").write_text(table.code)
            (self.folder / "code.new").replace(self.folder / "code")
        people = [seat for seat in table.seats if seat.who]
        lists = (LISTS[0], "Army", *LISTS[1:]) if self.options.code else LISTS
        if any(self.filler.click_if_seen(label, once=label) for label in lists):
            return
        # again where another player has chosen another faction or list since
        if not table.seats[table.seat].ready and self.filler.click_if_seen("Ready"):
            self.picture("setup")
        elif (
            len(people) >= self.options.people
            and table.owner == view.session.conversation.you
            and not self.filler.click_if_seen("Fill with bots", once="bots")
        ):
            self.filler.click_if_seen("Start")

    def _table(self, view: TableScreen) -> None:
        if view.model.top.result is not None:
            return
        if self.options.watch:
            self._watch(view)
            return
        if self._vote(view):
            return
        driver = view.controller.driver
        if driver is None or view.controller.busy or not driver.prompt.choices:
            return
        if view.controller.answered:
            return
        if driver.stage == CHOOSING:
            self._choose(view, driver)
        elif driver.stage == FILLING:
            self.filler.fill(view, driver)
        self.acts += 1
        if self.acts % PICTURE_EVERY == 0:
            self.picture(f"act-{self.acts:04}")

    def _vote(self, view: TableScreen) -> bool:
        """Agree to every vote, by its button."""
        vote = view.model.view.vote if view.model.view is not None else None
        return vote is not None and self.filler.click_if_seen("Yes", once=f"vote {vote.what} {vote.seat} {vote.by}")

    def _watch(self, view: TableScreen) -> None:
        """Take pictures now and then, as a spectator."""
        turn = view.model.top.row.turn if view.model.top.row is not None else 0
        if turn % 4 == 1 and not self.seen.get(f"turn {turn}"):
            self.seen[f"turn {turn}"] = 1
            self.picture(f"turn-{turn:02}")

    def _wish(self, kind: str) -> float:
        """Return the weight of a choice: higher the less it has been tried."""
        likely = LIKELY.get(kind, 2)
        return likely * NEW if likely and not self.tried.get(kind) else likely

    def _wheels(self, view: TableScreen, choices: list[Choice]) -> list[Choice]:
        """Return the preferred vehicle choice, if it can be made now. It takes off only where the card lets it fly on
        at once: a hovering vehicle is shot at."""
        row = view.model.top.row
        keen = [kind for kind in WHEELS if kind not in self.done and (kind != "take_off" or (row and row.left > 1))]
        by_kind = {choice.id: choice for choice in choices if self.tried.get(choice.id, 0) < KEEN}
        return [by_kind[kind] for kind in keen if kind in by_kind][:1]

    def _finished(self, now: str) -> None:
        """Count a choice as done once it has led to another occasion; the first of each kind gets a picture."""
        if self.begun is None or self.begun[0] == now:
            return
        kind = self.begun[1].split("/")[0]
        self.begun = None
        if kind not in self.done:
            self.done.add(kind)
            self.picture(f"after-{kind}")

    def _choose(self, view: TableScreen, driver: PromptDriver) -> None:
        """Choose by a button. Choices that led nowhere on this occasion are tried ever less, the default at last."""
        prompt, now = driver.prompt, occasion(view)
        self._finished(now)
        tried = self.seen.get(now, 0)
        self.seen[now] = tried + 1
        every = list(prompt.choices)
        choices = [choice for choice in prompt.choices if (now, choice.id, "") not in self.dead]
        choices = choices or list(prompt.choices)
        choices = self._wheels(view, choices) or choices
        weights = [self._wish(choice.id.split("/")[0]) for choice in choices]
        choice = self.dice.choices(choices, weights if any(weights) else None)[0]
        if tried > TRIES:
            choice = next((one for one in every if one.id == prompt.default), every[tried % len(every)])
        self.tried[choice.id] = self.tried.get(choice.id, 0) + 1
        self.begun = now, choice.id
        label = view.model.texts.say(choice.name)
        if not self.filler.click_if_seen(label) and choice.key:
            self.hand.press(ord(choice.key))
        if self.app.confirmation is not None:
            self.hand.press(keys.Y)

    def _result(self) -> bool:
        session = self.navigator.session
        if session is None:
            return True
        if session.replays.saved is not None:
            self.picture("result")
            return True
        self.filler.click_if_seen("Save replay", once="save")
        return False

    def picture(self, name: str) -> None:
        """Take a picture, where people want them: to draw and write one takes its time."""
        if not self.options.pictures:
            return
        self.pictures += 1
        save_picture(self.app, self.folder / f"{self.pictures:03}-{name}.png")


def run(options: argparse.Namespace) -> int:
    """Play until the end, or until the time is up (exit code 3)."""
    options.folder.mkdir(parents=True, exist_ok=True)
    app = ReadableApp((options.width, options.height))
    profile = load_profile(options.name, options.folder)
    profile.name = options.name
    navigator = Navigator(app, profile, options.name, options.folder)
    notes = Notes(options.folder / "hashes.jsonl")
    robot = Robot(app, navigator, options)
    plan = ArrivalPlan(watch=options.code) if options.watch else ArrivalPlan(join=options.code)
    navigator.begin(parse_address(options.server), plan)
    assert navigator.session is not None
    navigator.session.on_scene = notes
    until = time.monotonic() + options.seconds
    signal.signal(signal.SIGTERM, robot.stop)
    done = _loop(app, robot, until)
    conversation = navigator.session.conversation
    report = {
        "done": done,
        "acts": robot.acts,
        "pictures": robot.pictures,
        "drifts": conversation.drifts,
        "links": navigator.session.links_made,
        "replay": str(navigator.session.replays.saved),
        "notice": navigator.session.notice,
    }
    (options.folder / "result.json").write_text(json.dumps(report))
    if not done:
        robot.picture("end")
    navigator.close()
    return 0 if done else 3


def _loop(app: ReadableApp, robot: Robot, until: float) -> bool:
    while time.monotonic() < until and not robot.stopped:
        app.step(TURN)
        if robot.do_something():
            return True
        time.sleep(TURN)
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--code", default="")
    parser.add_argument("--people", type=int, default=1)
    parser.add_argument("--system", default="")
    parser.add_argument("--scenario", default="")
    parser.add_argument("--watch", action="store_true")
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=800)
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
