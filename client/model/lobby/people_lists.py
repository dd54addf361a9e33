"""Lists of people that the server keeps for this person: a page of one list at a time, and the card of one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from client.model.lobby.pages import page_start
from client.text.phrases import phrase
from protocol.limits import Limits
from protocol.wire.from_client import (
    GetPeople,
    GetPerson,
    Message,
    PeopleChange,
    PeopleList,
    Relate,
    ShowPresence,
)
from protocol.wire.people import PeoplePage, PersonCard

LISTS: Final[tuple[PeopleList, ...]] = ("friends", "asking", "asked", "recent", "muted", "blocked")
"""In the order in which they are shown."""
REFRESH_SECONDS: Final = 10.0
"""Seconds after which a list that is shown is asked for anew: friends come and go."""


class PeopleLists:
    """Lists of one session. `say` sends a message, `tell` shows words to the person, `clock` gives seconds."""

    def __init__(self, say: Callable[[Message], object], tell: Callable[[str], object], clock: Callable[[], float]):
        self._say = say
        self._tell = tell
        self._clock = clock
        self._asked_at = 0.0
        self._first = 0
        self.is_kept = False
        """True where the server keeps such lists."""
        self.shown: PeopleList | None = None
        """The list that is open."""
        self.page: PeoplePage | None = None
        """The page of it, once it has come."""
        self.card: PersonCard | None = None
        self.waiting = 0
        """Requests that wait for the person's answer."""

    def begin(self, *, is_kept: bool) -> None:
        """Ask a server that keeps lists for the requests that wait, and to be told of further ones."""
        self.is_kept = is_kept
        if is_kept:
            self._count()

    def show(self, name: PeopleList, first: int = 0) -> None:
        """Open a list at a place."""
        if (name, first) != (self.shown, self._first):
            self.page = None
        self.shown, self._first, self.card = name, first, None
        self._ask()

    def close(self) -> None:
        """Close the list and the card."""
        self.shown = self.page = self.card = None

    def look_at(self, who: str) -> None:
        """Ask for the card of a person."""
        self.card = None
        self._say(GetPerson(who=who))

    def relate(self, deed: PeopleChange, who: str | None = None, name: str | None = None) -> None:
        """Do this about a person."""
        self._say(Relate(what=deed, who=who, name=name))

    def show_presence(self, *, shown: bool) -> None:
        """Let friends see, or not see, that the person is here."""
        self._say(ShowPresence(shown=shown))
        self._ask()

    def refresh(self) -> None:
        """Ask for the open list again from time to time."""
        if self.shown is not None and self._clock() - self._asked_at > REFRESH_SECONDS:
            self._ask()

    def take(self, message: PeoplePage | PersonCard) -> None:
        """Take a page or a card. After each card the requests are counted anew: what one of the two has done may have
        made one or ended one."""
        if isinstance(message, PeoplePage):
            if message.list == "asking":
                self.waiting = message.total
            if (message.list, message.first) == (self.shown, self._first):
                self._take_page(message)
            return
        if message.news and (message.friend or message.asking):
            self._tell(phrase("people.agreed" if message.friend else "people.asks", name=message.name))
        if not message.news or (self.card is not None and self.card.who == message.who):
            self.card = message
        self._ask()
        if self.shown != "asking":
            self._count()

    def _take_page(self, page: PeoplePage) -> None:
        """Take the page that is shown; where the list has become shorter than that, ask for its last page."""
        self._first = page_start(page.first, page.total, Limits().people_page, is_empty=not page.rows)
        if self._first == page.first:
            self.page = page
        else:
            self._ask()

    def _count(self) -> None:
        self._say(GetPeople(list="asking"))

    def _ask(self) -> None:
        if self.shown is not None:
            self._asked_at = self._clock()
            self._say(GetPeople(list=self.shown, first=self._first))


def deeds(card: PersonCard) -> Iterator[PeopleChange]:
    """Yield what can be done about a person."""
    if card.friend:
        yield "end"
    elif card.asking:
        yield from ("accept", "decline")
    elif card.asked:
        yield "take_back"
    elif card.kept and not card.blocked:
        yield "ask"
    if card.muted or not card.blocked:
        yield "unmute" if card.muted else "mute"
    yield "unblock" if card.blocked else "block"
