"""Popup of the quick match: what one wishes for, the search, and the match that is offered."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from client.input.key_table import KeyPress
from client.model.lobby.kept_lists import lists_for_match
from client.model.session import ClientSession
from client.text.phrases import phrase, yes_or_no
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.wire.quick_match import MatchOffered

if TYPE_CHECKING:
    from client.app.navigator import Navigator

WIDTH, HEIGHT = 560, 328
ROW, GAP = 32, 4
SEATS: Final = (2, 3, 4, 5, 6)


class QuickMatchPopup:
    """Popup over the lobby; it opens by itself where a match is offered."""

    def __init__(self, session: ClientSession, navigator: Navigator) -> None:
        self.session = session
        self.navigator = navigator
        self.search = session.match_search
        self._is_open = False

    @property
    def is_open(self) -> bool:
        """True while it is to be drawn."""
        return self._is_open or self.search.offer is not None

    def open(self) -> None:
        self._is_open, self.session.notice = True, ""

    def close(self) -> None:
        """Close it; a search goes on."""
        self._is_open = False

    def draw_button(self, ui: Ui, row: Rect) -> None:
        """Draw the button that opens it, and says how long a search goes on."""
        search = self.search
        words = phrase("quick.seeking", time=_minutes(search.waited)) if search.is_on else phrase("quick.open")
        act = self.open if search.is_known else None
        ui.button(row, words, act, name=phrase("quick.open"), tip=phrase("quick.open.tip"), chosen=search.is_on)

    def draw(self, ui: Ui) -> None:
        inside = ui.popup(ui.px(WIDTH), ui.px(HEIGHT), phrase("quick.title"))
        foot, inside = inside.cut_bottom(ui.px(ROW), ui.px(GAP))
        if (offer := self.search.offer) is not None:
            self._draw_offer(ui, inside, foot, offer)
        elif self.search.is_on:
            self._draw_search(ui, inside, foot)
        else:
            self._draw_wish(ui, inside, foot)

    def _draw_wish(self, ui: Ui, inside: Rect, foot: Rect) -> None:
        rows, search, systems = inside.share(7, ui.px(ROW), ui.px(GAP)), self.search, self._systems()
        ui.line(phrase("quick.games"), next(rows), colour=theme.MUTED)
        for box, (id, name) in zip(next(rows).columns(max(len(systems), 1), 4), systems.items(), strict=False):
            ui.button(box, name, partial(self._flip_system, id), chosen=id in self._chosen(), listed=True)
        ui.line(phrase("quick.seats"), next(rows), colour=theme.MUTED)
        for box, count in zip(next(rows).columns(len(SEATS), 8), SEATS, strict=True):
            name = phrase("quick.players", count=count)
            ui.button(box, name, partial(self._flip_seats, count), chosen=count in search.seats)
        self._draw_terms(ui, next(rows))
        ui.line(self.session.notice, next(rows), colour=theme.WARN, size=theme.SMALL)
        seek, close = foot.columns(2)
        can = bool(self._chosen() and search.seats)
        tip = "" if can else phrase("quick.choose")
        ui.button(seek, phrase("quick.seek"), self._seek if can else None, primary=can, tip=tip)
        ui.button(close, phrase("quick.close"), self.close, key=ui.keys.shown("back"))

    def _draw_terms(self, ui: Ui, row: Rect) -> None:
        """Draw the choices between live and by mail, rated or not, which by mail nothing is, and a ranked match, which
        fixes the other two."""
        search = self.search
        mail, rated, ranked = row.columns(3, 8)
        fixed = phrase("option.fixed") if search.ranked else ""
        unrated = phrase("option.not_by_mail") if search.mail else ""
        by_mail = yes_or_no(is_so=search.mail and not search.ranked)
        is_rated = yes_or_no(is_so=search.is_rated)
        flip_mail = None if search.ranked else self._flip_mail
        flip_rated = None if search.ranked or search.mail else self._flip_rated
        ui.button(mail, phrase("option.mail", mail=by_mail), flip_mail, tip=fixed)
        ui.button(rated, phrase("option.rated", rated=is_rated), flip_rated, tip=fixed or unrated)
        can = bool(self.session.registered_name)
        tip = phrase("option.ranked.tip" if can else "quick.ranked.guest")
        words = phrase("option.ranked", ranked=yes_or_no(is_so=search.ranked))
        ui.button(ranked, words, self._flip_ranked if can else None, tip=tip)

    def _draw_search(self, ui: Ui, inside: Rect, foot: Rect) -> None:
        inside = ui.lines(phrase("quick.seeking", time=_minutes(self.search.waited)), inside, bold=True, gap=8)
        ui.lines(self.session.notice or phrase("quick.wait"), inside, colour=theme.MUTED)
        fill, stop, close = foot.columns(3)
        may = self.search.may_fill
        tip = phrase("quick.fill.ranked" if self.search.ranked else "quick.fill.tip")
        ui.button(fill, phrase("quick.fill"), self._fill if may else None, tip=tip, primary=may)
        ui.button(stop, phrase("quick.stop"), self.search.stop)
        ui.button(close, phrase("quick.close"), self.close, key=ui.keys.shown("back"))

    def _draw_offer(self, ui: Ui, inside: Rect, foot: Rect, offer: MatchOffered) -> None:
        game = self._systems().get(offer.system, offer.system)
        scenario = self.session.texts.say(offer.scenario)
        inside = ui.lines(
            phrase("quick.offer", game=game, scenario=scenario, seats=offer.seats), inside, bold=True, gap=8
        )
        ui.lines(
            phrase("quick.confirmed", confirmed=offer.confirmed, seats=offer.seats, left=round(self.search.left)),
            inside,
        )
        yes, no = foot.columns(2)
        words = phrase("quick.waits") if offer.mine else phrase("quick.confirm")
        ui.button(
            yes, words, None if offer.mine else self._confirm, primary=not offer.mine, key=ui.keys.shown("yes", 0)
        )
        ui.button(no, phrase("quick.refuse"), self.search.stop, key=ui.keys.shown("yes", 1))

    def key(self, press: KeyPress) -> bool:
        """Answer an offer by Y and N; return False for all other keys."""
        answer = press.which("yes")
        if self.search.offer is None or answer is None:
            return False
        self.search.stop() if answer else self._confirm()
        return True

    def _systems(self) -> dict[str, str]:
        """Return the names of the server's systems by id."""
        systems = self.session.conversation.systems
        return {one.id: self.session.texts.say(one.name) for one in systems.systems} if systems is not None else {}

    def _chosen(self) -> list[str]:
        wished = self.search.systems
        return [id for id in self._systems() if wished is None or id in wished]

    def _flip_system(self, id: str) -> None:
        self.search.systems = set(self._chosen()) ^ {id}

    def _flip_seats(self, count: int) -> None:
        self.search.seats ^= {count}

    def _flip_mail(self) -> None:
        self.search.mail = not self.search.mail

    def _flip_rated(self) -> None:
        self.search.rated = not self.search.rated

    def _flip_ranked(self) -> None:
        self.search.ranked = not self.search.ranked

    def _seek(self) -> None:
        self.session.notice = ""
        systems, chosen = self.session.conversation.systems, self._chosen()
        known = systems.systems if systems is not None else ()
        self.search.seek(chosen, lists_for_match(chosen, self.navigator.army_lists, known))

    def _confirm(self) -> None:
        if self.search.offer is not None and not self.search.offer.mine:
            self.navigator.to_table()
            self.search.confirm()

    def _fill(self) -> None:
        self._is_open = False
        self.navigator.to_table()
        self.search.fill()


def _minutes(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"
