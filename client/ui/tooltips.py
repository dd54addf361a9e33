"""Tooltips for things on the board: name, states, and why a thing cannot be picked. Needs no window."""

from __future__ import annotations

from client.input.prompt_driver import PromptDriver
from client.model.table.group_card import now_words
from client.model.table.view_model import ViewModel
from client.text.phrases import phrase
from client.text.word_help import WordHelp, help_on
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE


def tooltip_for(model: ViewModel, driver: PromptDriver | None, thing: NodeId) -> str:
    """Return lines about a group, a figure or a feature; "" for anything else that can be picked."""
    group = model.top.groups.get(thing)
    if group is not None:
        player = model.player_name(group.owner)
        name = model.texts.say(group.name)
        whose = phrase("tip.group_of", name=name, player=player) if player else name
        lines = [whose, now_words(model, thing), *_explained(group_helps(model, thing))]
    else:
        lines = _figure_or_feature_lines(model, thing)
    bar = driver.barred().get(thing) if driver is not None else None
    if bar is not None:
        lines.append(phrase("tip.not_now", why=model.texts.say(bar.why)))
    return "\n".join(line for line in lines if line)


def group_helps(model: ViewModel, thing: NodeId) -> list[tuple[str, WordHelp]]:
    """Return the states of a group by name, with what each of them means for it."""
    group = model.top.groups[thing]
    sheet = model.top.sheet_of(thing)
    numbers = {**(sheet.numbers if sheet is not None else {}), **group.numbers}
    found = ((model.texts.state(name), help_on(model.texts, f"status.{name}", numbers)) for name in group.status)
    return [(name, told) for name, told in found if told is not None]


def feature_helps(model: ViewModel, thing: NodeId) -> list[tuple[str, WordHelp]]:
    """Return what a piece of terrain does, by its kind, its cover for the viewer's own figures, and its states."""
    feature, texts = model.top.features[thing], model.texts
    own = next((sheet.numbers for sheet in model.top.sheets.values() if sheet.owner == model.seat), {})
    words = [
        ("", help_on(texts, f"terrain.{feature.kind}")),
        ("", help_on(texts, f"cover.{feature.cover}", own) if feature.cover else None),
        *((texts.state(name), help_on(texts, f"status.{name}")) for name in feature.states),
    ]
    return [(name, told) for name, told in words if told is not None]


def rule_of(model: ViewModel, thing: NodeId) -> str:
    """Return the rule that tells more of a thing on the board: of its first state or kind that names one."""
    group = thing if thing in model.top.groups else model.top.group_of.get(thing, NO_NODE)
    if thing in model.top.features:
        helps = feature_helps(model, thing)
    else:
        helps = group_helps(model, group) if group in model.top.groups else []
    return next((told.rule for _, told in helps if told.rule), "")


def _explained(helps: list[tuple[str, WordHelp]]) -> list[str]:
    """Return a line for each explanation, after the name of what it explains."""
    return [phrase("tip.means", name=_capital(name), words=told.words) if name else told.words for name, told in helps]


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _cover_words(model: ViewModel, cover: str) -> str:
    """Return how a feature protects: the catalogue's words for cover.NAME, else the name itself."""
    return model.texts.named(f"cover.{cover}", phrase("tip.cover", cover=cover))


def _figure_or_feature_lines(model: ViewModel, thing: NodeId) -> list[str]:
    """Return lines about a figure or a feature."""
    top, texts = model.top, model.texts
    if thing in top.pieces:
        piece = top.pieces[thing]
        group = top.groups.get(top.group_of.get(thing, NO_NODE))
        names = [texts.say(piece.name), texts.say(group.name) if group is not None else ""]
        counters = [f"{name} {value}" for name, value in piece.counters.items()]
        states = [texts.state(status) for status in piece.status]
        return [" · ".join(name for name in names if name), ", ".join((*states, *counters))]
    if thing in top.features:
        feature = top.features[thing]
        cover = _cover_words(model, feature.cover) if feature.cover else ""
        states = [texts.state(status) for status in feature.states]
        blocks = phrase("tip.blocks") if feature.blocks else ""
        return [texts.say(feature.name), cover, blocks, *states, *_explained(feature_helps(model, thing))]
    return []
