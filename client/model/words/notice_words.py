"""Words of what a person is told wherever they are: announcements, kept seats, turns and dates of tables. Needs no
window."""

from __future__ import annotations

from typing import Final

from client.model.lobby.announcements import AnnouncementsHeard
from client.model.table.view_model import minutes
from client.text.days import time_of
from client.text.phrases import phrase
from client.text.texts import Texts
from protocol.wire.dates import DateTold
from protocol.wire.order import AnnouncementRow
from protocol.wire.seating import Invitation
from protocol.wire.webhooks import TurnTold

HOUR: Final = 3600


def announcement_words(heard: AnnouncementsHeard, row: AnnouncementRow) -> str:
    """Return an announcement in words, with the time that is left until its moment."""
    left = heard.left(row)
    if left is None:
        return phrase("notice.announced", words=row.text)
    if not left:
        return phrase("notice.announced.now", words=row.text)
    return phrase("notice.announced.in", words=row.text, left=span_of(left))


def span_of(seconds: float) -> str:
    """Return the time that is left in words."""
    whole = int(seconds)
    if whole < HOUR:
        return minutes(seconds * 1000)
    return phrase("notice.hours", hours=whole // HOUR, minutes=whole % HOUR // 60)


def turn_told_words(told: TurnTold) -> str:
    """Return that it is the person's turn at another table."""
    return phrase("notice.turn", table=told.name)


def date_words(told: DateTold) -> str:
    """Return when a table begins, that it is open, or that the person's seat there is free again."""
    when = time_of(told.begins)
    return phrase(
        "notice.freed" if told.freed else "notice.opened" if told.opened else "notice.date", table=told.name, when=when
    )


def invitation_words(told: Invitation, texts: Texts) -> str:
    """Return who keeps a seat for the person, and where."""
    scenario = texts.say(told.scenario)
    return phrase("notice.again" if told.again else "notice.kept", by=told.by, table=told.name, scenario=scenario)
