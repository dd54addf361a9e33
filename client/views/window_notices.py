"""Notices that a session has for the person wherever they are: a match that is offered, an announcement, a turn, a
date, a kept seat."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from client.model.words.notice_words import announcement_words, date_words, invitation_words, turn_told_words
from client.text.phrases import phrase
from client.views.notice_bar import WindowNotice

if TYPE_CHECKING:
    from client.app.navigator import Navigator
    from client.model.session import ClientSession
    from protocol.ids import TableId
    from protocol.wire.dates import DateTold


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
    return WindowNotice(heard.mark_of(row), announcement_words(heard, row), "", None, phrase("notice.seen"), close)


def _turn(session: ClientSession, navigator: Navigator) -> WindowNotice | None:
    turns = session.invitations.turns
    if not turns:
        return None
    table, one = next(iter(turns.items()))
    words, close = turn_told_words(one), partial(session.invitations.close, table)

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
    words = date_words(one)
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
    words = invitation_words(one, session.texts)
    accept, refuse = partial(_sit_down, session, navigator, table), partial(session.invitations.close, table)
    return WindowNotice(table, words, phrase("notice.sit_down"), accept, phrase("notice.later"), refuse)


def _sit_down(session: ClientSession, navigator: Navigator, table: TableId) -> None:
    session.invitations.close(table)
    navigator.join(table=table)
