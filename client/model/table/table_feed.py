"""Feed of the present table: log, chat, offers, rolls. Needs no window."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from client.model.playback.told_acts import ActPart, told_acts
from client.model.table.view_model import ChatEntry, LogLine
from client.text.forecast_words import sum_words
from client.text.texts import Texts
from protocol.scene.nodes import Act, Cue, Dice
from protocol.text import text
from protocol.wire.from_server import History, OfferView, TableView

LOG_LINES = 400
CHAT_LINES = 200
OFFERS = 40
ROLLS = 12


@dataclass
class TableFeed:
    """Lines, offers and rolls of one table, emptied when the session goes to another.

    `offers` by id, those that changed last at the end.
    """

    log: deque[LogLine] = field(default_factory=lambda: deque(maxlen=LOG_LINES))
    chat: deque[ChatEntry] = field(default_factory=lambda: deque(maxlen=CHAT_LINES))
    offers: dict[str, OfferView] = field(default_factory=dict)
    dice: deque[Dice] = field(default_factory=lambda: deque(maxlen=ROLLS))
    history_from: int = 0
    """Number of the first entry of the match's history that the log has; 0: nothing happened before."""
    asked_before: int = 0
    """Number of the entry before which a page was asked for last."""
    before_picture: int = 0
    """Lines of the log that are older than the picture that came last."""
    read_until: int = 0
    """Second at which the newest line of the chat that has been in sight was said."""

    @property
    def unread(self) -> int:
        """Number of lines of the chat that have not been in sight yet."""
        return sum(line.at > self.read_until for line in self.chat)

    def read_chat(self) -> None:
        """Note that the newest lines of the chat are in sight."""
        self.read_until = max([self.read_until, *(line.at for line in self.chat)])

    def tell(self, cue: Cue, texts: Texts, act: Act | None = None) -> None:
        """Add a cue of an act to the log."""
        self.add(list(_line(cue, texts, act)))

    def tell_end(self, told: ActPart, texts: Texts) -> None:
        """Add the sum of an act to the log, where it has ended."""
        self.add(list(_sum(told, texts)))

    def roll(self, cue: Cue) -> None:
        """Add the dice of a cue."""
        if cue.dice is not None:
            self.dice.append(cue.dice)

    def add(self, lines: Sequence[LogLine]) -> None:
        """Add lines to the log, which drops its oldest ones where it is full."""
        dropped = max(0, len(self.log) + len(lines) - (self.log.maxlen or LOG_LINES))
        self.before_picture = max(0, self.before_picture - dropped)
        self.log.extend(lines)

    def begin_picture(self) -> None:
        """Note that a picture has come whole: what the match told before is in the page of its history that follows."""
        self.before_picture = len(self.log)
        self.asked_before = 0

    def page_wanted(self) -> int:
        """Return the number of the entry before which the next older page of the history ends; 0 where there is none,
        or it has been asked for."""
        wanted = self.history_from if self.history_from != self.asked_before else 0
        self.asked_before = self.history_from
        return wanted

    def take_history(self, page: History, texts: Texts) -> None:
        """Put a page of the match's history into the log: before it where it goes on from the page before, else in the
        place of all that the match told before the picture."""
        told = [line for frame in page.frames for line in told_lines(frame.acts, frame.cues, texts)]
        lines = list(self.log)
        old, new = lines[: self.before_picture], lines[self.before_picture :]
        if page.first + len(page.frames) != self.history_from:
            old = [line for line in old if not line.told]
            dice = [cue.dice for frame in page.frames for cue in frame.cues if cue.dice is not None]
            self.dice.extendleft(reversed(dice[-(ROLLS - len(self.dice)) :] if len(self.dice) < ROLLS else []))
        self.history_from = page.first
        self.before_picture = len(told) + len(old)
        self.log = deque([*told, *old, *new], maxlen=self.before_picture + len(new) + LOG_LINES)

    def take_chat(self, lines: Iterable[ChatEntry]) -> None:
        """Put the lines that were said in the place of those known; news of offers stay between them."""
        news = [entry for entry in self.chat if entry.is_news]
        self.chat = deque(sorted([*lines, *news], key=lambda entry: entry.at), maxlen=CHAT_LINES)

    def record_offer(self, offer: OfferView, texts: Texts, table: TableView | None) -> None:
        """Store an offer as it stands now, and add its change of state to the chat."""
        before = self.offers.pop(offer.id, None)
        self.offers[offer.id] = offer
        while len(self.offers) > OFFERS:
            del self.offers[next(iter(self.offers))]
        if before is not None and before.state == offer.state:
            return
        kind = texts.say(text(f"talk.kind.{offer.kind}"))
        words = texts.say(text(f"talk.news.{offer.state}", kind=kind, words=offer.text))
        by_maker = offer.state in ("open", "withdrawn")
        speaker, hearer = (offer.by, offer.to) if by_maker else (offer.to, offer.by)
        names = {seat.seat: seat.name for seat in table.seats} if table is not None else {}
        name = names.get(speaker, "")
        self.chat.append(ChatEntry(name, words, speaker, hearer, offer.open, at=offer.at, is_news=True))


def told_lines(acts: Sequence[Act], cues: Sequence[Cue], texts: Texts) -> Iterator[LogLine]:
    """Yield the lines of a frame: its cues, each act's sum behind the last of its own."""
    for told in told_acts(acts, cues):
        for cue in told.cues:
            yield from _line(cue, texts, told.act)
        yield from _sum(told, texts)


def _line(cue: Cue, texts: Texts, act: Act | None) -> Iterator[LogLine]:
    words = texts.say(cue.text)
    if words:
        title = texts.say(act.title) if act is not None else ""
        group = _group(act, texts)
        yield LogLine(
            words, cue.rule, cue.seat, cue.kind, told=True, act=cue.act, title=title, group=group, dice=cue.dice
        )


def _sum(told: ActPart, texts: Texts) -> Iterator[LogLine]:
    act = told.act
    if told.has_ended and act is not None:
        words, group = sum_words(act, texts), _group(act, texts)
        yield LogLine(words, seat=act.seat, kind="act", told=True, act=act.n, group=group)


def _group(act: Act | None, texts: Texts) -> str:
    """Return the name of the group that acts, "" where none does."""
    return texts.say(act.names.get("group")) if act is not None else ""
