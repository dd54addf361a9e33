"""docs/security.md lists the bounds of all that messages start, with the numbers that hold, and every message."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, get_args

import msgspec
import pytest

from protocol.ids import TableId
from protocol.limits import HOUR, HoldLimits, Limits, Rate, Rates
from protocol.text_cleaning import clean_line
from protocol.wire import from_client as said
from protocol.wire.from_server import ChatLine
from protocol.wire.pacing import Pace
from server.accounts.display_names import person_name
from server.net.message_bounds import MESSAGE_BOUNDS
from server.talk.reports import AROUND, StoredReport

PAGE: Final = (Path(__file__).resolve().parents[2] / "docs" / "security.md").read_text("utf-8")
LIMITS: Final = Limits()
MANY: Final = 1_000
SPANS: Final = {60.0: "min", 600.0: "10 min", 3600.0: "h", 86400.0: "day"}
BESIDE: Final = {
    "Speak": "histories",
    "Hello": "logins guests",
    "KeepName": "names",
    "Rename": "renames",
    "CreateTable": "tables seats",
    "JoinTable": "seats",
    "UseSeatCode": "seats",
    "StartMatch": "matches",
    "OpenTable": "folds watchers",
    "WatchTable": "folds watchers",
    "FollowLink": "folds seats watchers",
    "BuildList": "questions",
    "BringList": "questions",
    "DetailRequest": "questions",
    "Survey": "questions",
    "Propose": "questions",
    "Chat": "words",
    "Report": "reports",
    "Relate": "requests",
    "GetReplay": "replays",
    "GetOwnData": "exports",
    "SetWebhook": "webhooks",
    "TryWebhook": "deliveries",
    "GetHistory": "questions",
    "FindTables": "searches looks",
    "SeekMatch": "questions seats",
    "ConfirmMatch": "openings starts tables matches",
    "FillWithBots": "openings starts tables matches",
    "KeepSeat": "invitations",
    "GiveSeat": "seats",
    "Rematch": "tables seats invitations",
}
"""What is counted when it is known what is asked for, beside MESSAGE_BOUNDS."""
BUCKETS: Final = {
    said.Intent: LIMITS.intents,
    said.DetailRequest: LIMITS.details,
    said.Survey: LIMITS.details,
    said.Propose: LIMITS.details,
    said.BuildList: LIMITS.details,
    said.Chat: LIMITS.chat,
    said.Offer: LIMITS.chat,
    said.AnswerOffer: LIMITS.chat,
    said.PointAt: LIMITS.marks,
}


def number(count: float) -> str:
    return "" if count == float("inf") else f"{count:,.0f}"


def rate(found: Rate | None) -> str:
    return "" if found is None else f"{number(found.most)} / {SPANS[found.seconds]}"


def hourly(found: Rate | None) -> float:
    return float("inf") if found is None else found.most * max(1.0, HOUR / found.seconds)


def rows() -> dict[str, str]:
    """The rows of the table of bounds by their kinds, without what each counts."""
    found: dict[str, str] = {}
    kinds: dict[str, Rates | HoldLimits] = {**LIMITS.rates(), **LIMITS.held()}
    for kind, bound in kinds.items():
        if isinstance(bound, Rates):
            cells = [rate(bound.person), rate(bound.address), rate(bound.server)]
            of_one, of_all = hourly(bound.address), hourly(bound.server)
        else:
            cells = [number(each) for each in (bound.person, bound.address, bound.server)]
            of_one, of_all = float(bound.address), float(bound.server)
        cells += [number(of_one), number(min(MANY * of_one, of_all))]
        found[kind] = " | ".join(cells)
    return found


def test_the_page_has_every_bound_with_its_numbers() -> None:
    for kind, cells in rows().items():
        assert re.search(rf"^\| `{kind}` \| [^|]+ \| {re.escape(cells)} \|$", PAGE, re.MULTILINE), f"{kind}: {cells}"


def test_a_report_of_the_longest_lines_is_no_larger_than_the_page_says() -> None:
    letter = "\U00020000"  # a letter of 4 bytes, the most that one has
    assert clean_line(letter) == person_name(letter, 1) == letter
    name, words, id, at = letter * LIMITS.name_length, letter * LIMITS.chat_length, "f" * 16, 2**40
    line = ChatLine(id, name, "watcher", words, at, 15, "table", at, name)
    lines = (line,) * (2 * AROUND + 1)
    report = StoredReport(id, name, id, name, "abuse", words, at, lines, AROUND, TableId("f" * 12))
    told = re.search(r"Reports of people and lines, of (\d+) KB at most", PAGE)
    assert told is not None
    assert len(msgspec.msgpack.encode(report)) / 1000 == pytest.approx(int(told[1]), abs=1)


def test_every_message_has_a_row_with_its_bounds() -> None:
    messages = get_args(said.FromClient)
    assert set(MESSAGE_BOUNDS) == set(messages)
    pace = Pace(LIMITS, 0.0)
    for message in messages:
        bucket = BUCKETS.get(message, LIMITS.frames)
        own = [kind for kind, known in BUCKETS.items() if pace.bucket(message) is pace.bucket(kind)]
        assert own == [] or message in BUCKETS
        kinds = " ".join((*MESSAGE_BOUNDS[message], *BESIDE.get(message.__name__, "").split()))
        marked = ", ".join(f"`{kind}`" for kind in kinds.split())
        cells = f"| `{message.__name__}` | {bucket.rate:g} / s, burst {bucket.burst} | {marked}"
        assert any(line.startswith(cells) for line in PAGE.splitlines()), cells
    listed = re.findall(r"^\| `([A-Z]\w+)` \| \d+ / s, burst", PAGE, re.MULTILINE)
    assert sorted(listed) == sorted(message.__name__ for message in messages)
