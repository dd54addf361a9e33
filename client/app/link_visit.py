"""Visits by links: a server that the person does not know is asked about, then the window goes where the link leads."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from client.errors import CannotPlay
from client.fairness.finished_match_check import in_thread
from client.model.replay.replay_player import ReplayPlayer, open_replay
from client.model.replay.replays import saved_in_words
from client.net.address import parse_address
from client.text.phrases import phrase
from client.views.board.replay_screen import LinkedReplayControls, ReplayScreen
from client.views.popups import Confirmation
from protocol.wire.links import FollowLink

if TYPE_CHECKING:
    from pathlib import Path

    from client.app.link_handover import LinkDoor
    from client.app.navigator import Navigator
    from client.model.session import ClientSession
    from protocol.game_links import GameLink
    from protocol.ids import TableId


class _Read(NamedTuple):
    """Outcome of reading the file of a visit."""

    session: ClientSession
    visit: int
    path: Path
    found: ReplayPlayer | CannotPlay


class LinkVisit:
    """The visits of one window, one after another. `tick` is called in each turn of the window's loop.

    A replay is shown only in the visit that has asked for it; one that comes after that is saved, and no more.
    """

    def __init__(self, navigator: Navigator) -> None:
        self.navigator = navigator
        self._act = 0
        self._code = ""
        self._number = 0
        """Number of the present visit; it goes up with its end, too."""
        self._followed = -1
        """Number of the visit in which a code was followed last."""
        self._at: TableId | None = None
        """Table at which the person was when the visit began."""
        self._fetching: ClientSession | None = None
        """The session that is sent the replay of the visit."""
        self._read: deque[_Read] = deque()

    def visit(self, link: GameLink) -> None:
        """Go where a link leads. The person is asked before, where they do not know its server, or sit at a
        table. One question is asked at a time: a link that comes while one is open is passed over."""
        if self.navigator.app.confirmation is not None:
            return
        address, navigator = parse_address(link.place), self.navigator
        profile, session = navigator.profile, navigator.session
        table = session.conversation.table if session is not None else None
        is_here = session is not None and session.address.key == address.key and session.reached
        is_known = is_here or address.key in {*profile.tokens, *profile.hosts}
        go = partial(self._go, link, is_here=is_here)
        if is_known and (table is None or table.seat < 0):
            go()
            return
        about = phrase("link.known" if is_known else "link.unknown", place=address.key, link=link.words)
        navigator.app.ask(Confirmation(phrase("link.title", place=address.key), about, phrase("link.yes"), go))

    def listen(self, door: LinkDoor) -> None:
        """Follow the links that come by the door of this window."""

        def look(_: float) -> bool:
            link = door.newest()
            if link is not None:
                self.navigator.app.activate()
                self.visit(link)
            return link is not None

        self.navigator.app.before_tick.append(look)

    def _go(self, link: GameLink, *, is_here: bool) -> None:
        if is_here:
            self.follow(link.code, link.act)
        else:
            self.navigator.visit_server(parse_address(link.place), link.code, link.act)

    def follow(self, code: str, act: int = 0) -> None:
        """Follow a code at the present server; one that knows no links takes it for an invitation."""
        session = self.navigator.session
        if session is not None and session.knows_links:
            session.linked_replay = None
            self.navigator.go(FollowLink(code=code))
            self._begin(session, code, act)
            self._followed = self._number
        else:
            self.navigator.join(code=code)

    def watch(self, table: TableId, code: str = "") -> None:
        """Fetch the replay of a finished table of the present server, and show it. `code`: that of links to it."""
        session = self.navigator.session
        if session is not None:
            self._begin(session, code, 0)
            self._fetch(session, table)

    def _begin(self, session: ClientSession, code: str, act: int) -> None:
        self.leave()
        self._code, self._act, self._at = code, act, _table_of(session)

    def leave(self) -> None:
        """End the visit: the person goes elsewhere."""
        self._number += 1
        self._fetching = None

    def _fetch(self, session: ClientSession, table: TableId) -> None:
        self._fetching = session
        session.replays.fetch(table, self.navigator.replay_folder())

    @property
    def is_due(self) -> bool:
        """True where a replay has come or has been read, and waits to be shown."""
        session = self._fetching
        return bool(self._read) or (session is not None and session.replays.saved is not None)

    def tick(self, session: ClientSession) -> None:
        """Take the next step towards a replay, if the server has said enough for it."""
        replays = session.replays
        if _table_of(session) not in (None, self._at):
            self.leave()
            self._at = _table_of(session)
        table, session.linked_replay = session.linked_replay, None
        if table is not None and self._followed == self._number:
            self._fetch(session, table)
        if self._fetching is session and replays.saved is not None:
            self._fetching, path, replays.saved = None, replays.saved, None
            in_thread(partial(self._load, session, self._number, path))
        if not replays.is_fetching:
            self._fetching = None
        while self._read:
            read = self._read.popleft()
            if read.session is session:
                self._show(read)

    def _load(self, session: ClientSession, visit: int, path: Path) -> None:
        """Read the file beside the window's thread: whether it can be read is tried in a child process first."""
        found: ReplayPlayer | CannotPlay
        try:
            found = open_replay(path)
        except CannotPlay as cannot:
            found = cannot
        self._read.append(_Read(session, visit, path, found))
        self.navigator.app.call()

    def _show(self, read: _Read) -> None:
        if isinstance(read.found, CannotPlay):
            read.session.notice = str(read.found)
            return
        if read.visit != self._number:
            read.session.notice = saved_in_words(read.path)
            return
        navigator = self.navigator
        link = partial(read.session.link_to, self._code) if self._code else None
        controls = LinkedReplayControls(link, navigator.copy, navigator.leave_replay)
        navigator.app.show(ReplayScreen(navigator.app, read.found, read.found.step_of(self._act), controls))


def _table_of(session: ClientSession) -> TableId | None:
    """Return the table at which the person is."""
    table = session.conversation.table
    return table.id if table is not None else None
