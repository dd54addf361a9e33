"""Commands at a table before the start: seats, factions, bots, options, being ready, and the start."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import convert

from client.model.lobby.table_options import next_value, rule_options, table_options, value_in_words
from client.model.quick_start import best_bot
from client.model.table.sides import with_side
from client.model.words.seat_words import holder_in_words, readiness_in_words
from client.plain.command import Command, Place
from client.plain.commands.lobby import scenario_words
from client.plain.program import PlainProgram
from client.plain.talk.answers import BadAnswer, numbered
from client.plain.talk.army_talk import ArmyTalk
from client.plain.talk.questions import OneOf, YesOrNo
from client.plain.told.preview_words import preview_lines
from client.text.phrases import phrase
from protocol.wire import from_client as said
from protocol.wire.choices import ScenarioChoice, SystemChoice
from protocol.wire.from_server import SeatView, TableView
from protocol.wire.seating import SwapSeats

SETUP = frozenset({Place.SETUP})


class SetupCommands:
    """Commands of one program at a table that has not begun."""

    def __init__(self, program: PlainProgram) -> None:
        self._program = program
        self._session = program.session
        self._told: dict[int, str] = {}
        """Last words told of each seat of the present table."""
        self._scenario_told = ""
        self._map_told = ""
        """Hash of the last picture told."""

    def commands(self) -> Iterator[Command]:
        """Yield the commands."""
        yield Command("seats", self.tell_seats, SETUP)
        yield Command("faction", self._faction, SETUP)
        yield Command("army", self._army, SETUP)
        yield Command("bots", self._fill, SETUP)
        yield Command("bot", self._bot, SETUP)
        yield Command("remove", self._remove, SETUP)
        yield Command("sit", self._sit, SETUP)
        yield Command("map", self._tell_map, SETUP)
        yield Command("scenario", self._choose_scenario, SETUP)
        yield Command("options", self._options, SETUP)
        yield Command("ready", self._ready, SETUP)
        yield Command("start", self._start, SETUP)

    @property
    def _table(self) -> TableView:
        table = self._session.conversation.table
        assert table is not None
        return table

    @property
    def _is_owner(self) -> bool:
        return self._table.owner == self._session.conversation.you

    def _system(self) -> SystemChoice | None:
        systems = self._session.conversation.systems
        known = systems.systems if systems is not None else ()
        return next((system for system in known if system.id == self._table.system), None)

    def _scenario(self) -> ScenarioChoice | None:
        system = self._system()
        scenarios = system.scenarios if system is not None else ()
        return next((scenario for scenario in scenarios if scenario.id == self._table.scenario), None)

    def tell_seats(self, _: str = "") -> None:
        """Tell the table, its seats by number, and what stands between it and the start."""
        table, say = self._table, self._session.texts.say
        system, scenario = self._system(), self._scenario()
        game = say(system.name) if system is not None else table.system
        name = say(scenario.name) if scenario is not None else table.scenario
        self._program.say(phrase("plain.setup.table", table=table.name, game=game, scenario=name))
        self._told, self._scenario_told = {}, table.scenario
        self._tell_seats()
        if table.code:
            self._program.say(phrase("menu.invite_code", code=table.code))
        self._program.say(self._next_words())

    def _tell_seats(self) -> bool:
        """Tell the seats that have changed since they were told last; return True where one has."""
        before, self._told = self._told, {seat.seat: self._seat_words(seat) for seat in self._table.seats}
        fresh = {seat: words for seat, words in self._told.items() if before.get(seat) != words}
        for seat, words in fresh.items():
            self._program.say(phrase("plain.line", number=seat + 1, words=words))
        return bool(fresh)

    def tell_changes(self) -> None:
        """Tell what others, or the person, have changed at the table, and its scenario once the server has shown it."""
        self._session.previews.want(self._table)
        seen = self._session.previews.of(self._table)
        if seen is not None and self._map_told != seen.hash:
            self._tell_map()
        if self._table.scenario != self._scenario_told:
            self.tell_seats()
        elif self._tell_seats():
            self._program.say(self._next_words())

    def _seat_words(self, seat: SeatView) -> str:
        say = self._session.texts.say
        faction = say(seat.faction_name) or phrase("setup.no_faction")
        brings = say(seat.brings)
        faction = brings if brings.startswith(faction) else ": ".join(filter(None, (faction, brings)))
        holder = holder_in_words(self._table, seat, self._session.texts)
        return ", ".join(filter(None, (holder, with_side(seat.side, faction), readiness_in_words(self._table, seat))))

    def _next_words(self) -> str:
        """Return what is to be done next before the match can begin."""
        table, scenario = self._table, self._scenario()
        mine = next((seat for seat in table.seats if seat.seat == table.seat), None)
        if any(not seat.who and not seat.bot for seat in table.seats) and self._is_owner:
            return phrase("plain.setup.fill")
        if mine is not None and scenario is not None and scenario.points and mine.brings is None:
            return phrase("plain.setup.army")
        if mine is not None and not mine.ready:
            return phrase("plain.setup.ready")
        return phrase("plain.setup.start") if self._is_owner else phrase("setup.start.owner")

    def _seat(self, word: str) -> SeatView:
        return self._table.seats[numbered(word, len(self._table.seats)) - 1]

    def _faction(self, words: str) -> None:
        """Choose a faction for oneself, or for the bot of a seat."""
        scenario, say = self._scenario(), self._session.texts.say
        if scenario is None or not scenario.factions:
            raise BadAnswer(phrase("plain.setup.no_factions"))
        seat = self._seat(words).seat if words else None
        if seat == self._table.seat:
            seat = None
        lines = [": ".join(filter(None, (say(one.name), " ".join(map(say, one.lines))))) for one in scenario.factions]
        choices = [said.ChooseFaction(faction=one.id, seat=seat) for one in scenario.factions]
        whose = phrase("setup.your_faction") if seat is None else phrase("setup.faction_of", seat=seat + 1)
        title = phrase("setup.choose", whose=whose)
        self._program.ask(OneOf(title, lines, lambda place: self._session.say(choices[place]), -1))

    def _army(self, words: str) -> None:
        """Build an army list for oneself, or for the bot of a seat."""
        scenario = self._scenario()
        if scenario is None or not scenario.points:
            raise BadAnswer(phrase("plain.setup.no_army"))
        seat = self._seat(words).seat if words else None
        self._program.ask(ArmyTalk(self._session, None if seat == self._table.seat else seat))

    def _kinds(self) -> tuple[str, ...]:
        system = self._system()
        if system is None or not system.bots:
            raise BadAnswer(phrase("plain.setup.no_bots"))
        return system.bots

    def _fill(self, _: str) -> None:
        """Put the best bots into all free seats."""
        kind = best_bot(self._kinds())
        for seat in self._table.seats:
            if not (seat.who or seat.bot or seat.kept_for or seat.locked):
                self._session.say(said.AddBot(kind=kind, seat=seat.seat))

    def _bot(self, words: str) -> None:
        """Ask for the kind of bot that sits down in a seat."""
        seat, kinds = self._seat(words).seat, self._kinds()
        names = [self._session.texts.bot(kind) for kind in kinds]
        bots = [said.AddBot(kind=kind, seat=seat) for kind in kinds]
        self._program.ask(OneOf(phrase("plain.setup.kind"), names, lambda place: self._session.say(bots[place]), -1))

    def _remove(self, words: str) -> None:
        seat = self._seat(words)
        remove = said.RemoveSeat(seat=seat.seat)
        if not seat.who:
            self._session.say(remove)
            return
        title, about = phrase("remove.title", name=seat.name), phrase("remove.about")
        self._program.ask(YesOrNo(title, about, lambda: self._session.say(remove)))

    def _sit(self, words: str) -> None:
        self._session.say(SwapSeats(seat=self._seat(words).seat))

    def _tell_map(self, _: str = "") -> None:
        """Tell the table of the scenario in words."""
        previews = self._session.previews
        seen, why = previews.of(self._table), previews.why_not(self._table)
        if not previews.is_known:
            raise BadAnswer(phrase("plain.map.unknown"))
        if seen is None:
            raise BadAnswer(self._session.texts.say(why) if why is not None else phrase("on_now.asking"))
        self._map_told = seen.hash
        self._program.say_all(preview_lines(seen, self._table))

    def _choose_scenario(self, _: str) -> None:
        """Ask the owner for another scenario, each in the words that the lobby has for it."""
        system = self._system()
        if system is None or not self._is_owner:
            raise BadAnswer(phrase("setup.scenario.owner"))
        changes = [said.ChangeTable(scenario=one.id) for one in system.scenarios]
        lines = [scenario_words(one, self._session.texts) for one in system.scenarios]
        title = phrase("plain.setup.scenario")
        self._program.ask(OneOf(title, lines, lambda place: self._session.say(changes[place]), -1))

    def _options(self, words: str) -> None:
        """Tell the options by number; with a number, take the next value of that one."""
        table, texts, system = self._table, self._session.texts, self._system()
        lines = [(words, convert(change, said.ChangeTable)) for _, words, change in table_options(table)]
        for option in rule_options(system, table.scenario) if system is not None and not table.ranked else ():
            value = table.options.get(option.key, option.default)
            told = phrase("option.rule", name=texts.say(option.name), value=value_in_words(option, value, texts))
            lines.append((told, said.ChangeTable(options={option.key: next_value(option, value)})))
        if words and not self._is_owner:
            raise BadAnswer(phrase("option.owner"))
        if words:
            self._session.say(lines[numbered(words, len(lines)) - 1][1])
            return
        for number, (told, _change) in enumerate(lines, 1):
            self._program.say(phrase("plain.line", number=number, words=told))
        self._program.say(phrase("plain.setup.options"))

    def _ready(self, _: str) -> None:
        mine = next((seat for seat in self._table.seats if seat.seat == self._table.seat), None)
        if mine is None:
            raise BadAnswer(phrase("plain.watching"))
        self._session.say(said.SetReady(ready=not mine.ready))

    def _start(self, _: str) -> None:
        self._session.say(said.StartMatch())
