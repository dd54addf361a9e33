"""The mark of the live check: a shape and a colour for each verdict, with its sentence."""

from __future__ import annotations

from client import theme
from client.fair_play import FairPlay
from client.fairness import Verdict
from client.layout import Rect
from client.phrases import phrase
from client.texts import Texts
from client.theme import Colour
from client.ui import Act, Ui

TONES: dict[Verdict, Colour] = {
    Verdict.CHECKED: theme.GOOD,
    Verdict.RUNNING: theme.MUTED,
    Verdict.UNPROVEN: theme.WARN,
    Verdict.WRONG: theme.BAD,
}
MARK = phrase("fairness.mark")
"""What the mark is found by."""


def draw_mark(ui: Ui, x: float, y: float, r: float, verdict: Verdict) -> None:
    """A tick on a disc, an empty ring, a triangle with a bar, a cross on a square: told apart without colour."""
    tone, painter = TONES[verdict], ui.painter
    width = max(r * 0.3, 1.5)
    match verdict:
        case Verdict.CHECKED:
            painter.disc(x, y, r, tone)
            tick = [(x - 0.5 * r, y), (x - 0.12 * r, y - 0.42 * r), (x + 0.55 * r, y + 0.42 * r)]
            painter.stroke(tick, width, theme.INK)
        case Verdict.RUNNING:
            painter.ring(x, y, r * 0.9, width, tone)
        case Verdict.UNPROVEN:
            painter.fill([(x - r, y - 0.8 * r), (x + r, y - 0.8 * r), (x, y + r)], tone)
            painter.stroke([(x, y + 0.45 * r), (x, y - 0.2 * r)], width, theme.INK)
            painter.disc(x, y - 0.52 * r, width * 0.6, theme.INK)
        case Verdict.WRONG:
            painter.rect(Rect(x - r, y - r, 2 * r, 2 * r), tone, 2)
            s = 0.5 * r
            painter.stroke([(x - s, y - s), (x + s, y + s)], width, theme.INK)
            painter.stroke([(x - s, y + s), (x + s, y - s)], width, theme.INK)


def draw_verdict(ui: Ui, rect: Rect, verdict: Verdict, words: str) -> None:
    """A mark with its sentence in one line."""
    r = ui.px(7)
    y = rect.centre[1]
    draw_mark(ui, rect.x + r, y, r, verdict)
    body = rect.cut_left(2 * r + ui.px(6))[1]
    ui.label(words, body.x, y, size=theme.SMALL, colour=TONES[verdict], room=body.w)
    ui.tag(rect, words, words)


def draw_fairness(ui: Ui, rect: Rect, fair_play: FairPlay, texts: Texts, act: Act) -> None:
    """The verdict on the dice of the table; a click tells more."""
    words = texts.say(fair_play.why)
    draw_verdict(ui, rect, fair_play.verdict, words)
    ui.tag(rect, MARK, f"{words}\n{texts.say(fair_play.host)}", act)
