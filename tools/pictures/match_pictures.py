"""Pictures of a match from its start to its result, of those who watch it, and of what is kept of it."""

from __future__ import annotations

from typing import Final

from arcade import key as keys

from client.views.table.table_screen import TableScreen
from protocol.wire.from_client import ChangeTable, Chat, Concede, LookAs, Offer, SetReady, StartMatch
from tests.support.lobby_evening.common_acts import go_back
from tests.support.lobby_evening.evening import Evening
from tools.pictures.camera import Camera
from tools.pictures.table_pictures import TABLE, back_at_the_table

END: Final = "End the card"
MOST_CARDS: Final = 30


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
    camera.take_page(four.dora.app, "on-now", 130)
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
    await four.take(four.ann, "Talk")
    camera.take_page(four.ann.app, "talk")
    four.ann.close_pages()


async def _play_on(four: Evening, camera: Camera) -> None:
    """End card after card until dice lie at the table and Ben is to act; show the table to him and to a spectator."""
    for _ in range(MOST_CARDS):
        await four.until(lambda: four.ann.can(END) or four.ben.can(END))
        screen = four.ben.app.front
        assert isinstance(screen, TableScreen)
        screen.to_truth()
        if four.ben.can(END) and screen.model.dice:
            break
        for visitor in (four.ann, four.ben):
            if visitor.can(END):
                visitor.take(END)
                if visitor.app.confirmation is not None:
                    visitor.hand.press(keys.Y)
    camera.take(four.ben.app, "table")
    four.ben.hand.press(keys.F2)
    await four.until(lambda: four.ben.can("Back to the table"))
    camera.take_page(four.ben.app, "fair-dice")
    four.ben.back()
    watched = four.dora.app.front
    assert isinstance(watched, TableScreen)
    watched.to_truth()
    camera.take(four.dora.app, "match")


async def end(four: Evening, camera: Camera) -> None:
    """Show the result of a match that both people have conceded."""
    await go_back(four, four.ann, four.ben, four.dora)
    for visitor in (four.ben, four.ann):
        visitor.session.say(Concede())
    await four.until(lambda: four.ann.can("Save replay"))
    camera.take(four.ann.app, "result")
    await four.to_lobby()


async def record(four: Evening, camera: Camera) -> None:
    """Show one's matches with ratings and staying power, and the best of a game."""
    await four.take(four.ann, "Results and ratings")
    await four.until(lambda: four.ann.session.results is not None)
    camera.take_page(four.ann.app, "results", 400)
    await four.take(four.ann, "Best: Action-card skirmish")
    await four.until(lambda: four.ann.session.leaders is not None)
    camera.take_page(four.ann.app, "leaders", 260)
