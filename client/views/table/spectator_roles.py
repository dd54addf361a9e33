"""Spectators' roles: what a spectator sees, who may look into the player's seat, and requests for more."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from client.model.session import ClientSession
from client.model.table.sides import allies_of
from client.model.table.view_model import ViewModel, minutes
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.wire.from_client import Consent, LookAs
from protocol.wire.from_server import Role, TableView, Watcher


def sees_in_words(model: ViewModel, role: Role) -> str:
    """Return what a spectator sees, for the list of spectators."""
    if role.sees == "seat":
        return phrase("watching.sees", name=model.player_name(role.seat))
    if role.sees == "all":
        return phrase("watching.sees_all")
    if role.wants >= 0:
        return phrase("watching.asks", name=model.player_name(role.wants))
    return phrase("watching.watches")


def my_view_in_words(model: ViewModel) -> str:
    """Return what this spectator sees, and how old it is; "" for a player."""
    view = model.view
    if view is None or view.seat >= 0:
        return ""
    if view.role.sees == "seat":
        prompt = f": {model.prompt_title(model.top.prompt)}" if model.top.prompt is not None else ""
        return phrase("watching.you_see", name=model.player_name(view.role.seat), prompt=prompt)
    if view.role.sees == "all":
        if view.behind < 0:
            return phrase("watching.first")
        return phrase("watching.behind", ago=minutes(view.behind + model.elapsed * 1000))
    return phrase("watching.asked", name=model.player_name(view.role.wants)) if view.role.wants >= 0 else ""


def draw_view_label(ui: Ui, board: Rect, model: ViewModel) -> None:
    """Draw the label at the top of the board that says what kind of view this is."""
    words = my_view_in_words(model)
    if not words:
        return
    width = min(ui.px(520), board.w * 0.7)
    height = ui.lines_height(words, width - ui.px(20), size=theme.SMALL) + ui.px(12)
    box = Rect(board.centre[0] - width / 2, board.top - height - ui.px(8), width, height)
    ui.painter.box(box, theme.PANEL, 1, theme.WARN, 5)
    ui.lines(words, Rect(box.x + ui.px(8), box.y, box.w - ui.px(20), box.h - ui.px(8)), size=theme.SMALL)
    ui.tag(box, words)


def view_requests(view: TableView | None) -> tuple[Watcher, ...]:
    """Return the spectators who wait for the player's consent to see what they see, or an ally's."""
    if view is None or view.seat < 0:
        return ()
    side = allies_of(view, view.seat)
    asking = [watcher for watcher in view.watchers if watcher.role.wants in side]
    return tuple([watcher for watcher in asking if view.seat not in watcher.role.agreed])


def draw_consent_withdrawal(ui: Ui, rect: Rect, model: ViewModel, session: ClientSession, watcher: Watcher) -> bool:
    """Draw the menu's button that withdraws this spectator's view of the player's seat; return False if there is
    none."""
    side = allies_of(model.view, model.seat) if model.view is not None else ()
    if watcher.role.sees != "seat" or watcher.role.seat not in side:
        return False
    act, name = partial(session.say, Consent(who=watcher.who, allow=False)), watcher.name
    ui.button(rect, phrase("watching.stop"), act, name=phrase("watching.stop.of", name=name))
    return True


def available_roles(model: ViewModel) -> Iterator[tuple[str, LookAs]]:
    """Yield the roles that a spectator may ask for now: words and message."""
    view = model.view
    if view is None or view.seat >= 0 or view.state != "live":
        return
    if view.role.sees != "public" or view.role.wants >= 0:
        yield phrase("watching.public"), LookAs(sees="public")
    if view.delayed_view and view.role.sees != "all":
        yield phrase("watching.all"), LookAs(sees="all")
    for seat in view.seats if view.seat_views else ():
        is_mine = view.role.sees == "seat" and view.role.seat == seat.seat
        if seat.who and not is_mine and view.role.wants != seat.seat:
            yield phrase("watching.ask", name=seat.name), LookAs(sees="seat", seat=seat.seat)
