"""Words of an act as it stands in the ribbon and above the prompt. Needs no window."""

from __future__ import annotations

from client.model.playback.durations import length_of
from client.model.playback.ribbon import RibbonEntry
from client.model.table.view_model import ViewModel
from client.text.lengths import short_length
from client.text.phrases import phrase


def act_words(entry: RibbonEntry, model: ViewModel) -> str:
    """Return the line of an act, with the length of the way walked in it."""
    words = entry.words(model.texts)
    way = sum(length_of(cue.path) for cue in entry.cues() if len(cue.path) > 1)
    if entry.seat < 0 or not way:
        return words
    return phrase("ribbon.way", words=words, length=short_length(way, model.top.table.unit))
