"""Drawing of the act being shown: the way walked, shots as tracers, dice, figures that fall, words over the group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from client.draw.die import SETTLED, dice_rows, draw_dice_rows, tumbling
from client.model.playback.shown_scene import Playing
from client.model.playback.walking import along
from client.model.table.tabletop import Tabletop
from client.text.forecast_words import sum_words
from client.text.texts import Texts
from client.ui import theme
from client.ui.camera import Camera, Spot
from client.ui.frame import Ui
from client.ui.layout import Rect
from client.ui.theme import Colour
from protocol.ids import NodeId
from protocol.scene.nodes import AnyNode, Cue, Dice, Piece

MOST_DICE = 24
GAP = 4
"""Pixels between dice."""
TRACERS = 5
WORDS_WIDTH = 300


def draw_playing(
    ui: Ui, board: Rect, camera: Camera, top: Tabletop, texts: Texts, playing: Playing, buttons: Sequence[Rect] = ()
) -> None:
    """Draw what the present cue of an act tells, over the table. `top` is the scene shown; no words cover one of
    `buttons`."""
    ui.on("marks")
    cue = playing.cue
    act = playing.queued.told.act
    colour = theme.seat_colour(top.colour_of(act.seat if act is not None else cue.seat if cue is not None else -1))
    if cue is not None:
        _way(ui, camera, cue, colour, playing.progress)
        if cue.kind in ("shot", "combat"):
            _shots(ui, camera, top, cue, colour, playing.progress)
        _falls(ui, camera, playing)
    words, dice = _said(texts, playing)
    if words:
        box = place_of_words(ui, board, camera, _beside(ui, top, playing), words, dice, buttons)
        _draw_words(ui, box, words, dice, colour, tumbling(playing))


def draw_way_and_shots(
    ui: Ui, camera: Camera, top: Tabletop, before: Mapping[NodeId, AnyNode] | None, cues: Sequence[Cue]
) -> None:
    """Draw where an act that is over took place: its ways and shots. `before`: the scene as it began."""
    ui.on("marks")
    then = Tabletop(before) if before is not None else top
    for cue in cues:
        _way(ui, camera, cue, theme.SELECT, 1.0)
        if cue.kind in ("shot", "combat"):
            _shots(ui, camera, then, cue, theme.MARK_WARN, 1.0)
        for place in filter(None, map(then.centre_of, cue.about)):
            ui.painter.cased_ring(*camera.to_window(*place), ui.px(16), 3, theme.SELECT)
    ui.on("panels")


def _way(ui: Ui, camera: Camera, cue: Cue, colour: Colour, progress: float) -> None:
    if len(cue.path) < 2:
        return
    spots = camera.all_to_window(cue.path)
    for a, b in pairwise(spots):
        ui.painter.dashes(a, b, 2, theme.faded(colour, 190), dash=6)
    ui.painter.ring(*spots[-1], 6, 2, theme.faded(colour, 230))
    x, y = camera.to_window(*along(cue.path, progress))
    ui.painter.cased_disc(x, y, 4, theme.SELECT)


def _shots(ui: Ui, camera: Camera, top: Tabletop, cue: Cue, colour: Colour, progress: float) -> None:
    """Draw tracers from the first thing that the cue is about to the last."""
    places = [place for place in map(top.centre_of, cue.about) if place is not None]
    if len(places) < 2:
        return
    start, end = camera.to_window(*places[0]), camera.to_window(*places[-1])
    ui.painter.stroke([start, end], 1, theme.faded(colour, 110))
    for tracer in range(TRACERS):
        head = progress * 1.4 - tracer * 0.1
        if 0 < head < 1.1:
            a, b = _between(start, end, max(head - 0.12, 0)), _between(start, end, min(head, 1))
            ui.painter.cased([a, b], 3, theme.LEADS)
    ui.painter.ring(*end, 10 + 8 * progress, 2, theme.faded(theme.MARK_WARN, round(255 * (1 - progress * 0.6))))


def _between(a: Spot, b: Spot, share: float) -> Spot:
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def _falls(ui: Ui, camera: Camera, playing: Playing) -> None:
    """Draw a cross, larger and fainter, over each figure that falls with the present cue."""
    moment = next((moment for moment in playing.queued.moments if moment.cue is playing.cue), None)
    for name, after in moment.changes.items() if moment is not None else ():
        piece = playing.before.get(name)
        if after is not None or not isinstance(piece, Piece):
            continue
        x, y = camera.to_window(*piece.at)
        reach = max(piece.radius * camera.scale, 5) * (1 + 0.5 * playing.progress)
        tone = theme.faded(theme.MARK_BAD, round(255 - 120 * playing.progress))
        for turn in (-1, 1):
            ui.painter.stroke([(x - reach, y - turn * reach), (x + reach, y + turn * reach)], 3, tone)


def place_of_words(
    ui: Ui,
    board: Rect,
    camera: Camera,
    at: tuple[float, float] | None,
    words: str,
    dice: Dice | None,
    buttons: Sequence[Rect],
) -> Rect:
    """Return the box for words and dice beside a place of the table: the nearest above or below it that covers none of
    `buttons`."""
    x, y = camera.to_window(*at) if at is not None else (board.centre[0], board.top - ui.px(60))
    width: float = ui.px(WORDS_WIDTH)
    room = width - ui.px(18)
    side, rows = ui.px(22), 0
    if dice is not None and dice.faces:
        rows = dice_rows(min(len(dice.faces), MOST_DICE), room, side, GAP)
    height = ui.lines_height(words, room, size=theme.SMALL, bold=True) + rows * (side + GAP) + ui.px(12)
    if not rows:
        width = min(width, ui.width(words, size=theme.SMALL, bold=True) + ui.px(22))
    left = min(max(x - width / 2, board.x + 4), board.right - width - 4)
    lowest, highest = board.y + 4, max(board.top - height - 4, board.y + 4)
    wanted = min(max(y + ui.px(26), lowest), highest)
    # just above or below a button are the only other places worth trying
    edges = [edge for button in buttons for edge in (button.top + GAP, button.y - GAP - height)]
    boxes = [Rect(left, low, width, height) for low in (wanted, *edges) if lowest <= low <= highest]
    free = [box for box in boxes if not any(box.overlaps(button) for button in buttons)]
    return min(free, key=lambda box: abs(box.y - wanted), default=Rect(left, wanted, width, height))


def _draw_words(ui: Ui, box: Rect, words: str, dice: Dice | None, colour: Colour, tumble: int) -> None:
    """Draw the words of the act in their box: those of its present cue with its dice, its sum at its end."""
    ui.on("over")
    ui.painter.box(box, theme.faded(theme.VEIL, 235), 2, colour, 5)
    inside = Rect(box.x + ui.px(9), box.y, box.w - ui.px(14), box.h - ui.px(6))
    rest = ui.lines(words, inside, size=theme.SMALL, bold=True)
    if dice is not None and dice.faces:
        below = rest.cut_top(GAP)[1]
        draw_dice_rows(ui, below, dice, colour, side=ui.px(22), gap=GAP, tumble=tumble, most=MOST_DICE)


def _said(texts: Texts, playing: Playing) -> tuple[str, Dice | None]:
    """Return the words to be read now, with the dice that they are about."""
    cue, told = playing.cue, playing.queued.told
    if cue is None:
        act = told.act
        last = playing.queued.moments[-1].cue if playing.queued.moments else None
        if act is not None and told.has_ended:
            return (sum_words(act, texts), None)
        return (texts.say(last.text if last is not None else None), None)
    if cue.dice is None:
        return (texts.say(cue.text), None)
    settled = playing.progress >= SETTLED
    return (texts.say(cue.text if settled else cue.dice.purpose), cue.dice)


def _beside(ui: Ui, top: Tabletop, playing: Playing) -> tuple[float, float] | None:
    """Return the place of the thing that the words are about: the last one that is in the scene."""
    cue, act = playing.cue, playing.queued.told.act
    if cue is not None and len(cue.path) > 1:
        return cue.path[-1]
    about: list[NodeId] = list(cue.about) if cue is not None else []
    about = about or (list(act.about.values()) if act is not None else [])
    for name in reversed(about):
        place = top.centre_of(name) or _as_it_began(ui, top, playing).centre_of(name)
        if place is not None:
            return place
    return None


def _as_it_began(ui: Ui, top: Tabletop, playing: Playing) -> Tabletop:
    return ui.kept.one("act_began", playing.before, lambda: Tabletop(playing.before, top))
