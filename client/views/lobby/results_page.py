"""Page of a person's finished matches, ratings and staying power, and of those who lead in each game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from client.model.session import ClientSession
from client.text.days import day_of
from client.text.phrases import named, phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.ui.scrolled_rows import ScrolledRows
from protocol.ids import TableId
from protocol.wire.from_client import GetLeaders, GetResults
from protocol.wire.results import Leader, RatingView, ResultRow, Results, ResultSeat

WIDE, ROW, GAP, TABS = 864, 48, 4, 200
"""Width in pixels of the page, height of a row, room between two rows, width of the tabs."""
LEADER_ROW: Final = 28
MATCHES: Final = ""
"""The tab of a person's matches; the others are systems."""


class ResultsPage:
    """Popup above the screen. `fetch` asks for the replay of a table, `watch` follows the code of one."""

    def __init__(self, session: ClientSession, fetch: Callable[[TableId], None], watch: Callable[[str], None]) -> None:
        self.session = session
        self.is_open = False
        self._fetch = fetch
        self._watch = watch
        self._tab = MATCHES
        self._who: str | None = None
        self._rows = ScrolledRows()

    def open(self, who: str | None = None) -> None:
        """Show the matches of a person, of the player where none is given."""
        self.is_open, self._who = True, who
        self._show(MATCHES)

    def close(self) -> None:
        self.is_open = False

    def _show(self, tab: str) -> None:
        """Show a tab, and ask for what stands there."""
        self._tab, self._rows.first = tab, 0
        if tab == MATCHES:
            self._ask(None)
        else:
            self.session.leaders = None
            self.session.say(GetLeaders(system=tab))

    def _ask(self, before: int | None) -> None:
        self._rows.first, self.session.results = 0, None
        self.session.say(GetResults(who=self._who, before=before))

    def draw(self, ui: Ui) -> None:
        inside = ui.popup(ui.px(WIDE), ui.size[1] * 0.9, phrase("results.title"))
        foot, inside = inside.cut_bottom(ui.px(32), ui.px(8))
        close, pages = foot.cut_right(ui.px(140), 8)
        ui.button(close, phrase("results.close"), self.close, primary=True, key=ui.keys.shown("back"))
        tabs, page = inside.cut_left(min(ui.px(TABS), on_grid(inside.w * 0.3)), ui.px(12))
        names = {MATCHES: self._whose()}
        names |= {id: phrase("results.leaders", game=name) for id, name in self._games().items()}
        for row, (tab, name) in zip(tabs.rows(ui.px(32), ui.px(GAP)), names.items(), strict=False):
            ui.button(row, name, partial(self._show, tab), left=True, chosen=tab == self._tab, listed=True)
        if self._tab == MATCHES:
            self._matches(ui, page, pages)
        else:
            self._leaders(ui, page)

    def _games(self) -> dict[str, str]:
        """Return the names of the server's systems by id."""
        systems = self.session.conversation.systems
        return {one.id: self.session.texts.say(one.name) for one in systems.systems} if systems is not None else {}

    def _whose(self) -> str:
        found = self.session.results
        if self._who is None or found is None:
            return phrase("results.mine")
        return phrase("results.of", name=found.name or phrase("results.deleted"))

    def _matches(self, ui: Ui, page: Rect, foot: Rect) -> None:
        found = self.session.results
        if found is None:
            ui.lines(phrase("results.asking"), page, colour=theme.MUTED)
            return
        words = [self._rating(rating) for rating in found.ratings] or [phrase("results.unrated.none")]
        rest = ui.lines("\n".join(words), page, bold=bool(found.ratings), gap=4)
        rest = ui.lines("\n".join([staying_in_words(found), *self._played(found)]), rest, colour=theme.MUTED, gap=8)
        if not found.results:
            ui.lines(phrase("results.none"), rest, colour=theme.MUTED)
        for row, result in self._rows.fitting(ui, rest, found.results, ui.px(ROW), ui.px(GAP)):
            self._result(ui, row, result, found)
        turn, note = foot.cut_left(min(ui.px(240), on_grid(foot.w * 0.5)), ui.px(8))
        ui.line(self.session.notice, note, colour=theme.WARN, size=theme.SMALL)
        older, newest = turn.columns(2, ui.px(8))
        ui.button(older, phrase("results.older"), partial(self._ask, found.older) if found.older else None)
        ui.button(newest, phrase("results.newest"), partial(self._ask, None))

    def _played(self, found: Results) -> list[str]:
        """Return a line for each system at which the person has played against others."""
        games = self._games()
        return [
            phrase("results.played", game=games.get(one.system, one.system), matches=one.matches, won=one.won)
            for one in found.played
        ]

    def _rating(self, rating: RatingView) -> str:
        game = self._games().get(rating.system, rating.system)
        if rating.new:
            return phrase("results.rating.new", game=game, matches=rating.matches)
        return phrase("results.rating", game=game, points=rating.points, spread=rating.spread)

    def _result(self, ui: Ui, row: Rect, result: ResultRow, of: Results) -> None:
        """Draw a finished match: its outcome, what it changed, and its replay."""
        mine = next((seat for seat in result.seats if seat.who == of.who), ResultSeat())
        day = day_of(result.when)
        ui.painter.rect(row, theme.RAISED, 5)
        button, words = row.inset(ui.px(8)).cut_right(ui.px(112), ui.px(8))
        act = partial(self._fetch, result.table) if result.replay else None
        name = phrase("results.replay.of", table=result.name, day=day)
        tip = "" if act is not None else phrase("results.replay.gone")
        ui.button(button, phrase("results.replay"), act, name=name, tip=tip, listed=act is not None)
        if result.code and self.session.knows_links:
            watch, words = words.cut_right(ui.px(88), ui.px(8))
            name, act = phrase("results.watch.of", table=result.name, day=day), partial(self._watch, result.code)
            ui.button(watch, phrase("results.watch"), act, name=name, tip=phrase("results.watch.tip"), listed=True)
        top, below = words.cut_top(on_grid(words.h * 0.52))
        change, head = top.cut_right(ui.px(88), ui.px(8))
        outcome = _outcome(result, mine)
        ui.line(phrase("results.head", outcome=outcome, table=result.name, day=day), head, bold=True)
        self._change(ui, change, mine)
        others = phrase("results.against", names=", ".join(_name(seat) for seat in result.seats if seat is not mine))
        scenario = self.session.texts.say(result.scenario)
        is_proven = not result.bare and result.unrated != "unproven"
        proof = phrase("results.proven" if is_proven else "results.unproven") if result.rounds else ""
        ranked = phrase("results.ranked") if result.ranked else ""
        line = ranked + phrase("results.line", scenario=scenario, rounds=result.rounds, others=others, proof=proof)
        ui.line(line, below, size=theme.SMALL, colour=theme.MUTED)
        about = [line, self.session.texts.say(result.why), _why_unrated(result), _dice(result)]
        ui.tag(words, f"{result.name} {result.number}", "\n".join(filter(None, about)))

    def _change(self, ui: Ui, room: Rect, mine: ResultSeat) -> None:
        if mine.change is None:
            words, tone = phrase("results.not_rated"), theme.MUTED
        else:
            sign = "+" if mine.change >= 0 else "\N{MINUS SIGN}"
            words = phrase("results.change", sign=sign, points=abs(mine.change))
            tone = theme.GOOD if mine.change >= 0 else theme.WARN
        ui.label(words, room.right, room.centre[1], colour=tone, anchor="right", room=room.w)

    def _leaders(self, ui: Ui, page: Rect) -> None:
        found = self.session.leaders
        if found is None or found.system != self._tab:
            ui.lines(phrase("results.asking"), page, colour=theme.MUTED)
            return
        if not found.leaders:
            ui.lines(phrase("results.no_leaders"), page, colour=theme.MUTED)
        places = list(enumerate(found.leaders, start=1))
        for row, (place, leader) in self._rows.fitting(ui, page, places, ui.px(LEADER_ROW), ui.px(GAP)):
            self._leader(ui, row, place, leader)

    def _leader(self, ui: Ui, row: Rect, place: int, leader: Leader) -> None:
        is_mine = leader.who == self.session.conversation.you
        if is_mine:
            ui.painter.rect(row, theme.RAISED, 5)
        number, words = row.cut_left(ui.px(40), ui.px(8))
        name, rating = words.columns(2)
        ui.line(str(place), number, colour=theme.MUTED)
        who = leader.name or phrase("results.deleted")
        ui.line(who, name, bold=is_mine)
        shown = leader.rating
        line = phrase("results.leader", points=shown.points, spread=shown.spread, matches=shown.matches)
        ui.line(line, rating)
        ui.tag(row, f"{place}. {who}: {line}")


def staying_in_words(found: Results) -> str:
    """Return the staying power of a person in words."""
    if not found.begun:
        return phrase("results.staying.none")
    percent = 100 * found.stayed // found.begun
    return phrase("results.staying", percent=percent, stayed=found.stayed, begun=found.begun)


def _outcome(result: ResultRow, mine: ResultSeat) -> str:
    """Return the words for how a match ended for this seat."""
    if mine.gone:
        return named("results.outcome", "gone")
    if result.unrated in ("parked", "ended"):
        return named("results.outcome", "none")
    return named("results.outcome", "won" if mine.won else "lost")


def _name(seat: ResultSeat) -> str:
    if not seat.who:
        return phrase("results.bot", name=seat.name)
    return seat.name or phrase("results.deleted")


def _why_unrated(result: ResultRow) -> str:
    """Return the reason why a match is not rated, empty where it is."""
    if not result.unrated:
        return ""
    is_given_up = result.unrated == "unproven" and not result.bare
    return named("results.why", "given_up" if is_given_up else result.unrated)


def _dice(result: ResultRow) -> str:
    """Return the proof of the dice, empty of a match without any."""
    if not result.rounds:
        return ""
    if not result.bare:
        return phrase("results.dice")
    return phrase("results.dice.bare", bare=result.bare, rounds=result.rounds)
