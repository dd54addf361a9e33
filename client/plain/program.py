"""The program in plain text: it takes lines, tells news, and asks what is to be answered, all in one thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from client.model.session import OUTSIDE, ClientSession
from client.model.table.tabletop import Tabletop
from client.model.table.view_model import ViewModel
from client.plain.command import Command, CommandBook, Place
from client.plain.consoles import Console, InputEnded, Typed
from client.plain.inbox import Inbox
from client.plain.talk.answers import BadAnswer
from client.plain.talk.prompt_talk import PromptTalk
from client.plain.talk.questions import OpenQuestion, YesOrNo
from client.plain.told.news import News
from client.plain.told.shown_table import ShownTable
from client.text.phrases import phrase
from protocol.ids import TableId
from protocol.scene.nodes import Choice
from protocol.wire.client_message import Message

TURN_SECONDS: Final = 0.2
"""Seconds between two looks at the session where nothing has come."""
ANSWER_SECONDS: Final = 4.0
"""Seconds for which the answer to what was typed is waited for, before the next line is read."""
ARRIVAL_SECONDS: Final = 20.0
"""Seconds for which the server, and a match that is begun at once, are waited for before the first line is read."""
PART: Final = ";"
"""Sign between answers in one line."""


class PlainProgram:
    """Program over one session and one console. Whatever is put into `inbox` from other threads wakes it."""

    def __init__(self, session: ClientSession, console: Console, inbox: Inbox) -> None:
        self.session = session
        self.console = console
        self._inbox = inbox
        self.is_over = False
        self.question: OpenQuestion | None = None
        self._asked_at = self._here()
        """Place, and table, at which the question was asked."""
        self.news = News(session, self.say, lambda: self.shown().model)
        self.talk = PromptTalk(session, self.say, self.shown)
        self.talk.controller.ask_first = self._ask_first
        self.commands = CommandBook(())
        self.is_busy: Callable[[], bool] = lambda: self.talk.is_busy
        """Tells whether something has been begun whose end the next line waits for."""
        self.after_news: Callable[[], object] = lambda: None
        """Called in each turn, once the news are told."""
        self._typed: deque[str] = deque()
        self._has_asked = True
        """True where a line has been asked for, or is being dealt with."""
        self._unsaid: deque[str] = deque()
        self._shown: tuple[int, ShownTable] | None = None

    def give(self, commands: Iterable[Command]) -> None:
        """Know these commands from now on."""
        self.commands = CommandBook(commands)

    def say(self, words: str) -> None:
        """Say a line, as soon as nobody is writing one."""
        if words:
            self._unsaid.append(words)

    def say_all(self, lines: Iterable[str]) -> None:
        """Say several lines."""
        for line in lines:
            self.say(line)

    def ask(self, question: OpenQuestion) -> None:
        """Ask a question, once all that it needs has come; one that was open is dropped. It stands for as long as the
        person stays at this table, before its start or after, or in the lobby."""
        self.question, self._asked_at = question, self._here()
        self.wait(lambda: self.question is not question or question.is_ready(), ANSWER_SECONDS)
        if self.question is question:
            self.say_all(question.lines())

    def _here(self) -> tuple[Place, TableId | None]:
        table = self.session.conversation.table
        return self.place, table.id if table is not None else None

    def _drop(self, question: OpenQuestion) -> None:
        self.question = None
        question.drop()
        self.say(phrase("plain.dropped"))

    def go(self, message: Message) -> None:
        """Ask to come to a table, or for what leads to one."""
        self.session.match_search.leave()
        self.session.door.go(message)
        self.session.say(message)

    @property
    def place(self) -> Place:
        """Place of the person now."""
        table = self.session.conversation.table
        if table is None:
            return Place.LOBBY
        return Place.SETUP if table.state == "open" else Place.TABLE

    def shown(self) -> ShownTable:
        """Return the table as it is now."""
        session = self.session
        if self._shown is None or self._shown[0] != session.changes:
            feed, conversation = session.feed, session.conversation
            check = session.table_check.check
            model = ViewModel(
                Tabletop(session.story.nodes),
                session.texts,
                conversation.table,
                feed.log,
                feed.chat,
                feed.dice,
                strictness=check.parts.strictness if check is not None else lambda roll: None,
            )
            self._shown = session.changes, ShownTable(model)
        model = self._shown[1].model
        model.elapsed = session.clock() - session.table_at
        model.clocks_elapsed = session.clock() - session.clocks_at
        return self._shown[1]

    def run(self, has_arrived: Callable[[], bool]) -> None:
        """Talk until the person leaves, their lines end, or the server lets them go. The first line is asked for once
        one has arrived."""
        self.console.start(self._inbox.put)
        self.wait(has_arrived, ARRIVAL_SECONDS)
        self._has_asked = False
        while not self.is_over:
            self._listen(TURN_SECONDS)
            if self._typed and not self.is_over:
                self._deal_with(self._typed.popleft())
                self._has_asked = False
        self._flush()

    def _deal_with(self, line: str) -> None:
        """Take a line, and wait until the server has heard what was said, and what is to come of it at once has
        come."""
        before = self.session.frames_said
        self._take_line(line)
        self._turn()
        mark = self.session.mark() if self.session.frames_said != before else 0
        self.wait(lambda: self.session.heard_until >= mark and not self.is_busy(), ANSWER_SECONDS)

    def wait(self, is_done: Callable[[], bool], seconds: float) -> bool:
        """Go on with everything but lines until something is done; return False where it is not after so long."""
        until = self.session.clock() + seconds
        while not is_done():
            if self.is_over or self.session.clock() >= until:
                return False
            self._listen(TURN_SECONDS)
        self._turn()
        return True

    def _listen(self, seconds: float) -> None:
        """Ask for a line where none is there, wait for it or for other news, and take one turn."""
        self._turn()
        if not self._typed and not self._has_asked and not self.is_over:
            self._has_asked = True
            self.console.ask()
        news = self._inbox.take(seconds)
        if isinstance(news, Typed):
            self._typed.append(news.words)
        elif isinstance(news, InputEnded):
            self.is_over = True

    def _turn(self) -> None:
        """Take in what came, tell it, and ask what is to be answered."""
        session = self.session
        session.pump()
        if session.state == "lost" and not session.reached:
            self.say(phrase("unreached", where=session.address.key, why=session.why))
            self.is_over = True
            return
        self.news.tell()
        if session.away in OUTSIDE:
            self.say(session.why)
            self.is_over = True
            return
        if self.question is not None and self._asked_at != self._here():
            self._drop(self.question)
        self.after_news()
        if self.place is Place.TABLE:
            self.talk.sync()
        self._flush()

    def _flush(self) -> None:
        while self._unsaid and not self.console.is_typing:
            self.console.say(self._unsaid.popleft())

    def _take_line(self, line: str) -> None:
        """Take a line: a command, or an answer to what is asked."""
        word, _, words = line.partition(" ")
        command = self.commands.exact(word, self.place)
        asked = self.question if self.question is not None else self.talk
        try:
            if command is not None and not asked.claims(line):
                command.run(words.strip())
            elif self.question is not None:
                self._answer(self.question, line)
            elif not self._answer_prompt(line):
                self.commands.find(word, self.place).run(words.strip())
        except BadAnswer as bad:
            self._typed.clear()
            self.say(str(bad))

    def _answer_prompt(self, line: str) -> bool:
        """Answer what the match asks, by the first part of a line: the others follow. Return False for a line that
        means nothing to it; an empty one asks again."""
        if self.place is not Place.TABLE:
            return not line
        head, part, rest = (line, "", "") if self.talk.claims("") else line.partition(PART)
        is_taken = self.talk.take(head.strip())
        if is_taken and part:
            self._typed.appendleft(rest.strip())
        elif not line and not is_taken:
            self.say_all(self.talk.lines())
        return is_taken or not line

    def _answer(self, question: OpenQuestion, line: str) -> None:
        """Answer a question of the program, which stays open after what is no answer."""
        if line == phrase("plain.word.back"):
            self._drop(question)
            return
        self.question = None
        try:
            is_closed = question.take(line)
        except BadAnswer:
            self.question = question
            raise
        if not is_closed:
            self.ask(question)

    def _ask_first(self, choice: Choice, act: Callable[[], None]) -> None:
        """Put the question before a choice that gives something up."""
        say = self.session.texts.say
        self.ask(YesOrNo(say(choice.name), say(choice.confirm), act))
