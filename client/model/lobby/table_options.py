"""Options of a table before the start: each with its words, and the change that takes its next value. Needs no
window."""

from __future__ import annotations

from collections.abc import Sequence

from client.model.lobby.paces import next_bot_pace
from client.text.phrases import phrase, yes_or_no
from client.text.spoken import SPOKEN
from client.text.texts import Texts
from protocol.wire.choices import OptionChoice, OptionValue, SystemChoice
from protocol.wire.from_server import TableView

PACES = (30, 60, 120, 300)
BANKS = (0, 300, 600, 1200, 2400)
REACTIONS = (0, 2, 3, 5, 10)
STAYING = (0, 50, 70, 80, 90)
LIVE = ("time", "bank", "solo_clock", "rated", "strict")
"""Options without meaning by mail: no clock runs, and programs add nothing to dice, so that none is rated."""
FREE = ("private", "staying", "ranked")
"""Options that are chosen at a ranked table, too; the others are fixed there."""


def rule_options(system: SystemChoice, scenario: str) -> list[OptionChoice]:
    """Return the options that a scenario of a system has."""
    form_of = next((one.form_of for one in system.scenarios if one.id == scenario), "")
    return [o for o in system.options if not o.scenarios or scenario in o.scenarios or form_of in o.scenarios]


def next_value(option: OptionChoice, now: OptionValue) -> OptionValue:
    """Return the value that the next click takes; after the last one the first."""
    if option.kind == "flag":
        return not now
    values: list[int | str] = [one.id for one in option.values] or list(range(option.low, option.high + 1))
    return values[(values.index(now) + 1) % len(values)] if now in values else values[0]


def value_in_words(option: OptionChoice, value: OptionValue, texts: Texts) -> str:
    """Return a value of an option in words."""
    if option.kind == "flag":
        return yes_or_no(is_so=bool(value))
    return next((texts.say(one.name) for one in option.values if one.id == value), str(value))


def table_options(table: TableView) -> tuple[tuple[str, str, dict[str, object]], ...]:
    """Return each option's id, its words, and the change that the next click makes."""
    bank = phrase("option.bank", minutes=table.bank // 60) if table.bank else phrase("option.bank.none")
    reactions = phrase("option.reactions", seconds=table.reaction_seconds)
    look, all_late = yes_or_no(is_so=table.seat_views), yes_or_no(is_so=table.all_views)
    heard = yes_or_no(is_so=table.watchers_heard)
    rated = yes_or_no(is_so=table.rated and not table.mail)
    return (
        ("private", phrase("option.private", private=yes_or_no(is_so=table.private)), {"private": not table.private}),
        ("mail", phrase("option.mail", mail=yes_or_no(is_so=table.mail)), {"mail": not table.mail}),
        ("time", phrase("option.time", seconds=table.seconds), {"seconds": _next(PACES, table.seconds)}),
        ("bank", bank, {"bank": _next(BANKS, table.bank)}),
        ("reactions", reactions, {"reaction_seconds": _next(REACTIONS, table.reaction_seconds)}),
        (
            "solo_clock",
            phrase("option.solo_clock", solo=yes_or_no(is_so=table.solo_clock)),
            {"solo_clock": not table.solo_clock},
        ),
        (
            "bot_pace",
            phrase("option.bot_pace", seconds=SPOKEN.decimal(table.bot_pace / 1000, "0.##")),
            {"bot_pace": next_bot_pace(table.bot_pace)},
        ),
        ("late", phrase("option.late", late=yes_or_no(is_so=table.late)), {"late": not table.late}),
        ("seat_views", phrase("option.seat_views", allowed=look), {"seat_views": not table.seat_views}),
        ("all_views", phrase("option.all_views", allowed=all_late), {"all_views": not table.all_views}),
        (
            "watchers_heard",
            phrase("option.watchers_heard", heard=heard),
            {"watchers_heard": not table.watchers_heard},
        ),
        ("rated", phrase("option.rated", rated=rated), {"rated": not table.rated}),
        ("strict", phrase("option.strict", strict=yes_or_no(is_so=table.strict)), {"strict": not table.strict}),
        ("ranked", phrase("option.ranked", ranked=yes_or_no(is_so=table.ranked)), {"ranked": not table.ranked}),
        ("staying", _staying(table.staying), {"staying": _next(STAYING, table.staying)}),
    )


def _staying(percent: int) -> str:
    return phrase("option.staying", percent=percent) if percent else phrase("option.staying.any")


def _next(values: Sequence[int], now: int) -> int:
    return next((value for value in values if value > now), values[0])
