"""Commands among people: chat, votes, offers, and the ways out of a table and of the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from client.model.lobby.seen_factions import factions_of
from client.model.rulebook import Rulebook
from client.plain.command import AT_TABLES, EVERYWHERE, Command, Place
from client.plain.program import ANSWER_SECONDS, PlainProgram
from client.plain.talk.answers import BadAnswer, numbered
from client.plain.talk.questions import OneOf, YesOrNo
from client.plain.told.faction_words import list_lines, sheet_lines
from client.text.phrases import named, phrase
from protocol.wire import from_client as said
from protocol.wire.from_server import OfferView, TableView
from protocol.wire.seating import Rematch

TABLE = frozenset({Place.TABLE})
What = Literal["pause", "resume", "adjourn", "end", "play_on"]
VOTES: tuple[What, ...] = ("pause", "resume", "adjourn", "end", "play_on")


class CompanyCommands:
    """Commands of one program that concern its people rather than the game."""

    def __init__(self, program: PlainProgram) -> None:
        self._program = program
        self._session = program.session

    def commands(self) -> Iterator[Command]:
        """Yield the commands."""
        yield Command("say", self._say, EVERYWHERE)
        yield Command("tell", self._tell, AT_TABLES)
        yield Command("side", self._say_to_side, AT_TABLES)
        yield Command("offer", self._offer, TABLE)
        yield Command("accept", self._accept, TABLE)
        yield Command("decline", self._decline, TABLE)
        yield Command("vote", self._vote, TABLE)
        yield Command("yes", lambda words: self._cast(yes=True), TABLE)
        yield Command("no", lambda words: self._cast(yes=False), TABLE)
        yield Command("concede", self._concede, TABLE)
        yield Command("return", self._return, TABLE)
        yield Command("rematch", self._rematch, TABLE)
        yield Command("leave", self._leave, AT_TABLES)
        yield Command("rules", self._rules, AT_TABLES)
        yield Command("sheet", self._sheet, AT_TABLES)
        yield Command("trust", self._trust, EVERYWHERE)
        yield Command("help", self._help, EVERYWHERE)
        yield Command("quit", self._quit, EVERYWHERE)

    @property
    def _table(self) -> TableView:
        table = self._session.conversation.table
        assert table is not None
        return table

    def _say(self, words: str) -> None:
        if not words:
            raise BadAnswer(phrase("plain.about.say"))
        if self._program.place is Place.LOBBY:
            self._session.lobby_feed.speak(words)
        else:
            self._session.chat(words)

    def _say_to_side(self, words: str) -> None:
        self._session.chat(words, is_to_side=True)

    def _seat_and_words(self, words: str) -> tuple[int, str]:
        """Return the seat of the number that comes first, and what follows. Raises BadAnswer."""
        number, _, rest = words.partition(" ")
        seat = numbered(number, len(self._table.seats)) - 1
        if not rest.strip():
            raise BadAnswer(phrase("plain.no_words"))
        return seat, rest.strip()

    def _tell(self, words: str) -> None:
        seat, rest = self._seat_and_words(words)
        self._session.chat(rest, to=seat)

    def _offer(self, words: str) -> None:
        """Make an offer to a seat: its kind is asked for."""
        seat, rest = self._seat_and_words(words)
        kinds: tuple[Literal["truce", "leave", "help", "share", "other"], ...]
        kinds = ("truce", "leave", "help", "share", "other")
        names = [self._session.texts.named(f"talk.kind.{kind}", kind) for kind in kinds]
        offers = [said.Offer(to=seat, kind=kind, text=rest[:200]) for kind in kinds]
        self._program.ask(OneOf(phrase("plain.offer.kind"), names, lambda place: self._session.say(offers[place])))

    def _open_offer(self) -> OfferView:
        mine = self._table.seat
        offers = (one for one in self._session.feed.offers.values() if one.state == "open" and one.to == mine)
        found = next(offers, None)
        if found is None:
            raise BadAnswer(phrase("plain.offer.none"))
        return found

    def _accept(self, _: str) -> None:
        self._session.say(said.AnswerOffer(offer=self._open_offer().id, yes=True))

    def _decline(self, _: str) -> None:
        self._session.say(said.AnswerOffer(offer=self._open_offer().id, yes=False))

    def _vote(self, words: str) -> None:
        """Call a vote: what on is asked for where it is not said."""
        kind, _, seat = words.partition(" ")
        if kind == phrase("plain.command.bot"):
            self._session.say(said.CallVote(what="bot", seat=numbered(seat, len(self._table.seats)) - 1))
        elif words:
            what = next((vote for vote in VOTES if words in (vote, named("news.vote", vote))), None)
            if what is None:
                raise BadAnswer(phrase("plain.about.vote"))
            self._call(what)
        else:
            names = [named("news.vote", vote) for vote in VOTES]
            self._program.ask(OneOf(phrase("plain.vote.what"), names, lambda place: self._call(VOTES[place]), -1))

    def _call(self, what: What) -> None:
        self._session.say(said.CallVote(what=what))

    def _cast(self, *, yes: bool) -> None:
        if self._table.vote is None:
            raise BadAnswer(phrase("plain.vote.none"))
        self._session.say(said.CastVote(yes=yes))

    def _concede(self, _: str) -> None:
        options = [phrase("concede.play_on"), phrase("concede.bot"), phrase("concede.leave")]

        def concede(place: int) -> None:
            if place:
                self._session.say(said.Concede(figures=place == 2))

        title = f"{phrase('concede.title')} {phrase('concede.about')}"
        self._program.ask(OneOf(title, options, concede))

    def _return(self, _: str) -> None:
        """Take one's own seat back from the bot that plays it."""
        self._session.say(said.OpenTable(table=self._table.id))

    def _rematch(self, _: str) -> None:
        self._program.go(Rematch())

    def _leave(self, _: str) -> None:
        """Leave the table; where something is given up with it, the person is asked first."""
        table = self._table
        is_owner = table.owner == self._session.conversation.you
        if table.state == "open" and is_owner:
            title, about = phrase("setup.leave.title"), phrase("setup.leave.about")
        elif table.state == "live" and table.seat >= 0:
            title, about = phrase("give_up.title"), phrase("give_up.about")
        else:
            self._session.say(said.LeaveTable())
            return
        self._program.ask(YesOrNo(title, about, lambda: self._session.say(said.LeaveTable())))

    def _rules(self, words: str) -> None:
        """Tell the sections of the rulebook by number; with a number, read that one."""
        sections = Rulebook(self._session.texts.entries, self._table.system).sections
        if not sections:
            raise BadAnswer(phrase("plain.rules.none"))
        if words:
            section = sections[numbered(words, len(sections)) - 1]
            self._program.say_all((section.title, *section.paragraphs))
            return
        for number, section in enumerate(sections, 1):
            self._program.say(phrase("plain.line", number=number, words=section.title))

    def _sheet(self, words: str) -> None:
        """Tell the factions of the scenario by number; with a number, the page of that one."""
        session, table, systems = self._session, self._table, self._session.conversation.systems
        system = next((one for one in (systems.systems if systems else ()) if one.id == table.system), None)
        factions = factions_of(system, table.scenario)
        if not factions:
            raise BadAnswer(phrase("factions.none"))
        if not words:
            self._program.say_all(list_lines(session, factions))
            return
        pages, key = session.factions, (table.system, factions[numbered(words, len(factions)) - 1].id)
        if not pages.is_known:
            raise BadAnswer(phrase("factions.unknown"))
        pages.want(*key)
        self._program.wait(lambda: (pages.of(*key) or pages.why_not(*key)) is not None, ANSWER_SECONDS)
        sheet, why = pages.of(*key), pages.why_not(*key)
        if sheet is None:
            raise BadAnswer(session.texts.say(why) if why is not None else phrase("on_now.asking"))
        self._program.say_all(sheet_lines(session, sheet))

    def _trust(self, _: str) -> None:
        """Trust the server's new key, where it has another than before."""
        if not self._session.table_check.is_stranger:
            raise BadAnswer(phrase("plain.trust.none"))
        self._program.ask(YesOrNo(phrase("trust.title"), phrase("trust.about"), self._session.trust_host))

    def _help(self, _: str) -> None:
        """Tell how to answer, then the commands that hold here."""
        self._program.say(phrase("plain.help"))
        self._program.say_all(self._program.commands.help_lines(self._program.place))

    def _quit(self, _: str) -> None:
        self._program.is_over = True
