"""Drawing of a prompt's choices as lines, each at its place for as long as an activation goes on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from client.input.activation_ending import listed_asides
from client.input.choice_numbers import TURN
from client.input.key_table import KeyTable, choices_by_letter
from client.input.prompt_driver import PromptDriver
from client.model.option_names import option_name
from client.model.view_model import ViewModel
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect
from protocol.scene.nodes import Choice
from protocol.text import Text

if TYPE_CHECKING:
    from client.draw.panels.prompt import PromptPanel

GAP = 4


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
    """Draw a button for each choice; those that the group in focus can be used for stand out. Where there is no room
    for all, those that are shut are left out."""
    fitting: tuple[Choice, ...] = ()
    if driver.focus:
        fitting = driver.choices_for(driver.focus)
        head, rect = rect.cut_top(ui.px(20), ui.px(4))
        name = option_name(model, driver.focus, None)
        ui.line(phrase("prompt.aside", name=name), head, colour=theme.HINT)
    rect = _draw_asides(ui, rect, model, driver, panel, panel.numbers.of(driver.prompt))
    lines = choice_lines(model, driver, panel)
    height, gap = ui.px(theme.ROW), ui.px(GAP)
    fits = max(int((rect.h + gap) // (height + gap)), 1)
    if len(lines) > fits:
        offered = {choice.id for choice in driver.prompt.choices}
        lines = [line for line in lines if line.choice.id in offered]
    panel.scroll = first = min(panel.scroll, max(len(lines) - fits, 0))
    ui.scrolls(rect, panel.turn)
    letters = {id: letter for letter, id in letter_keys(driver.prompt.choices, ui.keys).items()}
    for box, line in zip(rect.rows(height, gap), lines[first:], strict=False):
        if box.contains(*ui.mouse):
            panel.choice = line.choice.id
        box = draw_question_mark(ui, box, model, line.choice, driver.prompt.rule, panel)
        _draw_line(ui, box, model, line, panel, letters.get(line.choice.id, ""), primary=line.choice in fitting)


def _draw_asides(
    ui: Ui, rect: Rect, model: ViewModel, driver: PromptDriver, panel: PromptPanel, numbers: Mapping[str, int]
) -> Rect:
    """Draw the asides from the foot of `rect`; return the room above."""
    for aside in listed_asides(driver.prompt):
        foot, rect = rect.cut_bottom(ui.px(theme.ROW), ui.px(GAP))
        tip = model.texts.say(aside.hint)
        act, number = partial(panel.controller.choose, aside.id), numbers[aside.id]
        ui.button(foot, model.texts.say(aside.name), act, tip=tip, listed=True, number=number)
    return rect


def _draw_line(
    ui: Ui, box: Rect, model: ViewModel, line: ChoiceLine, panel: PromptPanel, letter: str, *, primary: bool
) -> None:
    name, tip = model.texts.say(line.choice.name), line.why or model.texts.say(line.choice.hint)
    if line.why:
        ui.button(box, name, None, tip=tip, name=name, left=True)
        return
    words = phrase("prompt.letter", name=name, letter=letter.upper()) if letter else name
    if panel.picking is not None and panel.picking.choice.id == line.choice.id:
        words = phrase("picking.list")
    act = partial(panel.controller.choose, line.choice.id)
    ui.button(box, words, act, primary=primary, tip=tip, name=name, left=True, listed=True, number=line.number)


def draw_question_mark(ui: Ui, row: Rect, model: ViewModel, choice: Choice, rule: str, panel: PromptPanel) -> Rect:
    """Draw a button for the rules about a choice at the right of a row; return the room that is left."""
    act = panel.explain(choice.id, rule)
    if act is None:
        return row
    mark, rest = row.cut_right(ui.px(28), ui.px(4))
    tip = model.texts.say(Text("book.help"))
    ui.button(mark, "?", act, tip=tip, name=phrase("prompt.rules", choice=model.texts.say(choice.name)))
    return rest
