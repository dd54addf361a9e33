"""Commands at a table whose match is on: what lies there, what could be done, what happened, and taking back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from client.model.lobby.paces import next_bot_pace
from client.model.table.folded_log import FoldedEntry, folded
from client.model.words.dice_words import dice_words, strict_words
from client.plain.command import AT_TABLES, Command, Place
from client.plain.commands.odds import odds_lines
from client.plain.program import ANSWER_SECONDS, PlainProgram
from client.plain.talk.answers import BadAnswer, numbered
from client.plain.told.look import look_around, look_at, look_over
from client.plain.told.reach import band_lines
from client.plain.told.shown_table import ShownTable
from client.plain.told.standing import goal_lines, order_lines, seat_lines
from client.text.phrases import phrase
from client.text.spoken import SPOKEN
from protocol.ids import NodeId
from protocol.scene.nodes import Choice, Prompt
from protocol.wire.from_client import BotPace
from protocol.wire.from_server import Surveyed

TABLE = frozenset({Place.TABLE})
LOG_LINES = 15
"""Entries of the log that are told at once."""
WAIT_SECONDS = 600.0
"""Seconds for which `wait` waits at most."""


class TableCommands:
    """Commands of one program at a table in play."""

    def __init__(self, program: PlainProgram) -> None:
        self._program = program
        self._session = program.session
        self._entries: list[FoldedEntry] = []
        """The entries of the log that were told last, by number."""

    def commands(self) -> Iterator[Command]:
        """Yield the commands."""
        yield Command("again", self._again, AT_TABLES)
        yield Command("look", self._look, TABLE)
        yield Command("who", self._who, TABLE)
        yield Command("reach", self._reach, TABLE)
        yield Command("odds", self._odds, TABLE)
        yield Command("order", self._order, TABLE)
        yield Command("goals", self._goals, TABLE)
        yield Command("about", self._about, TABLE)
        yield Command("log", self._log, TABLE)
        yield Command("dice", self._dice, TABLE)
        yield Command("undo", self._undo, TABLE)
        yield Command("next", self._next, TABLE)
        yield Command("pace", self._pace, TABLE)
        yield Command("wait", self._wait, TABLE)

    def _again(self, _: str) -> None:
        """Ask again what is to be answered, or say who is waited for."""
        lines = list(self._program.talk.lines())
        if lines or self._program.place is not Place.TABLE:
            self._program.say_all(lines)
        else:
            self._order("")

    def _thing(self, word: str) -> NodeId:
        """Return the thing of a name. Raises BadAnswer."""
        found = self._program.shown().names.find(word)
        if not found:
            raise BadAnswer(phrase("plain.thing.unknown", words=word))
        return found

    def _prompt(self) -> Prompt:
        """Return the prompt at which the table answers questions. Raises BadAnswer while it is another's turn."""
        prompt = self._session.prompt
        if prompt is None or not prompt.choices:
            raise BadAnswer(phrase("plain.not_now"))
        return prompt

    def _look(self, words: str) -> None:
        shown = self._program.shown()
        if words == phrase("plain.word.terrain"):
            lines = look_over(shown)
        elif words:
            lines = look_at(shown, self._thing(words))
        else:
            lines = look_around(shown)
        self._program.say_all(list(lines))

    def _who(self, _: str) -> None:
        self._program.say_all(list(seat_lines(self._program.shown())))

    def _order(self, _: str) -> None:
        self._program.say_all(list(order_lines(self._program.shown())))

    def _goals(self, _: str) -> None:
        self._program.say_all(list(goal_lines(self._program.shown())))

    def _reach(self, words: str) -> None:
        """Tell where a group can go, by each choice with its price, and what it can act on."""
        thing, prompt, shown = self._thing(words), self._prompt(), self._program.shown()
        advice = self._program.talk.command_advice
        advice.look_at(thing, prompt)
        self._program.wait(lambda: advice.survey.is_done, ANSWER_SECONDS)
        lines = [line for pair in advice.survey.by_rank(prompt) for line in _survey_lines(*pair, thing, shown)]
        self._program.say_all(lines or [phrase("plain.reach.none", name=shown.name(thing))])

    def _odds(self, words: str) -> None:
        """Tell what one group can do to another, or to each that it can act on."""
        names = words.split()
        if not 1 <= len(names) <= 2:
            raise BadAnswer(phrase("plain.about.odds"))
        subject, prompt = self._thing(names[0]), self._prompt()
        targets = [self._thing(name) for name in names[1:]]
        self._program.say_all(list(odds_lines(self._program, prompt, subject, targets)))

    def _about(self, words: str) -> None:
        if not words.isdecimal() or len(words) > 3:
            raise BadAnswer(phrase("plain.about.about"))
        self._program.say_all(list(self._program.talk.about(int(words))))

    def _log(self, words: str) -> None:
        """Tell the last entries of the log by number, the newest last; with a number, what that one is made of."""
        if words and not self._entries:
            raise BadAnswer(phrase("plain.log.first"))
        if words:
            self._open_entry(self._entries[numbered(words, len(self._entries)) - 1])
            return
        if self._session.feed.history_from:
            self._session.ask_older()
        self._entries = list(islice(folded(self._session.feed.log), LOG_LINES))[::-1]
        if not self._entries:
            self._program.say(phrase("ribbon.none"))
        for number, entry in enumerate(self._entries, 1):
            self._program.say(phrase("plain.line", number=number, words=entry.line.text))

    def _open_entry(self, entry: FoldedEntry) -> None:
        """Tell the acts of an entry, their cues with rules, and their dice."""
        shown = self._program.shown()
        self._program.say(entry.line.text)
        for act in entry.acts:
            self._open_entry(act)
        for line in entry.inside:
            rule = phrase("log.rule", rule=line.rule) if line.rule else ""
            self._program.say(". ".join(filter(None, (line.text.rstrip("."), rule))))
            if line.dice is not None:
                strict = strict_words(shown.model, line.dice)
                self._program.say(", ".join(filter(None, (dice_words(line.dice, shown.texts), strict))))

    def _dice(self, words: str) -> None:
        """Tell the newest rolls, or tell dice with each act from now on or no more."""
        news, shown = self._program.news, self._program.shown()
        if words in (phrase("plain.word.on"), phrase("plain.word.off")):
            news.tells_dice = words == phrase("plain.word.on")
            self._program.say(phrase("plain.dice.on" if news.tells_dice else "plain.dice.off"))
            return
        for dice in list(self._session.feed.dice)[-5:]:
            purpose = shown.texts.say(dice.purpose)
            self._program.say(phrase("plain.dice", purpose=purpose, dice=dice_words(dice, shown.texts)))
        if not self._session.feed.dice:
            self._program.say(phrase("dice.none"))

    def _undo(self, _: str) -> None:
        controller = self._program.talk.controller
        if not controller.undo():
            prompt = self._session.prompt
            why = self._session.texts.say(prompt.undo.why) if prompt is not None else ""
            raise BadAnswer(why or phrase("undo.nothing"))

    def _next(self, _: str) -> None:
        self._session.say(BotPace())

    def _pace(self, _: str) -> None:
        table = self._session.conversation.table
        assert table is not None
        pace = next_bot_pace(table.bot_pace)
        self._session.say(BotPace(pace=pace))
        self._program.say(phrase("option.bot_pace", seconds=SPOKEN.decimal(pace / 1000, "0.##")))

    def _wait(self, _: str) -> None:
        """Wait until the person is asked for something, or the match is over."""
        session = self._session

        def is_due() -> bool:
            table = session.conversation.table
            return self._program.talk.prompt is not None or table is None or table.state == "finished"

        self._program.wait(is_due, WAIT_SECONDS)


def _survey_lines(choice: Choice, found: Surveyed, thing: NodeId, shown: ShownTable) -> Iterator[str]:
    """Yield what a thing could do by one choice: the ground within reach, how many it could act on, or why nothing."""
    name, start = shown.texts.say(choice.name), shown.centre(thing)
    free = [target for target in found.targets if target.why is None]
    if found.targets:
        short = shown.names.of(thing)
        yield phrase("plain.reach.targets", name=name, free=len(free), count=len(found.targets), thing=short)
    elif found.why is not None:
        yield phrase("plain.cannot", name=name, why=shown.texts.say(found.why))
    elif found.reach and start is not None:
        if all(shown.texts.say(band.name) != name for band in found.reach):
            yield name
        yield from band_lines(start, found.reach, shown.texts.say, shown.unit)
