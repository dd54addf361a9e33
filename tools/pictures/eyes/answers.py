"""True answers to what is asked of a picture, from what the server has told the window's seat."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from client.model.playback.ribbon import RibbonEntry
from client.model.table.view_model import ViewModel
from client.model.words.act_words import act_words
from client.model.words.option_names import option_name
from client.text.forecast_words import figures, percent
from client.views.table.table_screen import TableScreen
from protocol.ids import NodeId
from protocol.scene.nodes import Prompt
from protocol.wire.from_server import Surveyed

Answers = Mapping[str, str | Sequence[str]]


def answers_of(screen: TableScreen, prompt: Prompt, feature: NodeId) -> Answers:
    """Return the answers to all five questions. `feature`: the piece of terrain that is pointed at."""
    model, gestures = screen.model, screen.gestures
    entries = list(screen.session.story.ribbon.entries)
    acts = [entry for entry in entries if entry.act is not None]
    newer = entries[entries.index(acts[-1]) + 1 :] if acts else entries
    known = [(choice.id, model.texts.say(choice.name), found) for choice, found in gestures.known(prompt)]
    alone = [model.texts.say(choice.name) for choice in prompt.choices if choice.id not in {id for id, _, _ in known}]
    return {
        "who": ", ".join(_holder(model, seat) for seat in (model.top.waits.seats if model.top.waits else ())),
        "group": model.group_name(gestures.subject),
        "can": [line for _, name, found in known for line in _deeds(model, name, found)],
        "beside": alone,
        "last": _told(model, acts[-1]) if acts else "nothing",
        "after": [_told(model, entry) for entry in newer],
        "before": [_told(model, entry) for entry in acts[-4:-1]],
        "leads": _leaders(model),
        "terrain": model.texts.say(model.top.features[feature].name),
    }


def _holder(model: ViewModel, seat: int) -> str:
    return f"{model.player_name(seat)} ({model.seat_name(seat)})"


def _told(model: ViewModel, entry: RibbonEntry) -> str:
    words = act_words(entry, model)
    return f"{_holder(model, entry.seat)}: {words}" if entry.seat >= 0 else words


def _deeds(model: ViewModel, name: str, found: Surveyed) -> Iterator[str]:
    """Yield what a group can do by one choice, or why not."""
    say, targets = model.texts.say, {}
    if found.why is not None:
        yield f"{name}: cannot, {say(found.why)}"
        return
    if not found.reach and not found.targets:
        yield name
    for band in found.reach:
        yield f"{name}: {say(band.name)}, up to {band.cost / 100:g} {model.top.table.unit}"
    for target in found.targets:
        group = option_name(model, model.top.group_of.get(target.id, target.id), None)
        chance = f"{percent(target.chance)}, {figures(target.loss)} lost on average" if target.chance else "can"
        targets[group] = f"cannot, {say(target.why)}" if target.why is not None else chance
    yield from (f"{name} {group}: {words}" for group, words in targets.items())


def _leaders(model: ViewModel) -> str:
    """Return who has the highest score, with all scores."""
    seats = model.top.seats
    most = max(node.score for node in seats.values())
    first = [_holder(model, seat) for seat, node in seats.items() if node.score == most]
    scores = ", ".join(f"{model.seat_name(seat)} {node.score}" for seat, node in seats.items())
    return f"{' and '.join(first)} ({scores})"


def as_toml(name: str, answers: Answers) -> str:
    """Return a table of a TOML file."""
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in answers.items()]
    return "\n".join([f"[{json.dumps(name)}]", *lines, ""])
