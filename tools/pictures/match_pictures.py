"""Pictures of a match from its start to its result, of those who watch it, and of what is kept of it."""

from __future__ import annotations

from typing import Final

from arcade import key as keys
from PIL import Image

from client.app.window import App
from client.text.phrases import phrase
from client.ui import theme
from client.ui.layout import Rect
from client.views.board.table_panels import dice_part
from client.views.table.table_screen import TableScreen
from protocol.scene.nodes import Reply
from protocol.wire.from_client import ChangeTable, Chat, LookAs, Offer, SetReady, StartMatch
from tests.support.lobby_evening.common_acts import go_back
from tests.support.lobby_evening.evening import Evening
from tests.support.lobby_evening.visitor import Visitor
from tools.pictures.camera import Camera
from tools.pictures.table_pictures import TABLE, back_at_the_table

END: Final = "End the card"
LOG_TAB: Final = "Log"
"""What happened since one last acted stands in the place of the dice until then."""
MOST_ANSWERS: Final = 200
LINKED_ACT: Final = 12
EDGE: Final = 10
"""Pixels beside the dice that belong to them."""
BETWEEN: Final = 8
"""Pixels between two pictures side by side."""
NOTICED: Final = 142
"""Pixels from the top of a window in which a notice stands, with what is below it."""


async def play(four: Evening, camera: Camera) -> None:
    """Show the talk at a table, what is on now, and spectators with what they may see."""
    await back_at_the_table(four)
    await four.take(four.ann, "Fill with bots")
    await four.told(four.ann, lambda table: all(seat.who or seat.bot for seat in table.seats))
    four.ann.session.say(ChangeTable(bot_pace=300))
    await four.told(four.ann, lambda table: table.bot_pace == 300)
    for visitor in (four.ann, four.ben):
        visitor.session.say(SetReady(ready=True))
    await four.told(four.ann, lambda table: all(seat.ready for seat in table.seats if seat.who))
    four.ann.session.say(StartMatch())
    await four.told(four.ann, lambda table: table.state == "live")
    for visitor in (four.cid, four.dora):
        visitor.navigator.to_lobby()
    await four.take(four.cid, "On now", f"Watch {TABLE}")
    await four.told(four.cid, lambda table: table.seat < 0)
    await four.take(four.dora, "On now")
    await four.until(lambda: four.dora.can(f"Watch {TABLE}"))
    camera.take_page(four.dora.app, "on-now", 170)
    await four.take(four.dora, f"Watch {TABLE}")
    await four.told(four.dora, lambda table: table.seat < 0)
    await _watch(four, camera)
    await _talk(four, camera)
    await _play_on(four, camera)


async def _watch(four: Evening, camera: Camera) -> None:
    """Show the menu of who watches, and what the player is asked."""
    await four.take(four.cid, "Menu")
    camera.take(four.cid.app, "watching")
    four.cid.session.say(LookAs(sees="seat", seat=1))
    await four.until(lambda: any(label.startswith("Allow") for label in four.ben.app.labels()))
    await four.take(four.ben, "Menu")
    camera.take_page(four.ben.app, "menu")
    four.ben.close_pages()
    await four.take(four.ben, next(label for label in four.ben.app.labels() if label.startswith("Allow")))
    await four.until(lambda: any(watcher.role.seat == 1 for watcher in four.ann.view.watchers))
    four.cid.close_pages()


async def _talk(four: Evening, camera: Camera) -> None:
    """Show words to all and to one alone, and offers."""
    four.ben.session.say(Chat(text="Good luck, all of you."))
    four.ben.session.say(Offer(to=0, kind="truce", text="until the first Triple", open=False))
    four.ann.session.say(Offer(to=1, kind="leave", text="you take the mill, I the ford", open=False))
    four.ben.session.say(Chat(text="The bots do not read this, do they?", to=0))
    await four.until(lambda: any(label.startswith("Accept:") for label in four.ann.app.labels()))
    await four.take(four.ann, "Chat", "Talk")
    camera.take_page(four.ann.app, "talk")
    four.ann.close_pages()
    await four.take(four.ann, "Accept: A truce of Ben")
    await four.take(four.ben, "Accept: I leave a place of Ann")
    await four.until(lambda: not four.ben.sees("Accept: I leave a place of Ann"))


async def _play_on(four: Evening, camera: Camera) -> None:
    """Play on until dice lie at the table and Ben has a card; show the table to him and to a spectator."""
    for _ in range(MOST_ANSWERS):
        await four.until(lambda: _is_to_act(four.ann) or _is_to_act(four.ben))
        screen = four.ben.app.front
        assert isinstance(screen, TableScreen)
        screen.to_truth()
        if four.ben.can(END) and screen.model.dice:
            break
        _let_time_run_out(four)
    await four.take(four.ben, LOG_TAB)
    camera.take(four.ben.app, "table")
    _strict_dice(four, camera)
    four.ben.hand.press(keys.F2)
    await four.until(lambda: four.ben.can("Back to the table"))
    camera.take_page(four.ben.app, "fair-dice")
    four.ben.back()
    watched = four.dora.app.front
    assert isinstance(watched, TableScreen)
    watched.to_truth()
    camera.take(four.dora.app, "match")


def _strict_dice(four: Evening, camera: Camera) -> None:
    """Show the dice that lie at Ben's table as those of a strict table do: behind a closed lock, and an open one."""
    pictures = [_locked(four.ben.app, camera, is_strict=is_strict) for is_strict in (True, False)]
    width, height = pictures[0].size
    both = Image.new("RGB", (2 * width + BETWEEN, height), theme.BACK[:3])
    for place, picture in enumerate(pictures):
        both.paste(picture, (place * (width + BETWEEN), 0))
    camera.put("strict-dice", both)


def _locked(app: App, camera: Camera, *, is_strict: bool) -> Image.Image:
    """Return a picture of the dice with the lock of rolls that are strict, or are not."""
    assert isinstance(app.front, TableScreen)
    app.front.model.strictness = lambda roll: is_strict
    app.refresh()
    app.build()
    words = phrase("dice.strict" if is_strict else "dice.not_strict")
    row, feed = next(spot.rect for spot in app.ui.front_spots if spot.label == words), app.front.layout.feed
    panel, _ = dice_part(app.ui, feed)
    return camera.picture(app, Rect(row.x - EDGE, panel.y, row.w + 2 * EDGE, panel.h))


def _is_to_act(visitor: Visitor) -> bool:
    """Return True while somebody is asked for something that they have not answered yet."""
    session = visitor.session
    return session.prompt is not None and bool(session.prompt.default) and not session.conversation.pending


def _let_time_run_out(four: Evening) -> None:
    """Let whoever is to act do what is played for them when their time has run out."""
    for visitor in (four.ann, four.ben):
        prompt = visitor.session.prompt
        if prompt is not None and _is_to_act(visitor):
            visitor.session.intend(Reply(prompt.default))


async def end(four: Evening, camera: Camera) -> None:
    """Show the result of the match, after both people have let time run out until its end."""
    await go_back(four, four.ann, four.ben, four.dora)
    for _ in range(MOST_ANSWERS):
        await four.until(lambda: _is_to_act(four.ann) or _is_to_act(four.ben) or four.ann.can("Save replay"))
        if four.ann.can("Save replay"):
            break
        _let_time_run_out(four)
    replays = four.ann.session.replays
    await four.until(
        lambda: (check := replays.finished_check) is not None and check.is_done and four.ann.can("Play again")
    )
    camera.take(four.ann.app, "result")


async def linked(four: Evening, camera: Camera) -> None:
    """Show a replay at an act to which a link leads."""
    await go_back(four, four.ann)
    link = four.ann.session.link_to(four.ann.view.code, LINKED_ACT)
    assert link is not None, "a finished match has a link"
    four.dora.navigator.links.visit(link)
    await four.until(lambda: four.dora.can("Copy the link"))
    camera.take(four.dora.app, "linked-replay")
    await four.take(four.dora, "Back")


async def rematch(four: Evening, camera: Camera) -> None:
    """Show the notice of the next table to one who has played and is in the lobby."""
    await go_back(four, four.ann)
    await four.take(four.ann, "Play again")
    await four.until(lambda: four.ben.can("Sit down"))
    window = four.ben.app.ui.window
    camera.take(four.ben.app, "rematch", window.cut_top(NOTICED)[0])
    await four.take(four.ben, "Not now")


async def record(four: Evening, camera: Camera) -> None:
    """Show one's matches with ratings and staying power, and the best of a game."""
    await four.take(four.ann, "Results and ratings")
    await four.until(lambda: four.ann.session.results is not None)
    camera.take_page(four.ann.app, "results", 400)
    await four.take(four.ann, "Best: Action-card skirmish")
    await four.until(lambda: four.ann.session.leaders is not None)
    camera.take_page(four.ann.app, "leaders", 260)
