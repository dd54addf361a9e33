"""Quick match: people who look for players are put together, asked to confirm, and seated at a table that starts.

All of it is in memory: a search ends with its connection, and so with a restart.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from engine.core.rules.army_lists import lists_of
from engine.core.rules.errors import ListRefused
from engine.core.rules.system import ScenarioInfo
from protocol.text import Text
from protocol.wire.quick_match import MatchOffered, Seeking
from server.lobby.finding.line_up import FoundPlayer, line_up
from server.lobby.finding.match_queue import GameKind, Group, Wish, groups
from server.lobby.new_tables import new_table
from server.lobby.seat_terms import check_names_kept
from server.lobby.table.ranked import made_ranked
from server.runtime.refusals import Refused
from server.runtime.tasks import stop
from server.store.port import StoreError

if TYPE_CHECKING:
    from engine.core.rules.army_lists import BroughtList
    from protocol.wire import from_client as said
    from server.accounts.identities import Identities
    from server.lobby.commands.table_commands import Commands
    from server.lobby.lobby import Lobby
    from server.lobby.services import Services
    from server.lobby.sessions import Session
    from server.net.rule_queries import RuleQueries

MATCH_SECONDS: Final = 3.0
"""From one look for groups to the next."""
CONFIRM_SECONDS: Final = 20.0
FILL_SECONDS: Final = 60.0
"""After which one may fill the seats with bots."""
STARTING: Final = ("openings", "starts")
"""Rates that a match counts against, for each of its people."""


class _Seeker:
    """Person who looks for players. `lists`: their army lists by system; `offer`: the match that they are asked to
    confirm."""

    def __init__(self, session: Session, wish: Wish, lists: Mapping[str, Sequence[BroughtList]]) -> None:
        self.session = session
        self.wish = wish
        self.lists = lists
        self.offer: _Offer | None = None


class _Offer:
    """Match that a group is asked to confirm until `due`, in seconds of the clock."""

    def __init__(self, kind: GameKind, scenario: ScenarioInfo, seekers: Sequence[_Seeker], due: float) -> None:
        self.id = secrets.token_hex(6)
        self.kind = kind
        self.scenario = scenario
        self.seekers = seekers
        self.due = due
        self.confirmed: set[str] = set()


class QuickMatch:
    """Commands of those who look for players. One that raises Refused has changed nothing."""

    def __init__(
        self, services: Services, lobby: Lobby, identities: Identities, commands: Commands, questions: RuleQueries
    ) -> None:
        self._services = services
        self._lobby = lobby
        self._identities = identities
        self._commands = commands
        self._questions = questions
        self._seekers: dict[str, _Seeker] = {}
        """By person, the longest waiting first."""
        self._watching: asyncio.Task[None] | None = None

    # Commands

    async def seek(self, session: Session, asked: said.SeekMatch) -> None:
        if asked.ranked and asked.mail:
            raise Refused("quick/ranked-mail")
        if asked.rated and asked.mail:
            raise Refused("quick/rated-mail")
        found = [
            GameKind(system, seats, asked.mail, asked.rated or asked.ranked, asked.ranked)
            for system in dict.fromkeys(asked.systems)
            for seats in sorted(set(asked.seats))
            if self._scenarios(system, seats)
        ]
        if not found:
            raise Refused("quick/no-game")
        self._lobby.bounds.check_seat(session.asker)
        self._afford(session)
        if asked.ranked:
            await check_names_kept(self._identities, session.who)
        lists = await self._read_lists(session, asked)
        if session.is_closing:
            return
        self._leave_offer(self._seekers.pop(session.who, None))
        wish = Wish(session.who, self._services.clock.now(), tuple(found))
        self._seekers[session.who] = seeker = _Seeker(session, wish, lists)
        self._tell(seeker)
        if self._watching is None:
            self._watching = self._services.tasks.begin(self._watch(), "quick-match")

    async def stop_seeking(self, session: Session) -> None:
        self._leave_offer(self._seekers.pop(session.who, None))
        session.say(Seeking(on=False))

    async def confirm(self, session: Session, asked: said.ConfirmMatch) -> None:
        seeker = self._seekers.get(session.who)
        offer = seeker.offer if seeker is not None else None
        if offer is None or offer.id != asked.match or self._services.clock.now() > offer.due:
            raise Refused("quick/too-late")
        self._afford(session)
        offer.confirmed.add(session.who)
        if len(offer.confirmed) < len(offer.seekers):
            self._tell_offer(offer)
            return
        self._forget(offer.seekers)
        await self._play(offer.kind, offer.scenario, offer.seekers)

    async def fill(self, session: Session) -> None:
        seeker = self._seekers.get(session.who)
        if seeker is None or seeker.offer is not None:
            raise Refused("quick/not-seeking")
        if self._services.clock.now() - seeker.wish.since < FILL_SECONDS:
            raise Refused("quick/too-soon", seconds=round(FILL_SECONDS))
        kind = seeker.wish.kinds[0]
        if kind.ranked:
            raise Refused("quick/ranked-bots")
        self._afford(session)
        self._forget([seeker])
        await self._play(kind, self._scenario(kind), [seeker])

    def leave(self, session: Session) -> None:
        """Forget a connection that has gone."""
        seeker = self._seekers.get(session.who)
        if seeker is not None and seeker.session is session:
            del self._seekers[session.who]
            self._leave_offer(seeker)

    async def close(self) -> None:
        """Look for nobody any more."""
        if self._watching is not None:
            await stop([self._watching])

    # Matching

    async def _watch(self) -> None:
        """Put people together while anybody looks for players."""
        while self._seekers:
            await self._services.clock.sleep(MATCH_SECONDS)
            self._end_late_offers()
            waiting = [seeker.wish for seeker in self._seekers.values() if seeker.offer is None]
            for group in list(groups(waiting, self._may_meet)):
                self._offer(group)
        self._watching = None

    def _may_meet(self, one: str, other: str) -> bool:
        people = self._services.people
        return not people.is_blocked(one, other) and not people.is_blocked(other, one)

    def _offer(self, group: Group) -> None:
        due = self._services.clock.now() + CONFIRM_SECONDS
        seekers = [self._seekers[who] for who in group.people]
        offer = _Offer(group.kind, self._scenario(group.kind), seekers, due)
        for seeker in seekers:
            seeker.offer = offer
        self._tell_offer(offer)

    def _end_late_offers(self) -> None:
        """Let those who have not confirmed in time leave the queue; the others keep their places."""
        now = self._services.clock.now()
        late = {id(s.offer): s.offer for s in self._seekers.values() if s.offer is not None and now > s.offer.due}
        for offer in late.values():
            for seeker in offer.seekers:
                if seeker.wish.who not in offer.confirmed:
                    self._forget([seeker])
                    seeker.session.say(Seeking(on=False, why=Text("quick.unconfirmed")))
            self._take_back(offer)

    def _leave_offer(self, seeker: _Seeker | None) -> None:
        """Take back the offer to one who does not look for players any more: the others do."""
        if seeker is not None and seeker.offer is not None:
            self._take_back(seeker.offer)

    def _take_back(self, offer: _Offer) -> None:
        for seeker in offer.seekers:
            seeker.offer = None
            if self._seekers.get(seeker.wish.who) is seeker:
                self._tell(seeker)

    def _forget(self, seekers: Sequence[_Seeker]) -> None:
        for seeker in seekers:
            self._seekers.pop(seeker.wish.who, None)

    # Telling

    def _tell(self, seeker: _Seeker) -> None:
        waited = self._services.clock.now() - seeker.wish.since
        seeker.session.say(Seeking(on=True, waited=round(waited * 1000)))

    def _tell_offer(self, offer: _Offer) -> None:
        left = round((offer.due - self._services.clock.now()) * 1000)
        about = offer.id, offer.kind.system, offer.scenario.name, offer.kind.seats, left, len(offer.confirmed)
        for seeker in offer.seekers:
            seeker.session.say(MatchOffered(*about, mine=seeker.wish.who in offer.confirmed))

    # Playing

    def _afford(self, session: Session) -> None:
        """Raise Refused where this person may start no other match now."""
        for kind in STARTING:
            self._services.bounds.afford(kind, session.asker)

    def _scenarios(self, system: str, seats: int) -> list[ScenarioInfo]:
        """Return the scenarios of a system for so many; none where it is not installed."""
        installed = self._services.systems.get(system)
        return [] if installed is None else [one for one in installed.scenarios.values() if one.seats == seats]

    def _scenario(self, kind: GameKind) -> ScenarioInfo:
        return secrets.choice(self._scenarios(kind.system, kind.seats))

    async def _read_lists(self, session: Session, asked: said.SeekMatch) -> dict[str, list[BroughtList]]:
        """Read a person's army lists; what a system cannot read is none of its own. Raises Refused where they have kept
        the rules too busy."""
        found: dict[str, list[BroughtList]] = {}
        for system in asked.systems:
            installed = self._services.systems.get(system)
            lists = lists_of(installed.system) if installed is not None else None
            if installed is None or lists is None:
                continue
            for lines in asked.lists:
                with suppress(ListRefused):
                    read = partial(lists.read, installed.content, "\n".join(lines))
                    found.setdefault(system, []).append(await self._questions.answer(session.asker, read))
        return found

    async def _play(self, kind: GameKind, scenario: ScenarioInfo, seekers: Sequence[_Seeker]) -> None:
        """Seat these people, with bots in the seats that are left, and start; one whose connection ends meanwhile comes
        back to a match that has begun. Where that cannot be, all are told."""
        owner = seekers[0].session
        try:
            self._services.bounds.spend_together(STARTING, [seeker.session.asker for seeker in seekers])
            players = [FoundPlayer(one.wish.who, one.session.name, one.lists.get(kind.system, ())) for one in seekers]
            installed, limits = self._services.systems[kind.system], self._services.limits
            seats = list(line_up(installed, scenario, players, limits.name_length))
            record = new_table(self._services, owner, kind.system, scenario, "", seats)
            record = replace(record, mail=kind.mail, rated=kind.rated)
            live = await self._lobby.create(made_ranked(record) if kind.ranked else record, owner.asker)
            for seeker in seekers:
                seeker.session.say(Seeking(on=False))
                await self._lobby.go_to(seeker.session, live)
            await self._commands.begin(live, owner.asker)
        except Refused as refused:
            self._tell_all(seekers, refused.text)
        except StoreError as problem:
            self._services.log.error("store", problem=str(problem))
            self._tell_all(seekers, Refused("store/unavailable").text)

    def _tell_all(self, seekers: Sequence[_Seeker], why: Text) -> None:
        for seeker in seekers:
            seeker.session.say(Seeking(on=False, why=why))
