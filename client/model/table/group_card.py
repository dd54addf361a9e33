"""Card of the group pointed at: its own name, figures and states now, then the lines of its sheet. Needs no window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from protocol.ids import NodeId
from protocol.text import Text


@dataclass(frozen=True)
class GroupCard:
    """Words of a card. `now`: how many figures are left, and the group's states."""

    title: str
    now: str
    lines: tuple[Text, ...]


def group_card(model: ViewModel, thing: NodeId) -> GroupCard | None:
    """Return the card of a group, or of a figure's group; None for a thing without a sheet."""
    top, texts = model.top, model.texts
    id = top.group_of.get(thing, thing)
    group, sheet = top.groups.get(id), top.sheet_of(id)
    if group is None or sheet is None:
        return None
    return GroupCard(texts.say(group.name), now_words(model, id), sheet.lines)


def now_words(model: ViewModel, group: NodeId) -> str:
    """Return the words for a group as it is now: its figures, and its states."""
    states = (model.texts.state(status) for status in model.top.groups[group].status)
    return ", ".join((*_figures_left(model, group), *states))


def _figures_left(model: ViewModel, group: NodeId) -> Iterator[str]:
    """Yield the words for the figures of a group on the table, and for how many it had at first; nothing where there
    are none."""
    count, sheet = len(model.top.pieces_of(group)), model.top.sheet_of(group)
    if count and sheet is not None and count < sheet.figures:
        yield phrase("tip.figures.of", count=count, of=sheet.figures)
    elif count:
        yield phrase("tip.figures", count=count)
