"""Hostile army lists: codes of any numbers with a right checksum, files with any values, and changes to rows that no
form has."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from engine.core.rules.army_lists import BroughtList
from engine.core.rules.errors import ListRefused
from engine.kit.lists.codes import coded
from engine.rulesets.one_page.content.army_lists import OnePageLists
from engine.rulesets.one_page.text.texts import ARMY_LISTS as ENGLISH
from protocol.limits import Limits
from protocol.text_format import format_text
from protocol.wire.codec import checked, decode_message, encode
from protocol.wire.from_client import BuildList
from protocol.wire.from_server import ListShown
from protocol.wire.list_form import Change, ListForm
from tests.support.systems.army_book import book

LISTS: Final = OnePageLists()
LIMITS: Final = Limits()
ARMIES: Final = {"iron_marches": "IM", "sable_order": "SO", "brood_of_ossa": "BO", "nobody": "XX"}
EDGES: Final = (0, 1, 1, 2, 3, 4, 30, 40, 41, 60, 99, 100, 127, 128, 301, 302, 999, 1000, 16_383, 16_384)
HUGE: Final = (2**31, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**70, 10**200)
WORDS: Final = ("-1", "1e999999999", "inf", "true", '""', '"IM-04"', '"ash"', "[1, 1, 99]", "[100]", "{}", "07:32:00")
VALUES: Final = (*map(str, (*EDGES, 3000, 99_900)), *(str(number)[:190] for number in HUGE), *WORDS)
HEAD: Final = ("army", "version", "limit", "name", "colour")
LINE: Final = ("id", "count", "upgrades", "discipline", "doubled")
ROWS: Final = ("take", "line", "up", "double", "split", "study", "army", "limit", "sample", "chance", "clear", "none")


def fuzz_lists(count: int, seed: int) -> dict[str, float]:
    """Ask for a number of forms as clients may: each is refused with a text, or can be sent, and its draft read
    again."""
    chance = random.Random(seed)
    asked, shown, refused = requests(chance), 0, 0
    while shown + refused < count:
        request: BuildList | None = next(asked)
        while request is not None:
            form = form_of(request)
            shown, refused = shown + (form is not None), refused + (form is None)
            assert form is None or form_of(BuildList(draft=form.draft)) is not None, request
            request = sendable(chance, draft=form.draft) if form is not None and chance.random() < 0.8 else None
    return {"drafts": shown + refused, "shown": shown, "refused": refused}


def requests(chance: random.Random) -> Iterator[BuildList]:
    """Yield requests for a form, for ever."""
    while True:
        if chance.random() < 0.7:
            request = sendable(chance, draft=_code(chance))
        else:
            request = sendable(chance, lines=_file(chance))
        if request is not None:
            yield request


def sendable(chance: random.Random, draft: str = "", lines: list[str] | None = None) -> BuildList | None:
    """Return the request with a change of any kind, or none; None where it exceeds bounds that a server checks
    first."""
    change = Change(_row(chance), chance.choice((0, 1, 1, 2, 150, 999))) if chance.random() < 0.8 else None
    with suppress(ValueError):
        return checked(BuildList(draft=draft, lines=lines or [], change=change))
    return None


def form_of(asked: BuildList) -> ListForm | None:
    """Return the form as it comes to a client; None where it is refused. The list is read as one to play with, too."""
    written = "\n".join(asked.lines) or asked.draft
    try:
        brought = LISTS.read(book(), written)
        encode(ListShown(0, _with(brought)))
    except ListRefused as refused:
        _has_words(refused)
    try:
        form = LISTS.form(book(), written, asked.change)
    except ListRefused as refused:
        _has_words(refused)
        return None
    shown = decode_message(encode(ListShown(0, form)), LIMITS)
    assert isinstance(shown, ListShown)
    assert shown.form == form
    return form


def _has_words(refused: ListRefused) -> None:
    assert all(format_text(fault, ENGLISH) for fault in refused.faults)


def _with(brought: BroughtList) -> ListForm:
    """Put every number of a list into something that can be sent."""
    return ListForm(f"{brought.points} {brought.limit}", brought.name, brought.lines[0], (), brought.lines)


def _code(chance: random.Random) -> str:
    entries = [number for _ in range(chance.choice((0, 1, 1, 2, 5, 80, 81))) for number in _entry(chance)]
    numbers = [_number(chance) if chance.random() < 0.1 else 30, *entries]
    if chance.random() < 0.2:
        del numbers[chance.randrange(len(numbers) + 1) :]
    return coded(f"{chance.choice(list(ARMIES.values()))}{chance.choice((1, 1, 1, 2, 999))}", numbers)


def _entry(chance: random.Random) -> Iterator[int]:
    """Return the numbers of an entry, some of them random."""
    rows = chance.choice((0, 0, 0, 1, 2, 40, 41))
    head = (chance.randrange(1, 25), chance.randrange(2, 8), chance.randrange(3), rows)
    for number in (*head, *(chance.randrange(1, 6) for _ in range(rows))):
        yield _number(chance) if chance.random() < 0.02 else number


def _number(chance: random.Random) -> int:
    return chance.choice(HUGE if chance.random() < 0.3 else EDGES)


def _file(chance: random.Random) -> list[str]:
    sound = {"army": f'"{chance.choice(list(ARMIES))}"', "version": "1", "limit": "3000"}
    lines = ["[list]", *_pairs(chance, sound, HEAD)]
    for _ in range(chance.choice((0, 1, 2, 80, 81))):
        unit = {"id": f'"{chance.choice(list(ARMIES.values()))}-{chance.randrange(1, 25):02}"'}
        lines += ["[[unit]]", *_pairs(chance, unit, LINE)]
    return lines[:250]


def _pairs(chance: random.Random, sound: dict[str, str], keys: tuple[str, ...]) -> Iterator[str]:
    if chance.random() < 0.1:
        sound = sound | {chance.choice(keys): chance.choice(VALUES)}
    yield from (f"{key} = {value}" for key, value in sound.items())


def _row(chance: random.Random) -> str:
    place = chance.choice(("0", "0", "1", "79", "99", "9" * 40))
    rest = chance.choice(("", f"IM-{chance.randrange(1, 25):02}", place, f"{place}/1", f"{place}/{'9' * 18}", "0/x"))
    return f"{chance.choice(ROWS)}/{rest}"[:64]
