"""F2: what is known about the dice of this table, round by round, and what to compare with the others."""

from __future__ import annotations

from collections.abc import Callable

from client import theme
from client.draw.fairness import TONES, draw_mark
from client.fairness import RoundCheck, Verdict
from client.layout import Rect
from client.phrases import phrase
from client.session import Session
from client.texts import Texts
from client.ui import Ui
from protocol.text import Text, text

ROUNDS = 6
"""Rounds that are listed, the newest first; one that is not as it should be is always among them."""


def draw_fairness_page(ui: Ui, session: Session, texts: Texts, close: Callable[[], None]) -> None:
    """A page in the middle of the window."""
    fair_play = session.fair_play
    check = fair_play.check
    if check is None:
        return
    ui.begin_popup()
    rounds = listed(list(check.rounds.values()))
    box = ui.window.middle(ui.px(640), ui.px(220) + ui.px(24) * len(rounds))
    inside = ui.panel(box, texts.say(text("fair.page.title")))
    inside = _sentence(ui, inside, texts.say(fair_play.why), fair_play.verdict)
    for shown in rounds:
        row, inside = inside.cut_top(ui.px(24))
        _round(ui, row, shown, texts)
    for key in ("fair.page.words", "fair.page.means"):
        used = ui.lines(texts.say(Text(key)), inside, size=theme.SMALL, colour=theme.MUTED)
        _, inside = inside.cut_top(used + ui.px(6))
    foot, inside = inside.cut_bottom(ui.px(32), ui.px(6))
    ui.lines(texts.say(fair_play.host), inside, size=theme.SMALL)
    back, foot = foot.cut_left(ui.px(200), ui.px(8))
    ui.button(back, texts.say(text("fair.page.close")), close, primary=True, key=phrase("key.esc"))
    if fair_play.is_stranger:
        ui.button(foot.cut_left(ui.px(200))[0], texts.say(text("fair.page.trust")), session.trust_host)


def listed(rounds: list[RoundCheck]) -> list[RoundCheck]:
    """The rounds to show: the newest, and among them whatever is wrong or unproven."""
    played = [check for check in rounds if check.round]
    bad = [check for check in played if check.verdict in (Verdict.WRONG, Verdict.UNPROVEN)][: ROUNDS - 1]
    good = [check for check in played if check not in bad][-(ROUNDS - len(bad)) :]
    return sorted([*bad, *good], key=lambda check: -check.round)


def _sentence(ui: Ui, rect: Rect, words: str, verdict: Verdict) -> Rect:
    r = ui.px(10)
    body = rect.cut_left(2 * r + ui.px(10))[1]
    used = ui.lines(words, body, bold=True, colour=TONES[verdict])
    draw_mark(ui, rect.x + r, rect.top - ui.px(10), r, verdict)
    return rect.cut_top(max(used, 2 * r) + ui.px(10))[1]


def _round(ui: Ui, row: Rect, check: RoundCheck, texts: Texts) -> None:
    r, y = ui.px(7), row.centre[1]
    draw_mark(ui, row.x + r, y, r, check.verdict)
    rolls, shown = len(check.rolls), len(check.shown)
    line = text("fair.page.round", round=check.round, rolls=rolls, shown=shown, cards=check.cards)
    ui.label(texts.say(line), row.x + 2 * r + ui.px(8), y, size=theme.SMALL, room=row.w * 0.68)
    ui.label(check.word or "…", row.right, y, size=theme.SMALL, bold=True, anchor="right")
