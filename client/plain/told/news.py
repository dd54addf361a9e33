"""News of a session as lines: acts of the match one by one, what people say and offer, votes, clocks, and the link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from client.model.playback.ribbon import RibbonEntry
from client.model.session import ClientSession
from client.model.table.view_model import ChatEntry, LogLine, ViewModel, minutes
from client.model.words.chat_words import chat_words
from client.model.words.dice_words import dice_words
from client.model.words.notice_words import announcement_words, date_words, invitation_words, turn_told_words
from client.model.words.vote_words import vote_question
from client.plain.told.compass import way_words
from client.text.phrases import phrase
from protocol.wire.from_server import OfferView, TableView


class News:
    """News of one session that have not been told yet. `say` takes each line; `gather` gives the table as it is."""

    def __init__(self, session: ClientSession, say: Callable[[str], object], gather: Callable[[], ViewModel]) -> None:
        self._session = session
        self._say = say
        self._gather = gather
        self.tells_dice = False
        """True where the dice of each act are told behind it."""
        self._link = ""
        self._notice = ""
        self._left = ""
        self._elsewhere: set[str] = set()
        self._acts: list[RibbonEntry] = []
        """Those of the ribbon that have been told, or are from before one came."""
        self._open: RibbonEntry | None = None
        self._lines: list[LogLine] = []
        """Those of the log that are no part of the match's own story and have been told."""
        self._chat: Counter[tuple[object, ...]] = Counter()
        """Lines of the chat that have been told, by what is the same each time that the server sends them."""
        self._lobby_chat = 0
        self._offers: dict[str, str] = {}
        self._vote: tuple[object, ...] = ()
        self._warned = 0.0
        self._waits: tuple[object, ...] = ()

    def tell(self) -> None:
        """Tell all that is new."""
        for lines in (
            self._of_link,
            self._of_acts,
            self._of_log,
            self._of_talk,
            self._of_table,
            self._of_elsewhere,
            self._of_notices,
        ):
            for line in lines():
                self._say(line)

    def _of_link(self) -> Iterator[str]:
        words, is_good = self._session.status()
        state = "" if is_good else words
        if state != self._link:
            self._link, was_bad = state, bool(self._link)
            if state or was_bad:
                yield state or words

    def _of_acts(self) -> Iterator[str]:
        """Yield the sum of each act that has ended, and the title of one that a question interrupts."""
        entries = list(self._session.story.ribbon.entries)
        told = set(map(id, self._acts))
        self._acts = [entry for entry in entries if id(entry) in told]
        for entry in entries:
            if id(entry) in told:
                continue
            is_last = entry is entries[-1]
            if entry.before is None:
                self._acts.append(entry)  # from before one came
            elif entry.has_ended or entry.act is None or not is_last:
                self._acts.append(entry)
                yield from self._act_lines(entry)
            elif self._session.prompt is not None and self._session.prompt.choices and self._open is not entry:
                self._open = entry
                yield phrase("plain.act.open", words=entry.words(self._session.texts))

    def _act_lines(self, entry: RibbonEntry) -> Iterator[str]:
        """Yield an act in one line, with its way where it has one; what is part of no act line by line; then the dice,
        where they are wanted."""
        texts, ways = self._session.texts, [cue.path for cue in entry.cues() if len(cue.path) > 1]
        words = entry.words(texts)
        if entry.act is None:
            yield from (texts.say(cue.text) for cue in entry.cues())
        elif len(ways) == 1:
            way = way_words(ways[0][0], ways[0][-1], self._gather().top.table.unit)
            yield phrase("plain.act.way", words=words, way=way)
        else:
            yield words
        for cue in entry.cues() if self.tells_dice else ():
            if cue.dice is not None:
                purpose = texts.say(cue.dice.purpose)
                yield phrase("plain.dice", purpose=purpose, dice=dice_words(cue.dice, texts))

    def _of_log(self) -> Iterator[str]:
        """Yield the lines of the log that are no part of the match's own story."""
        told = set(map(id, self._lines))
        self._lines = [line for line in self._session.feed.log if not line.told]
        yield from (line.text for line in self._lines if id(line) not in told)

    def _of_talk(self) -> Iterator[str]:
        session = self._session
        for line in self._of_chat():
            yield chat_words(line, session.conversation.table, session.texts)
        for entry in session.lobby_feed.lines:
            if entry.number > self._lobby_chat and session.conversation.table is None:
                yield chat_words(entry, None, session.texts)
            self._lobby_chat = max(self._lobby_chat, entry.number)
        for offer in session.feed.offers.values():
            if self._offers.get(offer.id) != offer.state:
                self._offers[offer.id] = offer.state
                yield from self._offer_lines(offer)

    def _of_chat(self) -> Iterator[ChatEntry]:
        """Yield the lines of the chat that have not been told: whoever comes back is sent the last ones again."""
        seen: Counter[tuple[object, ...]] = Counter()
        for line in self._session.feed.chat:
            key = line.at, line.who, line.text, line.to, line.is_to_side
            seen[key] += 1
            if seen[key] > self._chat[key]:
                yield line
        self._chat |= seen

    def _offer_lines(self, offer: OfferView) -> Iterator[str]:
        """Yield what is to be done about an offer to oneself; all else about offers stands in the chat."""
        table = self._session.conversation.table
        if table is not None and offer.state == "open" and offer.to == table.seat:
            yield phrase("plain.offer.how")

    def _of_table(self) -> Iterator[str]:
        table = self._session.conversation.table
        if table is None:
            return
        yield from self._vote_lines(table)
        warned = self._session.warning.until
        if warned != self._warned and warned > self._session.clock():
            yield phrase("notice.time", left=minutes((warned - self._session.clock()) * 1000))
        self._warned = warned

    def _vote_lines(self, table: TableView) -> Iterator[str]:
        vote = table.vote
        known = (vote.what, vote.seat, vote.by) if vote is not None else ()
        if known != self._vote:
            self._vote = known
            if vote is not None:
                yield vote_question(self._gather(), table, vote)
                if table.seat in vote.asked and table.seat not in vote.yes:
                    yield phrase("plain.vote.how")

    def _of_elsewhere(self) -> Iterator[str]:
        """Yield what the host announces, and what is told of other tables, each once."""
        session, told = self._session, self._session.invitations
        row = session.announcements.unread()
        if row is not None:
            yield announcement_words(session.announcements, row)
            session.announcements.read(row)
        words = [invitation_words(one, session.texts) for one in told.waiting.values()]
        words += [*map(date_words, told.dates.values()), *map(turn_told_words, told.turns.values())]
        for line in words:
            if line not in self._elsewhere:
                yield f"{line} {phrase('plain.elsewhere.how')}"
        self._elsewhere = set(words)

    def _of_notices(self) -> Iterator[str]:
        session = self._session
        if session.left and session.left != self._left:
            yield session.left
        self._left = session.left
        if session.notice:
            words, session.notice = session.notice, ""
            yield words
