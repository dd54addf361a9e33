"""Words around table talk: to whom one speaks, and offers that bind nobody."""

from __future__ import annotations

from typing import Final, Literal

Kind = Literal["truce", "leave", "help", "share", "other"]
KINDS: Final[tuple[Kind, ...]] = ("truce", "leave", "help", "share", "other")
"""Kinds of offers, in the order in which they are shown."""

ENGLISH: Final[dict[str, str]] = {
    "talk.title": "Table talk",
    "talk.binds": "What is agreed here binds nobody: no rule knows of it, and every other faction stays an enemy.",
    "talk.say": "Say something (Ctrl+T)",
    "talk.say.one": "Say something to {name} alone (Ctrl+T)",
    "talk.to.all": "All",
    "talk.to.tip": "Who hears you: all, or one alone (Ctrl+Shift+T).",
    "talk.to": "to {name}",
    "talk.open": "Talk",
    "talk.open.tip": "Offers, and words to one alone.",
    "talk.whom": "To whom?",
    "talk.what": "What do you offer?",
    "talk.words": "In your words, such as: until the bridge falls",
    "talk.shown": "All see it: {shown}",
    "talk.shown.tip": "Whether all at the table see the offer and its answer, or only you two.",
    "talk.yes": "yes",
    "talk.no": "no",
    "talk.send": "Offer",
    "talk.send.first": "Write a few words first.",
    "talk.whisper": "Write to {name} alone",
    "talk.close": "Back to the table",
    "talk.none": "Nothing has been offered yet.",
    "talk.accept": "Accept",
    "talk.decline": "Decline",
    "talk.accept.key": "Ctrl+Y",
    "talk.decline.key": "Ctrl+N",
    "talk.gone": "Whom you write to has gone: choose who hears you.",
    "talk.to.nobody": "Nobody",
    "talk.say.nobody": "Choose who hears you (Ctrl+Shift+T)",
    "talk.withdraw": "Take back",
    "talk.of": "{kind} of {name}",
    "talk.kind.truce": "A truce",
    "talk.kind.leave": "I leave a place",
    "talk.kind.help": "I help you",
    "talk.kind.share": "We win together",
    "talk.kind.other": "Something else",
    "talk.line": "{by} to {to}: {kind}, \u201c{words}\u201d",
    "talk.asked": "{by} offers: {kind}, \u201c{words}\u201d",
    "talk.state.open": "open",
    "talk.state.accepted": "agreed",
    "talk.state.declined": "declined",
    "talk.state.withdrawn": "taken back",
    "talk.news.open": "offers: {kind}, \u201c{words}\u201d",
    "talk.news.accepted": "agrees: {kind}, \u201c{words}\u201d",
    "talk.news.declined": "declines: {kind}, \u201c{words}\u201d",
    "talk.news.withdrawn": "takes back: {kind}, \u201c{words}\u201d",
}
