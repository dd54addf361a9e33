"""State of a session as heard from the server so far, for the views to show. Needs no window."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from client.model.table.kept_seat_code import KeptSeatCode
from client.model.table.story import Story
from client.model.table.table_feed import TableFeed
from client.model.table.time_warning import TimeWarning
from client.text.texts import Texts
from protocol.ids import TableId
from protocol.wire.from_server import Detail, ListShown, Proposed, Reject, Surveyed, TableView
from protocol.wire.on_now import OnNow
from protocol.wire.results import Leaders, Results


@dataclass(eq=False, repr=False)
class SessionState:
    """Everything that a session has received and a view may show. Times are the session's clock, in seconds.

    `changes` counts up with every change that is visible; `links_made`, `problems` and `names_registered` with each of
    these.
    """

    texts: Texts = field(default_factory=Texts)
    story: Story = field(init=False)
    changes: int = 0

    state: Literal["connecting", "up", "lost", "away"] = "connecting"
    """Of the link."""
    why: str = ""
    """Why the link is not up."""
    told_why: str = ""
    """The reason that the server gave for closing this link."""
    away: str = ""
    """Why the server has closed for good (a code of STAY_AWAY); empty otherwise."""
    is_silent: bool = False
    """True where the server has left something that was said to it without an answer for long."""
    links_made: int = 0
    frames_said: int = 0
    """Frames that were sent on all links."""
    heard_until: int = 0
    """The number of the last `mark` that the server has heard."""
    reached: bool = False
    """True once the server has let the person in, ever since this session began."""

    at_table: TableId | None = None
    table_seen: TableView | None = None
    table_at: float = 0.0
    """When `table_seen` came."""
    clocks_at: float = 0.0
    """When its clocks came."""
    warning: TimeWarning = field(default_factory=TimeWarning)
    left: str = ""
    """Why the person is no longer at the table."""

    unsent: dict[TableId | None, tuple[str, int]] = field(default_factory=dict)
    """Lines of chat that were begun at tables, each with its recipient as in TableDiplomacy."""

    notice: str = ""
    problem: str = ""
    """Words of the last Problem."""
    problem_code: str = ""
    problems: int = 0
    detail: Detail | None = None
    """The newest answer to `ask_detail`."""
    advice: deque[Surveyed | Proposed | Reject] = field(default_factory=lambda: deque(maxlen=64))
    """Answers to `ask_survey` and `ask_proposal`, and refusals that have a place, that nobody has taken yet, the oldest
    first."""
    sealed: bytes = b""
    """The intent that was acknowledged last as an answer to a question that is still open."""
    already_answered: bytes = b""
    """The intent that was refused last because the seat had answered already."""
    seat_code: KeptSeatCode = field(default_factory=KeptSeatCode)
    list_shown: ListShown | None = None
    """The form of an army list that came last."""
    results: Results | None = None
    """The newest answer to GetResults; None while one is awaited."""
    on_now: OnNow | None = None
    """The newest answer to GetOnNow; None while the first one is awaited."""
    leaders: Leaders | None = None
    """The newest answer to GetLeaders; None while one is awaited."""
    own_name: str = ""
    """The name that I have on this server."""
    has_accounts: bool = False
    """True where the server lets people change their accounts."""
    has_own_data: bool = False
    """True where the server sends what it keeps of the person."""
    takes_reports: bool = False
    """True where the server takes reports of people."""
    knows_links: bool = False
    """True where the server knows where links lead."""
    linked_replay: TableId | None = None
    """The table of the replay that a link led to last, until somebody takes it."""
    registered_name: str = ""
    """The name that is mine on this server by a password."""
    names_registered: int = 0

    def keep_unsent(self, table: TableId | None, words: str, to: int = -1) -> None:
        """Keep a line of chat that was begun at a table until the person is there again."""
        self.unsent.pop(table, None)
        if words:
            self.unsent[table] = words, to

    def unsent_to(self, table: TableId | None) -> tuple[str, int]:
        """Return the line that was begun at a table, and its recipient."""
        return self.unsent.get(table, ("", -1))

    @property
    def feed(self) -> TableFeed:
        """Log, chat, offers and dice of the present table."""
        return self.story.feed
