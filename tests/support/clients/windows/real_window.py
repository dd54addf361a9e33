"""The client's window on a real display, at a table of a test's.

`python -m tests.support.clients.windows.real_window DIR` opens it. Its loop is the toolkit's own. At each change it
prints the visible state as one line of JSON: labels and their places, text scale, camera, tool, the field with the
focus, and the kinds of messages sent.
"""

from __future__ import annotations

import json
import signal
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pyglet
from msgspec.structs import replace

from client.app.main import run
from client.app.window_place import all_screens, opening_place
from client.draw.board.terrain.ground_worker import GroundWorker
from client.input.drafts import NumberDraft
from client.model.replay.replay_player import ReplayPlayer
from client.net.connection import Frame
from client.storage.fault_reports import FaultReports
from client.storage.profile import WindowPlace, load_profile
from client.views.board.replay_screen import ReplayScreen
from client.views.table.table_screen import TableScreen
from engine.rulesets.action_cards.text.texts import ENGLISH
from protocol.limits import Limits
from protocol.scene.advice import Gesture
from protocol.scene.fields import Band, PickPoint
from protocol.scene.nodes import PROMPT_NODE, UndoState
from protocol.text import text
from protocol.wire.codec import decode_request, encode
from protocol.wire.from_client import CallVote, CastVote, Chat, FromClient, Intent, Propose, Survey
from protocol.wire.from_server import Catalogue, Proposed, Reject, Surveyed, VoteView
from tests.support.clients.sessions import Table
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.clients.windows.window_states import states_of
from tests.support.examples import replays, scenes


def frames() -> list[bytes]:
    """Return the frames of a live table seen from seat 1, where a vote is open, a bot plays for the seat, and the last
    act can be taken back."""
    table = scenes.table_view()
    seats = tuple(replace(seat, bot="level1") if seat.seat == 1 else seat for seat in table.seats)
    vote = VoteView("end", by=0, asked=(0, 1))
    move, shoot, *others = scenes.card_prompt().choices
    bend = PickPoint("via", text("field.to"), lazy=True, auto=True)
    move = replace(move, fields=(*move.fields, bend), gesture=Gesture("group", "to", "point", mark="move"))
    shoot = replace(shoot, gesture=Gesture("group", "target", "group", mark="shot", ends=True))
    prompt = replace(scenes.card_prompt(), choices=(move, shoot, *others), undo=UndoState(can=True))
    welcome, _, _, public, _ = scenes.table_frames()
    book = {key: words for key, words in ENGLISH.items() if key.startswith("book.")}
    catalogue = encode(Catalogue("action_cards", "en", "d" * 16, {**scenes.ENTRIES, **book}))
    private = scenes.snapshot("private", {PROMPT_NODE: prompt})
    return [welcome, catalogue, encode(replace(table, seats=seats, vote=vote)), public, encode(private)]


EVERYWHERE = Band(text("choice.move"), 800, (((0, 0), (7200, 0), (7200, 4800), (0, 4800)),))


class Watcher:
    """Printer of the visible state at each change."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.told = ""

    def tick(self, seconds: float) -> bool:
        """Run as a part of the window's loop."""
        table = self.table
        said = [decode_request(data, Limits()) for data in table.wire.sent]
        table.wire.sent.clear()
        table.said += said
        for message in said:
            if isinstance(message, Intent):  # refuse it, so that the next key meets the same window
                table.wire.waiting.append(Frame(encode(Reject(message.id, "test/again", text("why.dice")))))
            elif isinstance(message, Survey):
                table.wire.waiting.append(Frame(encode(Surveyed(message.id, "move", reach=(EVERYWHERE,)))))
            elif isinstance(message, Propose):
                table.wire.waiting.append(Frame(encode(Proposed(message.id, message.fields))))
        line = json.dumps(self.seen(), sort_keys=True)
        if line != self.told:
            self.told = line
            print(line, flush=True)
        return False

    def seen(self) -> dict[str, Any]:
        app, view = self.table.app, self.table.app.front
        if isinstance(view, ReplayScreen):
            show, player = view.show, view.player
            told = {"step": player.step, "playing": show.is_playing, "speed": show.speed, "eyes": player.audience}
            return {"labels": app.labels(), **told}
        assert isinstance(view, TableScreen)
        camera, tool, focus = view.board.camera, view.board.tool, app.ui.focus
        draft = view.controller.driver.draft if view.controller.driver is not None else None
        return {
            "labels": app.labels(),
            "scale": round(app.ui.scale * 100),
            "zoom": round(camera.zoom, 3),
            "centre": [round(x) for x in camera.focus],
            "tool": tool.kind if tool is not None else "",
            "focus": next((spot.label for spot in app.ui.hotspots if focus is not None and spot.input is focus), ""),
            "written": focus.text if focus is not None else "",
            "help": app.help,
            "ground": "painted" if view.board.job is None and view.board.painted is not None else "plain",
            "states": states_of(app),
            "sound": self.table.profile.sound,
            "size": [app.width, app.height, app.fullscreen],
            "place": list(app.get_location()),
            "cursor": list(view.cursor.at) if view.cursor.at is not None else [],
            "marked": app.ui.marked.label if app.ui.marked is not None else "",
            "busy": view.controller.busy,
            "stage": view.controller.driver.stage if view.controller.driver is not None else "",
            "aside": view.controller.driver.focus if view.controller.driver is not None else "",
            "offer": draft.number if isinstance(draft, NumberDraft) else None,
            "said": [_named(message) for message in self.table.said if not isinstance(message, Survey | Propose)],
            "corners": len(view.gestures.corners),
            "places": view.board.places,
            "mouse": app.ui.mouse,
        }


def _named(message: FromClient) -> str:
    """Return a message's kind, with its arguments where they tell keys apart."""
    match message:
        case Intent():
            return f"Intent {message.choice}"
        case CastVote():
            return f"CastVote {message.yes}"
        case CallVote():
            return f"CallVote {message.what}"
        case Chat():
            return f"Chat {message.to}: {message.text}"
        case _:
            return type(message).__name__


def stumble(app: ReadableApp, folder: Path) -> None:
    """Let the toolkit's loop fail once it runs, as it does where a keyboard sends unreadable keys."""
    app.reports = FaultReports(folder / "reports")
    loop = pyglet.app.event_loop
    idle, turns = loop.idle, count()

    def faulty() -> float | None:
        if next(turns) == 5:
            raise ValueError("the toolkit has stumbled")
        return idle()

    loop.idle = faulty  # type: ignore[method-assign]


def drag_frame(app: ReadableApp) -> None:
    """Change size and place, as a person does at the window's frame, which this screen has not."""
    app.set_size(1100, 660)
    app.set_location(90, 70)


def main() -> None:
    folder = Path(sys.argv[1])
    place = WindowPlace(1280, 800)
    if "--remembers" in sys.argv:
        place = opening_place(load_profile("test", folder).window, all_screens())
    app = ReadableApp((place.width, place.height))
    app.placing.restore(place)
    app.ground_worker = GroundWorker(app.call, app.want_frame)
    if "--calls" in sys.argv:
        app.call_person()
    table = Table(app, folder, frames())
    watcher = Watcher(table)
    app.before_tick.append(watcher.tick)
    if "--stumbles" in sys.argv:
        stumble(app, folder)
    if "--replay" in sys.argv:
        app.before_tick = [watcher.tick]
        app.show(ReplayScreen(app, ReplayPlayer(replays.replay())))
    signal.signal(signal.SIGUSR1, lambda number, frame: drag_frame(app))
    status = run(app)
    table.navigator.close()
    sys.exit(status)


if __name__ == "__main__":
    main()
