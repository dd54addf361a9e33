"""Blocks of a faction's page, one below the other: how they play, what they can do, have and bring, who they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from client.draw.board.tokens import Token, token_texture
from client.text.phrases import phrase
from client.text.texts import Texts
from client.text.word_help import helps_in
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect, up_to_grid
from client.ui.theme import Colour
from protocol.text import Text
from protocol.wire.faction_pages import FactionRule, FactionSheet, FactionUnit, ReadyList

EMBLEM, TOKEN = 64, 40
"""Pixels across of the emblem, and of the token of a unit."""
GAP: Final = 12
ROW: Final = 28
BROAD: Final = 560
"""Width in pixels from which units stand in two columns."""
MOST_LINES: Final = 40
"""Lines that are drawn of one unit, or of one list."""


class Block(NamedTuple):
    """Part of the page: its height in pixels, and what draws it into a place of that height, or of less at the foot.
    `leads`: it says what comes below it, and is no last line of a page."""

    height: float
    draw: Callable[[Rect], object]
    leads: bool = False


@dataclass(frozen=True)
class FactionBlocks:
    """Blocks of one sheet, `width` pixels wide. `colour`: of the tokens; `of_rule`: the act that opens the rulebook at
    a rule, None where it does not tell of it."""

    ui: Ui
    texts: Texts
    sheet: FactionSheet
    width: float
    colour: int
    of_rule: Callable[[str], Act | None]

    def all(self) -> Iterator[Block]:
        """Yield the blocks from the top down."""
        yield self._head()
        yield from map(self._paragraph, self.sheet.about[-1:])
        for key, words, tone in (
            ("strong", self.sheet.strong, theme.GOOD),
            ("weak", self.sheet.weak, theme.WARN),
        ):
            if words is not None:
                yield self._verdict(phrase(f"factions.verdict.{key}"), self._say(words), tone)
        if self.sheet.rules:
            yield self._heading(phrase("factions.special"))
            yield from self._rules()
        if self.sheet.units:
            yield self._heading(phrase("factions.units"))
            yield from self._units()
        if self.sheet.lists:
            yield self._heading(phrase("factions.lists"))
            yield from map(self._list, self.sheet.lists)
        if self.sheet.about[:-1]:
            yield self._heading(phrase("factions.story"))
            yield from map(self._paragraph, self.sheet.about[:-1])

    def _say(self, text: Text | None) -> str:
        return self.texts.say(text)

    def _head(self) -> Block:
        across = self.ui.px(EMBLEM)
        room = self.width - up_to_grid(across * 1.4) - self.ui.px(GAP)
        lines = [self.ui.lines_height(self._say(line), room) for line in self.sheet.numbers]
        title = self.ui.line_height(theme.TITLE)
        return Block(max(up_to_grid(across * 1.2), title + sum(lines)), self._draw_head)

    def _draw_head(self, rect: Rect) -> None:
        ui, across = self.ui, self.ui.px(EMBLEM)
        picture, rest = rect.cut_left(up_to_grid(across * 1.4), ui.px(GAP))
        top = picture.cut_top(min(across * 1.2, picture.h))[0]
        ui.picture(token_texture(self._token(self.sheet.glyph, across)), *top.centre)
        title, rest = rest.cut_top(min(ui.line_height(theme.TITLE), rest.h))
        ui.line(self._say(self.sheet.name), title, size=theme.TITLE, bold=True)
        for line in self.sheet.numbers:
            rest = self._told(line, rest, size=theme.BODY, colour=theme.TEXT)

    def _token(self, glyph: str, across: int) -> Token:
        return Token(self.colour, glyph, across, palette=theme.PALETTE)

    def _paragraph(self, told: Text) -> Block:
        words = self._say(told)
        return Block(self.ui.lines_height(words, self.width), partial(self.ui.lines, words))

    def _heading(self, words: str) -> Block:
        ui = self.ui

        def draw(rect: Rect) -> None:
            ui.line(words, rect.cut_bottom(min(ui.line_height(theme.LARGE), rect.h))[0], size=theme.LARGE, bold=True)

        return Block(ui.line_height(theme.LARGE) + ui.px(4), draw, leads=True)

    def _verdict(self, name: str, words: str, tone: Colour) -> Block:
        """Return what they are good or bad at: the word for that in its colour, and what it is beside it."""
        ui = self.ui
        labels = [phrase("factions.verdict.strong"), phrase("factions.verdict.weak")]
        aside = up_to_grid(max(ui.width(label, bold=True) for label in labels) + ui.px(24))

        def draw(rect: Rect) -> None:
            label, room = rect.cut_left(aside)
            mark = Rect(label.x, rect.y, ui.px(4), rect.h)
            ui.painter.rect(mark, tone)
            first = label.cut_top(min(ui.line_height(theme.BODY), rect.h))[0]
            ui.line(name, first.cut_left(ui.px(12))[1], bold=True, colour=tone)
            ui.lines(words, room)

        return Block(ui.lines_height(words, self.width - aside), draw)

    def _rules(self) -> Iterator[Block]:
        """Yield rows of special rules, as many in each as fit."""
        ui, used = self.ui, 0.0
        row: list[tuple[FactionRule, float]] = []
        for rule in self.sheet.rules:
            wide = min(up_to_grid(ui.width(self._rule_name(rule)) + ui.px(20)), self.width)
            if row and used + wide > self.width:
                yield Block(ui.px(ROW), partial(self._draw_rules, row))
                row, used = [], 0.0
            row = [*row, (rule, wide)]
            used += wide + ui.px(8)
        yield Block(ui.px(ROW), partial(self._draw_rules, row))

    def _rule_name(self, rule: FactionRule) -> str:
        """Return the name of a rule; of a name that is a whole sentence what stands before the colon."""
        return self._say(rule.name).partition(":")[0]

    def _draw_rules(self, row: Sequence[tuple[FactionRule, float]], rect: Rect) -> None:
        ui, x = self.ui, rect.x
        for rule, wide in row:
            box = Rect(x, rect.y, wide, rect.h)
            told = next((told for _, told in helps_in(self.texts, rule.name)), None)
            words = self._say(rule.says) if rule.says is not None else told.words if told is not None else ""
            act = self.of_rule(rule.rule or (told.rule if told is not None else ""))
            is_hot = act is not None and box.contains(*ui.mouse)
            ui.painter.box(box, theme.HOVER if is_hot else theme.RAISED, 1, theme.PANEL_EDGE, 4)
            name = self._rule_name(rule)
            ui.line(name, box.inset(ui.px(8)), anchor="center")
            tip = words if words.startswith(name) else phrase("tip.means", name=name, words=words)
            ui.tag(box, phrase("factions.rule", rule=name), tip, act)
            x += wide + ui.px(8)

    def _units(self) -> Iterator[Block]:
        count = 2 if self.width >= self.ui.px(BROAD) else 1
        gap = self.ui.px(GAP)
        wide = Rect(0, 0, self.width, 1).columns(count, gap)[0].w
        units = self.sheet.units
        for row in (units[place : place + count] for place in range(0, len(units), count)):
            height = max(self._unit_height(unit, wide) for unit in row)
            yield Block(height, partial(self._draw_units, row, count, gap))

    def _draw_units(self, row: Sequence[FactionUnit], count: int, gap: float, rect: Rect) -> None:
        for box, unit in zip(rect.columns(count, gap), row, strict=False):
            self._draw_unit(box, unit)

    def _inner(self, wide: float) -> float:
        """Return the width of the words of a unit."""
        return wide - up_to_grid(self.ui.px(TOKEN) * 1.4) - self.ui.px(16 + 8)

    def _unit_height(self, unit: FactionUnit, wide: float) -> float:
        ui, inner = self.ui, self._inner(wide)
        lines = [ui.lines_height(self._say(line), inner, size=theme.SMALL) for line in unit.lines[:MOST_LINES]]
        head = ui.line_height(theme.BODY)
        return max(head + sum(lines), up_to_grid(ui.px(TOKEN) * 1.4)) + ui.px(16)

    def _draw_unit(self, box: Rect, unit: FactionUnit) -> None:
        ui, across = self.ui, self.ui.px(TOKEN)
        ui.painter.box(box, theme.RAISED, 1, theme.PANEL_EDGE, 4)
        picture, rest = box.inset(ui.px(8)).cut_left(up_to_grid(across * 1.4), ui.px(8))
        if picture.h >= across:
            place = picture.cut_top(min(across * 1.4, picture.h))[0]
            ui.picture(token_texture(self._token(unit.glyph, across)), *place.centre)
        head, rest = rest.cut_top(min(ui.line_height(theme.BODY), rest.h))
        note = self._say(unit.note)
        aside = ui.width(note, size=theme.SMALL) + ui.px(8) if note else 0
        ui.line(_upper(self._say(unit.name)), head.cut_right(aside)[1], bold=True)
        if note:
            ui.line(note, head, size=theme.SMALL, colour=theme.MUTED, anchor="right")
        for line in unit.lines[:MOST_LINES]:
            rest = self._told(line, rest, size=theme.SMALL, colour=theme.MUTED)

    def _told(self, line: Text, room: Rect, *, size: float, colour: Colour) -> Rect:
        """Draw a line whose words can be asked about, and looked up by a click; return the room below it."""
        below = self.ui.lines(self._say(line), room, size=size, colour=colour)
        helps = dict(helps_in(self.texts, line))
        place = Rect(room.x, below.top, room.w, room.top - below.top)
        if helps and place.h > 1:
            tips = [phrase("tip.means", name=name, words=told.words) for name, told in helps.items()]
            act = self.of_rule(next((told.rule for told in helps.values() if told.rule), ""))
            self.ui.tag(place, phrase("tip.word", name=next(iter(helps))), "\n".join(tips), act)
        return below

    def _list(self, ready: ReadyList) -> Block:
        """Return a ready list: its total, and its lines in columns."""
        ui, count = self.ui, 2 if self.width >= self.ui.px(BROAD) else 1
        lines = [self._say(line) for line in ready.lines[:MOST_LINES]]
        rows = -(-len(lines) // count)
        head, step = ui.line_height(theme.BODY), ui.line_height(theme.SMALL)

        def draw(rect: Rect) -> None:
            title, rest = rect.cut_top(min(head, rect.h))
            ui.line(self._say(ready.name), title, bold=True)
            for column, room in enumerate(rest.columns(count, ui.px(GAP))):
                for place, words in zip(room.rows(step, 0), lines[column * rows : (column + 1) * rows], strict=False):
                    ui.line(words, place, size=theme.SMALL, colour=theme.MUTED)

        return Block(head + rows * step, draw)


def _upper(name: str) -> str:
    """Return a name as a headline begins."""
    return name[:1].upper() + name[1:]
