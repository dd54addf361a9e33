"""Drawing of the mark of the live check: a shape and a colour for each state, with its sentence."""

from __future__ import annotations

from client.fairness.dice_mark import DiceMark, Sign
from client.fairness.dice_round_check import Verdict
from client.fairness.table_check import TableCheck
from client.text.phrases import phrase
from client.text.texts import Texts
from client.ui import theme
from client.ui.frame import Act, Ui
from client.ui.layout import Rect
from client.ui.painter import Painter
from client.ui.theme import Colour
from protocol.fairness.round_parts import MarkState


def sign_tone(sign: Sign) -> Colour:
    """Return the colour of a state."""
    match sign:
        case Verdict.CHECKED | MarkState.YOURS:
            return theme.GOOD
        case Verdict.UNPROVEN:
            return theme.WARN
        case Verdict.WRONG:
            return theme.BAD
        case MarkState.BUT | MarkState.OLDER:
            return theme.PARTLY
        case MarkState.NOT:
            return theme.OTHERS
        case _:
            return theme.MUTED


def draw_mark(ui: Ui, x: float, y: float, r: float, sign: Sign) -> None:
    """Draw the mark of a state; its shape alone tells it from the others.

    A tick on a disc (yours), a tick on a square set on its corner (yours, but), the hands of a clock on one (older),
    two dots on a flat hexagon (not yours), an empty ring (running), a triangle with a bar (unproven), a cross on a
    square (wrong).
    """
    tone, painter = sign_tone(sign), ui.painter
    ink, width = theme.readable_on(tone), max(r * 0.3, 1.5)
    match sign:
        case Verdict.CHECKED | MarkState.YOURS:
            painter.disc(x, y, r, tone)
            _tick(painter, x, y, r, width, ink)
        case MarkState.BUT:
            _corner(painter, x, y, r, tone)
            _tick(painter, x, y, r * 0.8, width, ink)
        case MarkState.OLDER:
            _corner(painter, x, y, r, tone)
            painter.stroke([(x, y + 0.55 * r), (x, y), (x + 0.45 * r, y)], width, ink)
        case MarkState.NOT:
            outline = [(-r, 0), (-r / 2, 0.8 * r), (r / 2, 0.8 * r), (r, 0), (r / 2, -0.8 * r), (-r / 2, -0.8 * r)]
            painter.fill([(x + dx, y + dy) for dx, dy in outline], tone)
            for side in (-1, 1):
                painter.disc(x + side * 0.36 * r, y, r * 0.22, ink)
        case Verdict.RUNNING:
            painter.ring(x, y, r * 0.9, width, tone)
        case Verdict.UNPROVEN:
            painter.fill([(x - r, y - 0.8 * r), (x + r, y - 0.8 * r), (x, y + r)], tone)
            painter.stroke([(x, y + 0.45 * r), (x, y - 0.2 * r)], width, ink)
            painter.disc(x, y - 0.52 * r, width * 0.6, ink)
        case Verdict.WRONG:
            painter.rect(Rect(x - r, y - r, 2 * r, 2 * r), tone, 2)
            s = 0.5 * r
            painter.stroke([(x - s, y - s), (x + s, y + s)], width, ink)
            painter.stroke([(x - s, y + s), (x + s, y - s)], width, ink)


def _tick(painter: Painter, x: float, y: float, r: float, width: float, ink: Colour) -> None:
    painter.stroke([(x - 0.5 * r, y), (x - 0.12 * r, y - 0.42 * r), (x + 0.55 * r, y + 0.42 * r)], width, ink)


def _corner(painter: Painter, x: float, y: float, r: float, tone: Colour) -> None:
    """Draw a square set on its corner."""
    far = 1.15 * r
    painter.fill([(x - far, y), (x, y + far), (x + far, y), (x, y - far)], tone)


def draw_verdict(ui: Ui, rect: Rect, sign: Sign, words: str) -> None:
    """Draw a mark with its sentence in one line."""
    r = ui.px(8)
    y = rect.centre[1]
    draw_mark(ui, rect.x + r, y, r, sign)
    body = rect.cut_left(2 * r + ui.px(8))[1]
    ui.label(words, body.x, y, size=theme.SMALL, colour=sign_tone(sign), room=body.w)
    ui.tag(rect, words, words)


def draw_fairness(ui: Ui, rect: Rect, table_check: TableCheck, texts: Texts, act: Act) -> None:
    """Draw the mark of the table's dice; a click calls `act`."""
    mark = DiceMark(table_check)
    sign, line, more = mark.sign, mark.line, (mark.sentence, table_check.host)

    def draw() -> None:
        draw_verdict(ui, rect, sign, texts.say(line))
        ui.tag(rect, phrase("fairness.mark"), "\n".join(map(texts.say, more)), act)

    ui.part("fairness", (rect, sign, line, more, texts, texts.learnt, act), draw)
