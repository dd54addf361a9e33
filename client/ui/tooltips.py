"""Tooltips for things on the board: name, states, and why a thing cannot be picked. Needs no window."""

from __future__ import annotations

from client.input.prompt_driver import PromptDriver
from client.model.view_model import ViewModel
from client.text.phrases import phrase
from protocol.ids import NodeId
from protocol.scene.nodes import NO_NODE


def tooltip_for(model: ViewModel, driver: PromptDriver | None, thing: NodeId) -> str:
    """Return lines about a group, a figure or a feature; "" for anything else that can be picked."""
    group = model.top.groups.get(thing)
    if group is not None:
        states = [model.texts.state(status) for status in group.status]
        count = len(model.top.pieces_of(thing))
        figures = [phrase("tip.figures", count=count)] if count else []
        player = model.player_name(group.owner)
        name = model.texts.say(group.name)
        whose = phrase("tip.group_of", name=name, player=player) if player else name
        lines = [whose, ", ".join((*figures, *states))]
    else:
        lines = _figure_or_feature_lines(model, thing)
    bar = driver.barred().get(thing) if driver is not None else None
    if bar is not None:
        lines.append(phrase("tip.not_now", why=model.texts.say(bar.why)))
    return "\n".join(line for line in lines if line)


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
        return [texts.say(feature.name), cover, phrase("tip.blocks") if feature.blocks else "", *states]
    return []
