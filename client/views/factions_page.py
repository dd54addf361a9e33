"""Page of the factions of a game, over the set-up or the table: one at a time, beside the list of all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from client.draw.faction_blocks import GAP, Block, FactionBlocks
from client.input.key_table import KeyPress
from client.model.lobby.seen_factions import factions_of
from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect, on_grid
from client.ui.scrolled_rows import ScrolledRows, draw_bar, last_start
from protocol.wire.choices import FactionChoice
from protocol.wire.faction_pages import FactionSheet

INDEX, WIDE = 212, 1064
"""Widths in pixels of the list of factions, and of the page at most."""


class FactionsPage:
    """Factions at the left, the sheet of one at the right. `system` names the game; `of_rule` gives the act that opens
    the rulebook at a rule, `rules` the one that opens it, None where there is none; `leave` closes both."""

    def __init__(
        self,
        session: ClientSession,
        system: Callable[[], str],
        of_rule: Callable[[str], Act | None],
        rules: Callable[[], Act | None],
        leave: Act,
    ) -> None:
        self.session = session
        self.is_open = False
        self.choose: Callable[[FactionChoice], Act | None] | None = None
        """Gives the act by which a seat takes a faction, None for one that it cannot; absent where none is chosen."""
        self._system = system
        self._of_rule = of_rule
        self._rules = rules
        self._leave = leave
        self._index = ScrolledRows()
        self._shown = ""
        self._first = 0
        """Number of blocks scrolled out of sight, `_last` at most, as it was last drawn."""
        self._last = 0

    @property
    def choices(self) -> tuple[FactionChoice, ...]:
        """The factions of the scenario at the table; of the game, where there is none."""
        systems, table, wanted = self.session.conversation.systems, self.session.conversation.table, self._system()
        system = next((one for one in (systems.systems if systems else ()) if one.id == wanted), None)
        return factions_of(system, table.scenario if table is not None and table.system == wanted else "")

    def open(self, faction: str = "") -> None:
        """Open the page of a faction, else the one that was open last, at first that of the person's seat."""
        ids = [one.id for one in self.choices]
        known = [id for id in (faction, self._shown, self._own()) if id in ids] + ids
        if known:
            self.is_open = True
            self._turn_to(known[0])

    def close(self) -> None:
        self.is_open = False

    def _own(self) -> str:
        """Return the faction of the person's seat, "" without one."""
        table = self.session.conversation.table
        return next((one.faction for one in table.seats if one.seat == table.seat), "") if table is not None else ""

    def draw(self, ui: Ui) -> None:
        inside = ui.popup(ui.px(WIDE), on_grid(ui.size[1] * 0.94))
        foot, inside = inside.cut_bottom(ui.px(32), ui.px(8))
        choices = self.choices
        at = next((one for one in choices if one.id == self._shown), None)
        self._foot(ui, foot, at)
        index, page = inside.cut_left(min(ui.px(INDEX), on_grid(inside.w * 0.32)), ui.px(16))
        for row, one in self._index.fitting(ui, index, choices, ui.px(32), ui.px(4)):
            name = self.session.texts.say(one.name)
            shown = one.id == self._shown
            about = phrase("factions.about", faction=name)
            ui.button(row, name, self._turning(one.id), left=True, chosen=shown, listed=True, name=about)
        if at is not None:
            self._sheet(ui, page, at)

    def _turning(self, faction: str) -> Act:
        return lambda: self._turn_to(faction)

    def _foot(self, ui: Ui, foot: Rect, at: FactionChoice | None) -> None:
        close, words = foot.cut_right(ui.px(132), ui.px(8))
        ui.button(close, phrase("results.close"), self._leave, key=ui.keys.shown("back"))
        if self.choose is not None and at is not None:
            take, words = words.cut_right(min(ui.px(240), on_grid(words.w * 0.5)), ui.px(8))
            act = self.choose(at)
            tip = "" if act is not None else phrase("factions.yours" if at.id == self._own() else "factions.taken")
            label = phrase("factions.choose", faction=self.session.texts.say(at.name))
            ui.button(take, label, act, primary=True, tip=tip)
        rules = self._rules()
        if rules is not None:
            box, words = words.cut_left(min(ui.px(112), on_grid(words.w * 0.5)), ui.px(12))
            ui.button(box, phrase("factions.rules"), rules, key=ui.keys.shown("rules"))
        keys = phrase("factions.keys", sections=ui.keys.shown("sections"), lines=ui.keys.shown("lines"))
        ui.line(keys, words, size=theme.SMALL, colour=theme.MUTED)

    def _sheet(self, ui: Ui, page: Rect, at: FactionChoice) -> None:
        """Draw the blocks of the sheet from the first in sight; in its place why there is none."""
        self.session.factions.want(self._system(), at.id)
        sheet = self.session.factions.of(self._system(), at.id)
        if sheet is None:
            sheet = FactionSheet(at.name, numbers=at.lines)
            told, page = page.cut_bottom(ui.px(24))
            ui.line(self._instead(at), told, colour=theme.MUTED)
        ui.scrolls(page, lambda steps: self._scroll(-steps))
        bar, room = page.cut_right(ui.px(4), ui.px(8))
        blocks = list(FactionBlocks(ui, self.session.texts, sheet, room.w, self._colour(at.id), self._of_rule).all())
        gap = ui.px(GAP)
        self._last = last_start([block.height + gap for block in blocks], room.h + gap)
        first = min(self._first, self._last)
        shown = _draw(ui, room, blocks[first:], gap)
        if self._last:
            draw_bar(ui, bar, first, shown, len(blocks))

    def _instead(self, at: FactionChoice) -> str:
        """Return the words beside a sheet that is not there."""
        why = self.session.factions.why_not(self._system(), at.id)
        if not self.session.factions.is_known:
            return phrase("factions.unknown")
        return self.session.texts.say(why) if why is not None else phrase("on_now.asking")

    def _colour(self, faction: str) -> int:
        """Return the colour of the seat that plays a faction; of the person's own, where nobody does."""
        table = self.session.conversation.table
        if table is None:
            return 0
        return next((one.seat for one in table.seats if one.faction == faction), max(table.seat, 0))

    def key(self, press: KeyPress) -> bool:
        """Take a key while the page is open."""
        ids = [one.id for one in self.choices]
        on = press.which("sections")
        on = press.which("turn") if on is None else on
        if on is not None and ids:
            at = ids.index(self._shown) if self._shown in ids else 0
            self._turn_to(ids[min(at + 1, len(ids) - 1) if on else max(at - 1, 0)])
        elif (down := press.which("lines")) is not None:
            self._scroll(1 if down else -1)
        elif press.means("factions"):
            self.close()
        else:
            return False
        return True

    def _turn_to(self, faction: str) -> None:
        self._shown, self._first = faction, 0
        self.session.factions.want(self._system(), faction)
        ids = [one.id for one in self.choices]
        # the row before it is in sight, too
        self._index.first = max(ids.index(faction) - 1, 0) if faction in ids else 0

    def _scroll(self, steps: int) -> None:
        """Scroll on by a number of blocks."""
        self._first = min(max(min(self._first, self._last) + steps, 0), self._last)


def _draw(ui: Ui, room: Rect, blocks: Sequence[Block], gap: float) -> int:
    """Draw as many blocks as there is room for whole, the first one in any case; return their number."""
    top, shown = room.top, 0
    for block, after in zip(blocks, (*blocks[1:], None), strict=True):
        below = gap + after.height if block.leads and after is not None else 0
        if shown and top - room.y < block.height + below:
            break
        height = min(block.height, top - room.y)
        block.draw(Rect(room.x, top - height, room.w, height))
        top -= height + gap
        shown += 1
    return shown
