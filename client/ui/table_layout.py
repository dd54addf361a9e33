"""Layout of the table: the board with the order of play above it, and one column beside both. Needs no window.

The column has the seats, the prompt, and below them one part for log, chat and past acts, of which the tabs show one.
Where it is too low for that, the prompt is one of the tabs, too; in a small window, and where a person has folded the
panels away, all panels are, below a board that has the width of the window while none is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from client.ui.layout import Rect, on_grid

WHOLE: Final = (960, 640)
"""Pixels of the smallest window in which panels stand beside the board, ..."""
LARGE_TEXT: Final = 1.6
WHOLE_IN_LARGE: Final = (1280, 800)
"""... and where the text is larger than that."""
CARDS: Final = 96
STRIP: Final = 32
"""Pixels from foot to top of the row of cards, and of the line in its place; the latter is that of the tabs, too."""
COLUMN: Final = 320
PROMPT: Final = 260
FEED: Final = 144
"""Least pixels from foot to top of the prompt, and of the part below it."""
BELOW_GOALS: Final = 184
"""Least ones of that part, where the goals take room from it."""
SHARE: Final = 0.53
MOST_SHARE: Final = 440
"""Share of the column below the seats that the prompt has, with its most pixels, where it needs no more."""
BOTH: Final = 480
"""Pixels from foot to top of the part below the prompt from which the chat has a place of its own there."""
NOWHERE: Final = Rect(0, 0, 0, 0)

SEATS, PROMPT_TAB, LOG, CHAT, PAST, GOALS = "seats", "prompt", "log", "chat", "past", "goals"
"""Names of the panels that can be tabs."""
LIVE: Final = (LOG, CHAT, PAST)
"""Tabs of a live table."""


@dataclass(frozen=True)
class TableLayout:
    """Panels of the table's screen; together they fill the window and never overlap.

    `feed`: the panel of the tab that is open, other than seats and prompt; a panel that is shut is `NOWHERE`. `names`:
    the tabs, from the left; `shown`: the one that is open, "" for none.
    """

    row: Rect
    board: Rect
    seats: Rect = NOWHERE
    prompt: Rect = NOWHERE
    tabs: Rect = NOWHERE
    feed: Rect = NOWHERE
    chat: Rect = NOWHERE
    """The chat's own place, where there is room for it."""
    names: tuple[str, ...] = ()
    shown: str = ""

    def place_of(self, name: str) -> Rect:
        """Return the place of a panel that can be a tab."""
        if name in (SEATS, PROMPT_TAB):
            return self.seats if name == SEATS else self.prompt
        if name == CHAT and self.chat.w:
            return self.chat
        return self.feed if name == self.shown else NOWHERE


def table_layout(
    width: float,
    height: float,
    scale: float = 1.0,
    *,
    cards: bool = True,
    seats: float = 120,
    goals: float = 0,
    prompt: float = 0,
    tabs: tuple[str, ...] = LIVE,
    wanted: str = "",
    folded: bool = False,
) -> TableLayout:
    """Return the panels for a window of this size.

    Without `cards` the order of play is one line. `seats`, `goals`, `prompt`: pixels that these would take at text
    scale 1; goals have none where that leaves too little for the rest. `tabs`: those of the part below the prompt;
    `wanted`: the one that is to be open, which may be seats or prompt where these are tabs. The column grows with the
    text scale, but leaves the board more than half of the width.
    """
    window = Rect(0, 0, width, height)
    least = WHOLE if scale <= LARGE_TEXT else WHOLE_IN_LARGE
    if folded or width < least[0] or height < least[1]:
        return _folded(window, scale, (SEATS, PROMPT_TAB, *tabs), wanted, cards=cards)
    column, rest = window.cut_right(_column(window, scale))
    row, board = rest.cut_top(_row(window, scale, cards=cards))
    bar = round(STRIP * scale)
    least_rest, least_below = ((PROMPT + feed) * scale + bar for feed in (FEED, BELOW_GOALS))
    if column.h - seats * scale < least_rest:
        top, column = column.cut_top(on_grid(min(seats * scale, height * 0.36)))
        names = (PROMPT_TAB, *tabs)
        shown = wanted if wanted in names else PROMPT_TAB
        names_bar, body = column.cut_bottom(bar)
        asked, feed = (body, NOWHERE) if shown == PROMPT_TAB else (NOWHERE, body)
        return TableLayout(row, board, top, asked, names_bar, feed, names=names, shown=shown)
    shown_goals = goals if column.h - (seats + goals) * scale >= least_below else 0
    top, column = column.cut_top(on_grid((seats + shown_goals) * scale))
    least_prompt = max(PROMPT * scale, min(column.h * SHARE, MOST_SHARE * scale))
    most_prompt = max(PROMPT * scale, column.h - bar - FEED * scale)
    asked, column = column.cut_top(on_grid(min(max(least_prompt, prompt * scale), most_prompt)))
    names_bar, body = column.cut_top(bar)
    chat = NOWHERE
    if CHAT in tabs and body.h > BOTH * scale:
        chat, body = body.cut_bottom(on_grid(body.h * 0.4))
        tabs = tuple(name for name in tabs if name != CHAT)
    shown = wanted if wanted in tabs else tabs[0]
    return TableLayout(row, board, top, asked, names_bar, body, chat, tabs, shown)


def _column(window: Rect, scale: float) -> float:
    """Return the width of the column."""
    return on_grid(min(max(COLUMN * scale, window.w * 0.2), 400 * scale, window.w * 0.42))


def _row(window: Rect, scale: float, *, cards: bool) -> float:
    """Return the height of the order of play."""
    if not cards:
        return round(STRIP * scale)
    return on_grid(min(max(CARDS * scale, window.h * 0.11), 128 * scale, window.h * 0.2))


def _folded(window: Rect, scale: float, names: tuple[str, ...], wanted: str, *, cards: bool) -> TableLayout:
    row, rest = window.cut_top(on_grid(min(CARDS * scale, window.h * 0.16)) if cards else round(STRIP * scale))
    tabs, board = rest.cut_bottom(on_grid(min(STRIP * scale, window.h * 0.1)))
    if wanted not in names:
        return TableLayout(row, board, tabs=tabs, names=names)
    drawer, board = board.cut_right(on_grid(min(COLUMN * scale, window.w * 0.5)))
    seats, prompt = (drawer if wanted == name else NOWHERE for name in (SEATS, PROMPT_TAB))
    feed = NOWHERE if wanted in (SEATS, PROMPT_TAB) else drawer
    return TableLayout(row, board, seats, prompt, tabs, feed, names=names, shown=wanted)
