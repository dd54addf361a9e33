"""Feed of the present table: log, chat, offers, rolls. Needs no window."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from client.model.view_model import ChatEntry, LogLine
from client.text.texts import Texts
from protocol.scene.nodes import Dice
from protocol.text import text
from protocol.wire.from_server import OfferView, TableView

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
    rolled_at: float = 0.0

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
        self.chat.append(ChatEntry(names.get(speaker, ""), words, speaker, hearer, offer.open))
