"""Drawing of a prompt's choices as lines, each at its place for as long as an activation goes on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from client.input.activation_ending import listed_asides
from client.input.key_table import KeyTable, choices_by_letter
from client.input.prompt_driver import PromptDriver
from client.model.table.view_model import ViewModel
from client.model.words.option_names import option_name
from client.text.phrases import phrase
from client.text.survey_words import survey_words
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.ids import NodeId
from protocol.scene.nodes import TURN, Choice
from protocol.text import Text

if TYPE_CHECKING:
    from client.draw.panels.prompt import PromptPanel

GAP = 4
TALL = 44
"""Pixels from foot to top of a line with what the group in focus can do by its choice."""


class ChoiceLine(NamedTuple):
    """Line of a choice; `why` it is shut, empty where it can be made."""

    number: int
    choice: Choice
    why: str = ""


def letter_keys(choices: tuple[Choice, ...], table: KeyTable) -> dict[str, str]:
    """Return choice ids by the letter that each suggests, where it has no other meaning at the table."""
    return choices_by_letter({choice.id: choice.key for choice in choices}, table.letters(("table", "board")))


def choice_lines(model: ViewModel, driver: PromptDriver, panel: PromptPanel) -> list[ChoiceLine]:
    """Return the lines of a prompt: in one's turn by number, with the choices that are shut; else as they are
    offered."""
    prompt, barred = driver.prompt, panel.barred
    numbers = panel.numbers.of(prompt)
    offered = [ChoiceLine(numbers[choice.id], choice, barred.get(choice.id, "")) for choice in prompt.choices]
    if prompt.window != TURN:
        return offered
    why = phrase("prompt.shut", title=model.prompt_title(prompt))
    shut = [ChoiceLine(number, choice, why) for number, choice in panel.numbers.shut(prompt).values()]
    return sorted([*offered, *shut], key=lambda line: line.number)


def draw_choices(ui: Ui, rect: Rect, model: ViewModel, driver: PromptDriver, panel: PromptPanel) -> None:
    """Draw a button for each choice; those that the group in focus can be used for stand out, and asides stand at the
    foot. Where there is no room for all, those that are shut are left out, those of the group in focus come first, and
    the rest is one list that scrolls."""
    fitting: tuple[Choice, ...] = ()
    if driver.focus:
        fitting = driver.choices_for(driver.focus)
        head, rect = rect.cut_top(ui.px(20), ui.px(4))
        name = option_name(model, driver.focus, None)
        ui.line(phrase("prompt.aside", name=name), head, colour=theme.HINT)
    lines, asides = choice_lines(model, driver, panel), aside_lines(driver, panel)
    row, tall, gap = ui.px(theme.ROW), ui.px(TALL), ui.px(GAP)
    height = tall if len(lines) * (tall + gap) + len(asides) * (row + gap) <= rect.h + gap else row
    fits = max(int((rect.h + gap) // (row + gap)), 1)
    if len(lines) + len(asides) > fits:
        offered = {choice.id for choice in driver.prompt.choices}
        lines = [line for line in lines if line.choice.id in offered]
        lines.sort(
            key=lambda line: bool(driver.focus) and line.choice not in fitting and line.choice.id not in panel.found
        )
    if len(lines) + len(asides) > fits:
        lines, asides = [*lines, *asides], []
    for line in reversed(asides):
        foot, rect = rect.cut_bottom(row, gap)
        _draw_line(ui, foot, model, line, panel)
    letters = {id: letter for letter, id in letter_keys(driver.prompt.choices, ui.keys).items()}
    for box, line in zip(scrolled_rows(ui, rect, len(lines), height, panel), lines[panel.scroll :], strict=False):
        if box.contains(*ui.mouse):
            panel.choice = line.choice.id
        box = draw_question_mark(ui, box, model, line.choice, driver.prompt.rule, panel)
        _draw_line(ui, box, model, line, panel, letters.get(line.choice.id, ""), primary=line.choice in fitting)


def aside_lines(driver: PromptDriver, panel: PromptPanel) -> list[ChoiceLine]:
    """Return the lines of the asides of a prompt."""
    numbers = panel.numbers.of(driver.prompt)
    return [ChoiceLine(numbers[aside.id], aside) for aside in listed_asides(driver.prompt)]


def scrolled_rows(ui: Ui, rect: Rect, count: int, height: float, panel: PromptPanel) -> list[Rect]:
    """Return rows for as many of `count` entries as fit; the wheel scrolls the list when there are more, and a line at
    its foot tells which are in sight."""
    gap = ui.px(GAP)
    panel.fits = fits = max(int((rect.h + gap) // (height + gap)), 1)
    if count > fits:
        foot, rect = rect.cut_bottom(ui.px(20))
        panel.fits = fits = max(int((rect.h + gap) // (height + gap)), 1)
        panel.scroll = min(panel.scroll, count - fits)
        last = min(panel.scroll + fits, count)
        words = phrase("fields.more.of", first=panel.scroll + 1, last=last, count=count)
        ui.line(words, foot, size=theme.SMALL, colour=theme.MUTED)
        ui.scrolls(rect, panel.turn)
    else:
        panel.scroll = 0
    return list(rect.rows(height, gap))[:fits]


def _draw_line(
    ui: Ui,
    box: Rect,
    model: ViewModel,
    line: ChoiceLine,
    panel: PromptPanel,
    letter: str = "",
    *,
    primary: bool = False,
) -> None:
    name, tip = model.texts.say(line.choice.name), line.why or model.texts.say(line.choice.hint)
    below = _can(ui, box, model, line, panel)
    if line.why:
        ui.button(box, name, None, tip=tip, name=name, below=below, left=True)
        return
    words = phrase("prompt.letter", name=name, letter=letter.upper()) if letter else name
    if panel.picking is not None and panel.picking.choice.id == line.choice.id:
        words = phrase("picking.list")
    act = partial(panel.controller.choose, line.choice.id)
    ui.button(
        box, words, act, primary=primary, tip=tip, name=name, below=below, left=True, listed=True, number=line.number
    )


def _can(ui: Ui, box: Rect, model: ViewModel, line: ChoiceLine, panel: PromptPanel) -> str:
    """Return what the group in focus can do by a choice, or why not; in short in a low line."""
    found = panel.found.get(line.choice.id)
    if found is None:
        return ""

    def name_of(thing: NodeId) -> str:
        return option_name(model, model.top.group_of.get(thing, thing), None)

    return survey_words(found, model.texts, model.top.table.unit, name_of, is_brief=box.h < ui.px(TALL))


def draw_question_mark(ui: Ui, row: Rect, model: ViewModel, choice: Choice, rule: str, panel: PromptPanel) -> Rect:
    """Draw a button for the rules about a choice at the right of a row; return the room that is left."""
    act = panel.explain(choice.id, rule)
    if act is None:
        return row
    mark, rest = row.cut_right(ui.px(28), ui.px(4))
    tip = model.texts.say(Text("book.help"))
    ui.button(mark, "?", act, tip=tip, name=phrase("prompt.rules", choice=model.texts.say(choice.name)))
    return rest
