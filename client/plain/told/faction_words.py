"""Factions in words: each in a line, and the page of one in full."""

from __future__ import annotations

from collections.abc import Iterator

from client.model.session import ClientSession
from client.text.phrases import phrase
from client.text.word_help import helps_in
from protocol.text import Text
from protocol.wire.choices import FactionChoice
from protocol.wire.faction_pages import FactionRule, FactionSheet, FactionUnit


def list_lines(session: ClientSession, factions: tuple[FactionChoice, ...]) -> Iterator[str]:
    """Yield each faction by its number, with what the lobby says of it."""
    say = session.texts.say
    for number, one in enumerate(factions, 1):
        words = " ".join(map(say, one.lines[-1:]))
        yield phrase("plain.line", number=number, words=": ".join(filter(None, (say(one.name), words))))
    yield phrase("plain.factions.how")


def sheet_lines(session: ClientSession, sheet: FactionSheet) -> Iterator[str]:
    """Yield the page of a faction from the top down."""
    say = session.texts.say
    yield say(sheet.name)
    yield from map(say, (*sheet.about[-1:], *sheet.numbers))
    for key, words in (("strong", sheet.strong), ("weak", sheet.weak)):
        if words is not None:
            yield phrase(f"plain.verdict.{key}", words=say(words))
    if sheet.rules:
        yield phrase("factions.special")
        yield from (_rule(session, rule) for rule in sheet.rules)
    if sheet.units:
        yield phrase("factions.units")
        yield from (_unit(session, unit) for unit in sheet.units)
    for ready in sheet.lists:
        yield phrase("plain.factions.list", total=say(ready.name), lines="; ".join(map(say, ready.lines)))
    yield from map(say, sheet.about[:-1])


def _rule(session: ClientSession, rule: FactionRule) -> str:
    name, says = session.texts.say(rule.name), session.texts.say(rule.says)
    words = says or next((told.words for _, told in helps_in(session.texts, rule.name)), "")
    return words if not words or words.startswith(name) else _line(session, rule.name, words)


def _unit(session: ClientSession, unit: FactionUnit) -> str:
    say = session.texts.say
    return _line(session, unit.name, "; ".join(filter(None, (say(unit.note), *map(say, unit.lines)))))


def _line(session: ClientSession, name: Text, words: str) -> str:
    return phrase("tip.means", name=session.texts.say(name), words=words)
