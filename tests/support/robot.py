"""A person at the real window, in a process of its own: plays a whole match by mouse and keys alone.

`python -m tests.support.robot --server HOST:PORT --name Ada --folder DIR [--code CODE | --people N --scenario ID]
[--watch]` opens the client's own window (in memory), runs its loop, and puts mouse and key events into the window's
queue, at places found by visible labels and by where figures are drawn. Without a code it makes a table, writes its
invite code into DIR/code, waits until N people are there, fills the rest with bots and starts.

In DIR it writes hashes.jsonl (stream, number and hash of both parts of the scene, at every change), pictures, and at
the end result.json. Exit code 0: the match is over and the replay is saved. SIGTERM ends it where it is (exit code 3).
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

from client.address import parse_address
from client.app import App
from client.drafts import (
    AssignDraft,
    CellDraft,
    FacingDraft,
    NumberDraft,
    OptionDraft,
    OrderDraft,
    PathDraft,
    PiecesDraft,
    PlacementDraft,
    PointDraft,
    TemplateDraft,
)
from client.draw.fields import option_name
from client.picture import save_picture
from client.pilot import Pilot, Wish
from client.profile import load_profile
from client.prompting import CHOOSING, FILLING, PromptDriver
from client.shapes import clamped
from client.ui import Hot
from client.views.lobby import LobbyScreen
from client.views.result import ResultScreen
from client.views.setup import SetupScreen
from client.views.table import TableScreen
from protocol.scene import Option, Point
from tests.support.hand import Hand
from tests.support.robot_notes import Notes

TURN = 0.01
TRIES = 4
STEPS = 12
PICTURE_EVERY = 12
LIKELY = {"shoot": 5, "linked": 5, "move": 3, "end": 1, "propose": 0}


class Robot:
    """Looks at the window, does one thing, waits for the table."""

    def __init__(self, app: App, pilot: Pilot, options: argparse.Namespace) -> None:
        self.app = app
        self.pilot = pilot
        self.options = options
        self.hand = Hand(app)
        self.dice = random.Random(options.name)
        self.folder: Path = options.folder
        self.acts = 0
        self.pictures = 0
        self.seen: dict[str, int] = {}
        self.dead: set[tuple[str, str, str]] = set()
        self.stopped = False

    def stop(self, *_: object) -> None:
        """Leave off after what is being done now."""
        self.stopped = True

    def do_something(self) -> bool:
        """One look and at most one doing; True when everything is done."""
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

    def _click_if_seen(self, label: str, once: str = "") -> bool:
        """Click a label that is seen and does something; things done `once` are not done again."""
        if once and self.seen.get(once):
            return False
        place = self.app.enabled().get(label)
        if place is None:
            return False
        if once:
            self.seen[once] = 1
        self.hand.click(place)
        return True

    def _lobby(self, view: LobbyScreen) -> None:
        session = self.pilot.session
        if self.options.code or session is None or session.conversation.systems is None:
            return
        if self._is_wanted(view) and self._click_if_seen("Create table", once="create"):
            self.picture("lobby")

    def _is_wanted(self, view: LobbyScreen) -> bool:
        """Whether the scenario shown is the one to play; else the next one is asked for."""
        choice = view._choice()
        if self.options.system and choice is not None and choice[0].id != self.options.system:
            self._click_if_seen("Game")
            return False
        if not self.options.scenario or (choice is not None and choice[1].id == self.options.scenario):
            return True
        self._click_if_seen("Scenario")
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
        if self._click_if_seen("Ready", once="ready"):
            self.picture("setup")
        elif (
            len(people) >= self.options.people
            and table.owner == view.session.conversation.you
            and not self._click_if_seen("Fill with bots", once="bots")
        ):
            self._click_if_seen("Start")

    def _table(self, view: TableScreen) -> None:
        if view.shown.top.result is not None:
            return
        if self.options.watch:
            self._watch(view)
            return
        if self._vote(view):
            return
        driver = view.desk.driver
        if driver is None or view.desk.busy or not driver.prompt.choices:
            return
        if view.desk.answered and driver.prompt.window != "turn":
            return
        if driver.stage == CHOOSING:
            self._choose(view, driver)
        elif driver.stage == FILLING:
            self._fill(view, driver)
        self.acts += 1
        if self.acts % PICTURE_EVERY == 0:
            self.picture(f"act-{self.acts:04}")

    def _vote(self, view: TableScreen) -> bool:
        """Agrees to whatever is asked, by its button."""
        vote = view.shown.view.vote if view.shown.view is not None else None
        return vote is not None and self._click_if_seen("Yes", once=f"vote {vote.what} {vote.seat} {vote.by}")

    def _watch(self, view: TableScreen) -> None:
        """A spectator takes pictures now and then."""
        turn = view.shown.top.row.turn if view.shown.top.row is not None else 0
        if turn % 4 == 1 and not self.seen.get(f"turn {turn}"):
            self.seen[f"turn {turn}"] = 1
            self.picture(f"turn-{turn:02}")

    def _choose(self, view: TableScreen, driver: PromptDriver) -> None:
        """A choice by its button. What led nowhere at this prompt is tried ever less, the default at last."""
        prompt = driver.prompt
        tried = self.seen.get(prompt.id, 0)
        self.seen[prompt.id] = tried + 1
        choices = [choice for choice in prompt.choices if (prompt.id, choice.id, "") not in self.dead]
        choices = choices or list(prompt.choices)
        weights = [LIKELY.get(choice.id.split("/")[0], 2) for choice in choices]
        choice = self.dice.choices(choices, weights if any(weights) else None)[0]
        if tried > TRIES:
            choice = next((one for one in choices if one.id == prompt.default), choices[tried % len(choices)])
        label = view.shown.texts.say(choice.name)
        if not self._click_if_seen(label):
            self.hand.press(keys.SPACE)

    def _fill(self, view: TableScreen, driver: PromptDriver) -> None:
        """One doing for the field; a choice that leads nowhere for long is given up step by step."""
        draft = driver.draft
        assert draft is not None
        steps = f"steps of {driver.prompt.id}, {self.seen.get(driver.prompt.id, 0)}"
        self.seen[steps] = self.seen.get(steps, 0) + 1
        if self.seen[steps] > STEPS:
            self.hand.press(keys.ESCAPE)
            return
        kind = f"first-{type(driver.field).__name__.lower()}"
        if not self.seen.get(kind):
            self.seen[kind] = 1
            self.picture(kind)
        match draft:
            case PiecesDraft() | OptionDraft():
                self._pick(view, driver, draft)
            case PointDraft():
                self._point(view, draft)
            case CellDraft() | PathDraft() | FacingDraft():
                self._step(draft)
            case TemplateDraft():
                self._lay(view, draft)
            case PlacementDraft() | NumberDraft() | OrderDraft():
                self.hand.press(keys.ENTER)
            case AssignDraft():
                self._assign(view, draft)
            case _:
                self._write()
        if view.desk.driver is driver and driver.draft is draft and driver.note:
            self.hand.press(keys.ESCAPE)

    def _pick(self, view: TableScreen, driver: PromptDriver, draft: PiecesDraft | OptionDraft) -> None:
        if not draft.missing() and draft.touched:
            self.hand.press(keys.ENTER)
            return
        picked = set(draft.picked()) if draft.touched else set()
        path = (driver.prompt.id, driver.choice.id if driver.choice is not None else "")
        offered = draft.selectable()
        options = [o for key, o in offered.items() if key not in picked and (*path, key) not in self.dead]
        if not options and draft.missing():
            self._dead_end(driver)
            return
        if not options:
            self.hand.press(keys.ENTER)
            return
        option = self.dice.choice(options)
        if not self._on_board(view, option.id, draft):
            self._by_label(view, option, draft)

    def _dead_end(self, driver: PromptDriver) -> None:
        """Nothing can be picked here: a step back, and not this way again at this prompt."""
        assert driver.choice is not None
        before = list(driver.filled().values())[-1:] or [""]
        wrong = before[0] if isinstance(before[0], list) else [before[0]]
        self.dead.update((driver.prompt.id, driver.choice.id, str(thing)) for thing in wrong)
        self.hand.press(keys.ESCAPE)

    def _on_board(self, view: TableScreen, node_id: str, draft: PiecesDraft | OptionDraft) -> bool:
        """Click the thing itself where it is drawn, if a click there means it."""
        place = view.places().get(node_id)
        if place is None or not view.layout.board.contains(*place):
            return False
        top = view.shown.top
        things = top.things_at(view.board.camera.to_table(*place), view.board.slack())
        meant = next((thing for thing in things if thing in draft.selectable()), "")
        covered = self._covered(place)
        if meant != node_id or (covered is not None and covered.act is not None):
            return False
        self.hand.click(place)
        return True

    def _covered(self, place: tuple[float, float]) -> Hot | None:
        return self.app.hot_at(*place)

    def _by_label(self, view: TableScreen, option: Option, draft: PiecesDraft | OptionDraft) -> None:
        """Click the option's line in the panel, turning the list until it is seen."""
        label = option_name(view.shown, option.id, option.name)
        for _ in range(20):
            if self._click_if_seen(label):
                return
            x, y = view.layout.prompt.centre
            self.app.dispatch_event("on_mouse_scroll", round(x), round(y), 0, -3)
            self.app.dispatch_events()
        self.hand.press(keys.ESCAPE)

    def _point(self, view: TableScreen, draft: PointDraft) -> None:
        """A click on the board, towards a place picked at random; nearer to the start at every further try."""
        if draft.point is not None and not draft.touched and self.dice.random() < 0.5:
            self.hand.press(keys.ENTER)
            return
        width, height = view.shown.top.table.size
        goal: Point = (self.dice.randrange(width), self.dice.randrange(height))
        field = draft.field
        place = clamped(goal, field.start, field.reach, field.regions)
        window = view.board.camera.to_window(*place)
        hot = self._covered(window)
        if not view.layout.board.contains(*window) or (hot is not None and hot.act is not None):
            return
        self.hand.click(window)

    def _step(self, draft: CellDraft | PathDraft | FacingDraft) -> None:
        """A cell, a corner of a path or an angle, by key: on for a while, then accepted."""
        if draft.missing() or self.dice.random() < 0.5:
            self.hand.press(keys.PLUS)
        else:
            self.hand.press(keys.ENTER)

    def _lay(self, view: TableScreen, draft: TemplateDraft) -> None:
        """A template: laid by a click near where it lies, then accepted."""
        if draft.touched or draft.point is None:
            self.hand.press(keys.ENTER)
            return
        x, y = view.board.camera.to_window(*draft.point)
        hot = self._covered((x + 9, y + 6))
        if hot is not None and hot.act is not None:
            self.hand.press(keys.ENTER)
        else:
            self.hand.click((x + 9, y + 6))

    def _assign(self, view: TableScreen, draft: AssignDraft) -> None:
        without = next((item for item in draft.field.items if item.id not in draft.slot_of), None)
        if without is None:
            self.hand.press(keys.ENTER)
        else:
            self.hand.click_on(f"{option_name(view.shown, without.id, without.name)}: nowhere yet")

    def _write(self) -> None:
        self.hand.click_on("Write here")
        self.hand.type("May we?")
        self.hand.press(keys.ENTER)

    def _result(self) -> bool:
        session = self.pilot.session
        if session is None:
            return True
        if session.saved_replay is not None:
            self.picture("result")
            return True
        self._click_if_seen("Save replay", once="save")
        return False

    def picture(self, name: str) -> None:
        self.pictures += 1
        save_picture(self.app, self.folder / f"{self.pictures:03}-{name}.png")


def run(options: argparse.Namespace) -> int:
    """Play until the end, or until the time is up (exit code 3)."""
    options.folder.mkdir(parents=True, exist_ok=True)
    app = App((options.width, options.height))
    profile = load_profile(options.name, options.folder)
    profile.name = options.name
    pilot = Pilot(app, profile, options.name, options.folder)
    notes = Notes(options.folder / "hashes.jsonl")
    robot = Robot(app, pilot, options)
    wish = Wish(watch=options.code) if options.watch else Wish(join=options.code)
    pilot.begin(parse_address(options.server), wish)
    assert pilot.session is not None
    pilot.session.on_scene = notes
    until = time.monotonic() + options.seconds
    signal.signal(signal.SIGTERM, robot.stop)
    done = _loop(app, robot, until)
    conversation = pilot.session.conversation
    report = {
        "done": done,
        "acts": robot.acts,
        "pictures": robot.pictures,
        "drifts": conversation.drifts,
        "links": pilot.session.links_made,
        "replay": str(pilot.session.saved_replay),
        "notice": pilot.session.notice,
    }
    (options.folder / "result.json").write_text(json.dumps(report))
    if not done:
        robot.picture("end")
    pilot.close()
    return 0 if done else 3


def _loop(app: App, robot: Robot, until: float) -> bool:
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
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=800)
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
