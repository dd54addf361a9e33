"""Notices that a session has for the person wherever they are: a match that is offered, an announcement, a turn, a
date, a kept seat."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from client.model.view_model import minutes
from client.text.days import time_of
from client.text.phrases import phrase
from client.views.notice_bar import WindowNotice

if TYPE_CHECKING:
    from client.app.navigator import Navigator
    from client.model.announcements import AnnouncementsHeard
    from client.model.session import ClientSession
    from protocol.ids import TableId
    from protocol.wire.dates import DateTold
    from protocol.wire.order import AnnouncementRow


HOUR: Final = 3600


def notice_of(session: ClientSession, navigator: Navigator, *, in_lobby: bool) -> WindowNotice | None:
    """Return the notice that waits now, None where none does. The lobby shows an offered match by itself."""
    if session.away:
        return None
    return (
        _offer(session, navigator, in_lobby=in_lobby)
        or _announcement(session)
        or _turn(session, navigator)
        or _date(session, navigator)
        or _invitation(session, navigator)
        or _webhook(session)
    )


def _offer(session: ClientSession, navigator: Navigator, *, in_lobby: bool) -> WindowNotice | None:
    search = session.match_search
    offer = search.offer
    if offer is None or in_lobby:
        return None
    systems = session.conversation.systems
    names = {one.id: session.texts.say(one.name) for one in systems.systems} if systems is not None else {}
    scenario, left = session.texts.say(offer.scenario), round(search.left)
    game = names.get(offer.system, offer.system)
    words = phrase("notice.offer", game=game, scenario=scenario, seats=offer.seats, left=left)
    yes = phrase("quick.waits") if offer.mine else phrase("quick.confirm")
    accept = None if offer.mine else partial(_confirm, session, navigator)
    return WindowNotice(offer.id, words, yes, accept, phrase("question.no"), search.stop)


def _confirm(session: ClientSession, navigator: Navigator) -> None:
    navigator.to_table()
    session.match_search.confirm()


def _announcement(session: ClientSession) -> WindowNotice | None:
    heard = session.announcements
    row = heard.unread()
    if row is None:
        return None
    close = partial(heard.read, row)
    return WindowNotice(heard.mark_of(row), _announced(heard, row), "", None, phrase("notice.seen"), close)


def _announced(heard: AnnouncementsHeard, row: AnnouncementRow) -> str:
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


def _turn(session: ClientSession, navigator: Navigator) -> WindowNotice | None:
    turns = session.invitations.turns
    if not turns:
        return None
    table, one = next(iter(turns.items()))
    words, close = phrase("notice.turn", table=one.name), partial(session.invitations.close, table)

    def go() -> None:
        close()
        navigator.open_table(table)

    return WindowNotice(f"{table} {words}", words, phrase("notice.go"), go, phrase("notice.later"), close)


def _webhook(session: ClientSession) -> WindowNotice | None:
    """Return that the person is told nothing any more while they are not there; their account page says more."""
    webhook = session.webhook
    if not webhook.is_off_told or webhook.state is None:
        return None
    words = phrase("notice.webhook_off", failures=webhook.state.failures, why=webhook.why)
    return WindowNotice(words, words, phrase("webhook.try"), webhook.try_out, phrase("notice.seen"), webhook.seen)


def _date(session: ClientSession, navigator: Navigator) -> WindowNotice | None:
    if not session.invitations.dates:
        return None
    table, one = next(reversed(session.invitations.dates.items()))
    when = time_of(one.begins)
    words = phrase(
        "notice.freed" if one.freed else "notice.opened" if one.opened else "notice.date", table=one.name, when=when
    )
    go, close = partial(_go_there, session, navigator, one), partial(session.invitations.close, table)
    return WindowNotice(f"{table} {words}", words, phrase("notice.go"), go, phrase("notice.seen"), close)


def _go_there(session: ClientSession, navigator: Navigator, told: DateTold) -> None:
    session.invitations.close(told.table)
    (navigator.watch if told.freed else navigator.open_table)(table=told.table)


def _invitation(session: ClientSession, navigator: Navigator) -> WindowNotice | None:
    waiting = session.invitations.waiting
    if not waiting:
        return None
    table, one = next(reversed(waiting.items()))
    scenario = session.texts.say(one.scenario)
    words = phrase("notice.again" if one.again else "notice.kept", by=one.by, table=one.name, scenario=scenario)
    accept, refuse = partial(_sit_down, session, navigator, table), partial(session.invitations.close, table)
    return WindowNotice(table, words, phrase("notice.sit_down"), accept, phrase("notice.later"), refuse)


def _sit_down(session: ClientSession, navigator: Navigator, table: TableId) -> None:
    session.invitations.close(table)
    navigator.join(table=table)
