"""Follows the proof of whatever table one is at: asks for it, and hands on all that the check needs. No window."""

from __future__ import annotations

from client.fairness import Fairness, Verdict
from protocol.client_conversation import ClientConversation
from protocol.from_client import GetProof
from protocol.from_server import Delta, FromServer, LinkWanted, Problem, Proof, TableView
from protocol.text import Text, text

REFUSED = "proof/none"


class FairPlay:
    """One's own check of the table. `hear` every message that the conversation has taken; `news` are lines for the
    log, to be taken out."""

    def __init__(self, conversation: ClientConversation) -> None:
        self.check: Fairness | None = None
        self.news: list[Text] = []
        self._conversation = conversation
        self._reported = 0
        self._alarmed = False
        self._asked_at = -1
        self._audience = -1

    @property
    def host(self) -> Text:
        """Who signs here."""
        welcome = self._conversation.welcome
        return Text("fair.host", {"key": key_words(welcome.key if welcome is not None else b"")})

    def link_up(self) -> None:
        """A new link: what was missed meanwhile is asked for."""
        self._asked_at = -1
        if self.check is not None:
            self.check.lost()

    def hear(self, message: FromServer) -> None:
        """Take what concerns the check."""
        check = self.check
        match message:
            case TableView():
                self._at_table(message)
            case Proof() if check is not None and message.table == check.match:
                if check.count and message.seat != self._audience:
                    # one looks with other eyes now, whose facts are counted otherwise
                    self._begin(check.match, check.seat)
                    return
                self._audience = message.seat
                was_live = check.is_live
                if not check.take(message):
                    self._ask(check)
                self._report(check, was_live)
            case Delta() if check is not None:
                for cue in message.cues:
                    if cue.dice is not None:
                        check.shown(cue.dice)
                self._report(check, check.is_live)
            case LinkWanted() if check is not None and message.table == check.match:
                link = self._conversation.link_for(message)
                if link is not None:
                    check.opened(message.round, link)
            case Problem(code=code) if check is not None and code == REFUSED:
                check.is_asking = False
            case _:
                pass

    def _at_table(self, view: TableView) -> None:
        if view.state == "open":
            self.check = None
            return
        check = self.check
        if check is None or (check.match, check.seat) != (view.id, view.seat):
            self._begin(view.id, view.seat)
        elif not check.is_live and not check.is_asking:
            self._ask(check)

    def _begin(self, match: str, seat: int) -> None:
        """Check a match from its first fact on."""
        welcome = self._conversation.welcome
        key = welcome.key if welcome is not None else b""
        self.check = Fairness(match, key, seat, self._conversation.owns_link)
        self.news, self._reported, self._alarmed, self._asked_at = [], 0, False, -1
        self._ask(self.check)

    def _ask(self, check: Fairness) -> None:
        """Ask for what follows; for the same only once, whatever a host does."""
        if self._asked_at == check.count:
            return
        self._asked_at = check.count
        check.is_asking = True
        self._conversation.say(GetProof(t="get_proof", table=check.match, after=check.count))

    def _report(self, check: Fairness, was_live: bool) -> None:
        """Lines for the log about what has been found since."""
        fresh = [c for c in check.rounds.values() if c.round > self._reported and c.verdict is Verdict.CHECKED]
        if fresh and check.is_live:
            self._reported = fresh[-1].round
            if was_live:
                for done in fresh:
                    rolls = len(done.rolls)
                    line = text("fair.log", round=done.round, rolls=rolls, cards=done.cards, word=done.word)
                    self.news.append(line)
            else:
                self.news.append(text("fair.log.before", rounds=len(fresh)))
        if check.verdict is Verdict.WRONG and not self._alarmed:
            self._alarmed = True
            self.news.append(check.why)


def key_words(key: bytes) -> str:
    """The beginning of a key as people compare it."""
    digits = key.hex()[:16]
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))
