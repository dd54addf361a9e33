"""Pages and acts of a moderator: reports, bans and mutes, the audit list. Needs no window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, get_args

from client.model.lobby.pages import page_start
from client.text.phrases import phrase
from protocol.wire.client_message import Message
from protocol.wire.order import AuditPage, Moderating, OrderDone, ReportPage, SanctionPage
from protocol.wire.order_requests import Announce, GetAudit, GetReports, GetSanctions, TakeBackAnnouncement

ModerationTab = Literal["reports", "sanctions", "tables", "announcements", "audit"]
TABS: Final[tuple[ModerationTab, ...]] = get_args(ModerationTab)
"""In the order in which they are shown."""
SANCTIONS: Final = 12
"""Rows of a page of bans and mutes."""


class ModeratorLists:
    """Pages and acts of the moderator of one session. `say` sends messages, `tell` shows words to the person."""

    def __init__(self, say: Callable[[Message], object], tell: Callable[[str], object]) -> None:
        self.say = say
        self._tell = tell
        self._place = 0
        self.moderates = False
        """True where the person is a moderator."""
        self.tab: ModerationTab = TABS[0]
        self.reports: ReportPage | None = None
        self.sanctions: SanctionPage | None = None
        self.audit: AuditPage | None = None
        self.done = 0
        """Number of acts that the server has carried out."""

    def begin(self, *, moderates: bool) -> None:
        """Begin on a new link."""
        self.moderates = moderates

    def show(self, tab: ModerationTab, place: int = 0) -> None:
        """Ask for what stands on a tab, from a place on; 0: the newest."""
        self.tab, self._place = tab, place
        self.reports = self.sanctions = self.audit = None
        self._ask()

    def _ask(self) -> None:
        match self.tab:
            case "reports":
                self.say(GetReports(before=self._place or None))
            case "sanctions":
                self.say(GetSanctions(first=self._place))
            case "audit":
                self.say(GetAudit(before=self._place or None))
            case _:
                pass

    def announce(self, words: str, seconds: int) -> None:
        """Announce something to everybody."""
        self.say(Announce(text=words, seconds=seconds))

    def take_back(self, id: str) -> None:
        """End an announcement."""
        self.say(TakeBackAnnouncement(id=id))

    def take(self, message: ReportPage | SanctionPage | AuditPage | OrderDone | Moderating) -> None:
        """Take what the server tells a moderator."""
        match message:
            case ReportPage():
                self.reports = message
            case SanctionPage():
                start = page_start(message.first, message.total, SANCTIONS, is_empty=not message.rows)
                if start == message.first:
                    self.sanctions = message
                else:
                    self._place = start
                    self._ask()
            case AuditPage():
                self.audit = message
            case Moderating():
                self.moderates = message.moderates
                self._tell(phrase("order.appointed" if message.moderates else "order.dismissed"))
            case OrderDone():
                self.done += 1
                self._tell(phrase(f"order.done.{message.what}", name=message.name))
                self._ask()
