"""Routing of client messages to the lobby, the tables and the match hosts; every refusal goes back with its code."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from typing import Any, Final

from msgspec.structs import replace
from websockets.frames import CloseCode

from protocol.token_buckets import PerKey
from protocol.wire import from_client as said, order_requests, seating
from protocol.wire.faction_pages import GetFaction
from protocol.wire.from_server import NameKept, Reject, Systems, Welcome, unanswered
from protocol.wire.links import FollowLink
from protocol.wire.on_now import GetOnNow
from protocol.wire.own_data import GetOwnData
from protocol.wire.pacing import Pace
from protocol.wire.previews import GetPreview
from protocol.wire.webhooks import GetWebhook, SetWebhook, TryWebhook
from server.accounts.account_expiry import AccountExpiry
from server.accounts.display_names import person_name
from server.accounts.identities import Identities, Login
from server.accounts.name_keepers import digest
from server.accounts.registered_names import RegisteredNames
from server.lobby.army_lists import ArmyListCommands
from server.lobby.commands.account_commands import AccountCommands
from server.lobby.commands.link_commands import LinkCommands
from server.lobby.commands.order_commands import OrderCommands
from server.lobby.commands.people_commands import PeopleCommands
from server.lobby.commands.rematch_commands import RematchCommands
from server.lobby.commands.report_commands import ReportCommands
from server.lobby.commands.result_pages import ResultPages
from server.lobby.commands.seat_commands import SeatCommands
from server.lobby.commands.table_commands import Commands
from server.lobby.commands.talk_commands import TalkCommands
from server.lobby.commands.vote_commands import VoteCommands
from server.lobby.commands.webhook_commands import WebhookCommands
from server.lobby.finding import factions, previews
from server.lobby.finding.on_now import MatchesOn
from server.lobby.finding.quick_match import QuickMatch
from server.lobby.invitations import Invitations
from server.lobby.lobby import Lobby
from server.lobby.services import Services
from server.lobby.sessions import Session
from server.lobby.table.live_table import LiveTable
from server.match.advice import Question
from server.net.message_bounds import MESSAGE_BOUNDS
from server.net.rule_queries import KIND, RuleQueries
from server.net.sent_files import SentFiles
from server.runtime.bounds import Asker
from server.runtime.refusals import Refused
from server.runtime.tasks import stop
from server.store.port import StoreError

Handler = Callable[["Session", Any], Coroutine[Any, Any, None]]
CATALOGUE_PAGES: Final = 2
"""Pages of history that a catalogue counts as."""
KNOWN: Final = (
    "people",
    "lobby_chat",
    "accounts",
    "finds",
    "reports",
    "links",
    "seating",
    "own_data",
    "speaks",
    "previews",
    "factions",
)
"""Fields of `Welcome` that are true of every server of this version."""
BY_THEMSELVES: Final = (said.TokenKept, said.Tip, said.Entropy, said.GetProof)
"""Messages that programs send while nobody is looking."""


class MessageRouter:
    """The handlers of all client messages, for all sessions."""

    def __init__(
        self,
        services: Services,
        lobby: Lobby,
        identities: Identities,
        registered_names: RegisteredNames,
        expiry: AccountExpiry,
        name: str,
        version: str,
    ) -> None:
        self._services = services
        self._lobby = lobby
        self._commands = commands = Commands(services, lobby, identities)
        self._questions = RuleQueries(services.bounds, services.limits.questions_waiting, services.metrics.cpu)
        self._quick = QuickMatch(services, lobby, identities, commands, self._questions)
        self._webhooks = WebhookCommands(services, lobby)
        people = PeopleCommands(services, lobby, identities)
        self._accounts = accounts = AccountCommands(services, lobby, identities, registered_names, expiry)
        order = OrderCommands(services, lobby, identities, accounts)
        talk = TalkCommands(services, lobby, identities)
        results = ResultPages(services, lobby.book, identities)
        invitations = Invitations(services, lobby)
        seats = SeatCommands(services, lobby, identities, invitations)
        voting, armies = VoteCommands(services, lobby), ArmyListCommands(services, lobby, self._questions)
        self._identities = identities
        self._registered_names = registered_names
        self._name = name
        self._version = version
        self._files = SentFiles(services, lobby, identities)
        self._sockets: Counter[str] = Counter()
        self._newest: dict[tuple[str, type[Question]], Question] = {}
        """The newest survey and proposal of each person."""
        self._paces = PerKey(lambda now: Pace(services.limits, now))
        self._handlers: dict[type[Any], Handler] = {
            said.Hello: self._hello,
            said.Speak: self._speak,
            said.TokenKept: self._kept,
            said.Logout: self._logout,
            said.KeepName: self._keep_name,
            said.Rename: accounts.rename,
            said.DeleteAccount: accounts.delete,
            said.GetSeatCode: lambda session, _: commands.seat_code(session),
            said.UseSeatCode: commands.use_seat_code,
            said.CreateTable: commands.create,
            said.JoinTable: commands.join,
            said.OpenTable: lambda session, asked: commands.open_again(session, asked.table),
            said.NewCode: lambda session, _: commands.new_code(session),
            said.WatchTable: commands.watch,
            FollowLink: LinkCommands(services, lobby, commands).follow,
            said.LookAs: commands.look_as,
            said.Consent: commands.consent,
            said.LeaveTable: lambda session, _: commands.give_up(session),
            said.ChooseFaction: commands.choose_faction,
            said.BuildList: armies.build,
            said.BringList: armies.bring,
            said.SetReady: commands.set_ready,
            said.AddBot: commands.add_bot,
            said.RemoveSeat: commands.remove_seat,
            said.RemoveWatcher: commands.remove_watcher,
            said.ChangeTable: commands.change,
            said.StartMatch: lambda session, _: commands.start(session),
            said.BotPace: commands.pace_bots,
            said.CallVote: voting.call,
            said.CastVote: voting.cast,
            said.Concede: commands.concede,
            said.ListTables: self._list,
            said.FindTables: lobby.lookers.look,
            GetOnNow: MatchesOn(services, lobby).show,
            GetPreview: previews.ScenarioPreviews(services, lobby, self._questions).show,
            GetFaction: factions.FactionPages(services, self._questions).show,
            said.SeekMatch: self._quick.seek,
            said.StopSeeking: lambda session, _: self._quick.stop_seeking(session),
            said.ConfirmMatch: self._quick.confirm,
            said.FillWithBots: lambda session, _: self._quick.fill(session),
            seating.KeepSeat: seats.keep,
            seating.SwapSeats: seats.swap,
            seating.AskSeat: seats.ask,
            seating.GiveSeat: seats.give,
            seating.Rematch: RematchCommands(services, lobby, commands, invitations).rematch,
            seating.GetInvitations: invitations.page,
            said.Intent: self._intent,
            said.DetailRequest: self._question,
            said.Survey: self._question,
            said.Propose: self._question,
            said.Chat: talk.chat,
            said.GetLobbyChat: talk.lobby_page,
            said.Report: ReportCommands(services, identities).report,
            order_requests.Sanction: order.sanction,
            order_requests.LiftSanction: order.lift,
            order_requests.RemovePerson: order.remove,
            order_requests.RenamePerson: order.rename,
            order_requests.CloseTable: order.close,
            order_requests.GetReports: order.reports,
            order_requests.GetSanctions: order.sanctions,
            order_requests.GetAudit: order.audit,
            order_requests.Announce: order.announce,
            order_requests.TakeBackAnnouncement: order.take_back,
            said.Offer: talk.offer,
            said.AnswerOffer: talk.answer_offer,
            said.PointAt: talk.point_at,
            said.GetPeople: people.page,
            said.GetPerson: people.card,
            said.Relate: people.relate,
            said.ShowPresence: people.show_presence,
            said.Resync: self._resync,
            said.GetHistory: self._get_history,
            said.GetResults: results.show,
            said.GetLeaders: results.leaders,
            said.GetReplay: self._files.send_replay,
            GetOwnData: lambda session, _: self._files.send_own_data(session),
            GetWebhook: self._webhooks.show,
            SetWebhook: self._webhooks.set,
            TryWebhook: self._webhooks.try_out,
            said.GetProof: lobby.proofs.ask,
            said.Tip: self._tip,
            said.Entropy: self._entropy,
        }

    async def handle(self, session: Session, message: said.FromClient) -> None:
        """Carry out a message, or refuse it. A fault is logged and answered, and harms no other session."""
        try:
            self._spend(session, message)
            await self._handlers[type(message)](session, message)
        except Exception as problem:  # noqa: BLE001 - whatever it is, it is answered
            self._answer_failure(session, message, problem)

    def act(self, session: Session, intent: said.Intent) -> None:
        """Do with an intent as `handle`, at once."""
        try:
            self._spend(session, intent)
            self._act(session, intent)
        except Exception as problem:  # noqa: BLE001 - whatever it is, it is answered
            self._answer_failure(session, intent, problem)

    def _spend(self, session: Session, message: said.FromClient) -> None:
        if not isinstance(message, BY_THEMSELVES):
            session.spoke_at = self._services.clock.now()
        asker, spend = session.asker, self._services.bounds.spend
        for kind in MESSAGE_BOUNDS[type(message)]:
            spend(kind, asker)

    def _answer_failure(self, session: Session, message: said.FromClient, problem: Exception) -> None:
        """Send the refusal that a problem comes to; log those that are none of the sender's."""
        if isinstance(problem, Refused):
            self._refuse(session, message, problem)
        elif isinstance(problem, StoreError):
            self._services.log.error("store", problem=str(problem))
            self._refuse(session, message, Refused("store/unavailable"))
        else:
            error = secrets.token_hex(4)
            self._services.log.error("fault", error=error, message=type(message).__name__, exc_info=problem)
            self._refuse(session, message, Refused("server/fault", error=error))

    def _refuse(self, session: Session, message: said.FromClient, refused: Refused) -> None:
        """Send a refusal in the form that the sender of this message waits for."""
        self._services.metrics.rejects.add(refused.code)
        if isinstance(message, said.Hello) and session.account is None:
            # nobody has come in, and a connection greets once: left open, it would act as a person without an id
            session.end(refused.problem(fatal=True), CloseCode.TRY_AGAIN_LATER)
        elif isinstance(message, said.Intent):
            session.say(Reject(message.id, refused.code, refused.text))
        elif isinstance(message, said.DetailRequest | said.Survey | said.Propose):
            session.say(unanswered(message, refused.code, refused.text))
        elif isinstance(message, GetPreview):
            session.say(previews.not_shown(message, refused))
        elif isinstance(message, GetFaction):
            session.say(factions.not_shown(message, refused))
        else:
            session.say(refused.problem())

    def session_ended(self, session: Session) -> None:
        """Leave the table and drop all that belongs to a session whose connection has ended."""
        self._lobby.proofs.gone(session)
        self._quick.leave(session)
        self._files.leave(session)
        self._lobby.leave(session)
        if session.account is not None:
            self._sockets[session.who] -= 1
            if not self._sockets[session.who]:
                del self._sockets[session.who]
                self._services.people.leave(session.who)
                for kind in (said.Survey, said.Propose):
                    self._newest.pop((session.who, kind), None)

    async def close(self) -> None:
        """Stop the sending of files and proofs, and answer nothing more."""
        self._questions.close()
        await self._quick.close()
        await self._webhooks.close()
        await stop([*self._files.tasks(), *self._lobby.proofs.tasks()])

    async def _hello(self, session: Session, hello: said.Hello) -> None:
        try:
            self._services.bounds.afford("logins", session.asker)
            login = await self._log_in(session, hello)
        except Refused as refused:
            session.end(refused.problem(fatal=True))
            return
        if hello.resume is not None:
            # before the Welcome, so that whoever comes back sees their table with it
            await self._lobby.prepare(login.account.id, hello.resume.table)
        await self._services.order.trail.note(login.account.id, session.address)
        await self._services.people.enter(login.account.id)
        try:
            self._check_in(login, session.address)
        except Refused as refused:
            if not self._sockets[login.account.id]:
                self._services.people.leave(login.account.id)
            session.end(refused.problem(fatal=True))
            return
        self._sockets[login.account.id] += 1
        now = self._services.clock.now()
        session.conversation.pace = self._paces.of(login.account.id, now)
        older = self._lobby.holder(login.account.id)
        if older is not None:
            self._lobby.leave(older)
            older.take_over()
        session.account, session.login, session.device = login.account, login, digest(login.token)
        session.language, session.adds = hello.language, hello.adds
        self._lobby.enter(session)
        is_back, resumes = hello.token is not None or hello.password is not None, hello.resume is not None
        about = {"who": session.who, "address": session.address, "back": is_back, "resumes": resumes}
        self._services.log.info("entered", **about)
        account = login.account
        pings, key = round(self._services.limits.ping_seconds), self._services.key.public
        about_me = account.id, account.name, login.token
        welcome = Welcome(*about_me, self._name, self._version, pings, key, kept=bool(account.password))
        known = dict.fromkeys(KNOWN, True)
        moderates = self._lobby.order_news.is_moderator(session)
        sends = bool(self._services.webhooks.hosts)
        welcome = replace(welcome, claim=self._lobby.tally.claim, moderates=moderates, webhooks=sends, **known)
        session.say(welcome)
        installed = self._services.systems.values()
        for catalogue in [system.catalogue(hello.language) for system in installed]:
            if catalogue.hash not in hello.catalogues:
                session.say(catalogue)
        session.say(Systems(tuple(system.choice() for system in installed)))
        self._lobby.order_news.greet(session)
        self._lobby.show(session)
        await self._accounts.name_at_tables(account.id)
        if hello.resume is not None:
            await self._commands.open_again(session, hello.resume.table, hello.resume)

    async def _speak(self, session: Session, asked: said.Speak) -> None:
        systems = self._services.systems.values()
        self._services.bounds.spend("histories", session.asker, CATALOGUE_PAGES * len(systems))
        session.language = asked.language
        for installed in systems:
            session.say(installed.catalogue(asked.language))

    def _check_in(self, login: Login, address: str) -> None:
        """Raise Refused where this person may not come in, or not by one more connection. What follows in the same turn
        lets them in, so that no ban and no logout is missed."""
        self._services.order.check(login.account, address)
        self._identities.check_login(login)
        if self._sockets[login.account.id] >= self._services.limits.sockets_per_account:
            raise Refused("session/too-many")

    async def _log_in(self, session: Session, hello: said.Hello) -> Login:
        if hello.password is not None:
            return await self._registered_names.sign_in(hello.name, hello.password, session.address)
        if hello.token is None:
            self._services.bounds.spend("guests", session.asker)
            name = person_name(hello.name, self._services.limits.name_length)
            self._services.order.check_guest(name, session.address)
        address = session.address
        admit, may_rename = partial(self._count_login, address), partial(self._may_rename, address)
        login = await self._identities.login(hello.name, hello.token, admit, may_rename)
        if hello.token is None:
            self._services.metrics.guests.add()
        return login

    def _count_login(self, address: str, who: str) -> None:
        """Count a login of this person; one that is beyond their bound counts at the address and in all nevertheless.
        Raises Refused."""
        self._services.bounds.spend("logins", Asker("", address))
        self._services.bounds.spend_own("logins", who)

    def _may_rename(self, address: str, who: str, name: str) -> bool:
        """Return True where a guest may come back by this other name, and count it. Raises Refused where nobody may
        have it."""
        self._services.order.check_guest(name, address)
        try:
            self._services.bounds.spend("renames", Asker(who, address))
        except Refused:
            return False
        return True

    async def recheck(self, session: Session) -> None:
        """End the session of a long-connected person whose tokens have ended, or are to be renewed."""
        if session.account is None:
            return
        try:
            self._services.order.check(session.account, session.address)
            await self._identities.check(session.who, session.device)
        except Refused as refused:
            session.end(refused.problem(fatal=True))
        except StoreError as problem:
            self._services.log.error("store", problem=str(problem))

    async def _kept(self, session: Session, _: said.TokenKept) -> None:
        if session.login is not None:
            login, session.login = session.login, None
            await self._identities.confirm(login)

    async def _logout(self, session: Session, _: said.Logout) -> None:
        await self._identities.logout(session.who)
        self._lobby.end_all(self._lobby.connections(session.who), Refused("session/logged-out"))

    async def _keep_name(self, session: Session, asked: said.KeepName) -> None:
        account = session.account = await self._registered_names.keep(session, asked)
        others = [other for other in self._lobby.connections(session.who) if other is not session]
        self._lobby.end_all(others, Refused("session/password-changed"))
        session.say(NameKept(account.name))
        self._lobby.order_news.tell_rights(session)

    async def _list(self, session: Session, _: said.ListTables) -> None:
        session.has_asked_for_lobby = True
        self._lobby.show(session)

    async def _intent(self, session: Session, intent: said.Intent) -> None:
        self._act(session, intent)

    def _act(self, session: Session, intent: said.Intent) -> None:
        live = session.table
        session.has_asked_for_lobby = False
        seat = live.seat_of(session) if live is not None else None
        if live is None or live.host is None or seat is None:
            session.say(Reject(intent.id, _why_not(live), Refused(_why_not(live)).text))
            return
        live.acted(session)
        live.host.act(seat, intent, session)

    async def _question(self, session: Session, question: Question) -> None:
        live = session.table
        if live is None or live.host is None or live.seat_of(session) is None:
            _leave_unanswered(session, live, question)
            return
        live.acted(session)
        if not isinstance(question, said.DetailRequest):
            self._newest[session.who, type(question)] = question
        answering = self._answer(session, live, question)
        self._questions.ask(session.asker, lambda: next(answering, True) is None)

    def _answer(self, session: Session, live: LiveTable, question: Question) -> Iterator[None]:
        """Answer a question of the rules when its turn has come, a slice at each step, while it is still asked from the
        same seat."""
        seat = live.seat_of(session)
        if session.table is not live or live.host is None or seat is None:
            _leave_unanswered(session, live, question)
            return
        try:
            self._check_newest(session, question)
            for _ in live.host.answer(seat, question, session, partial(self._questions.charge, session.asker)):
                yield
                self._check_newest(session, question)
                self._services.bounds.afford(KIND, session.asker)
                if session.table is not live or live.host is None or live.seat_of(session) != seat:
                    _leave_unanswered(session, live, question)
                    return
        except Refused as refused:
            _refuse_question(session, question, refused)

    def _check_newest(self, session: Session, question: Question) -> None:
        """Raise Refused where the person has asked a newer question of this kind."""
        if self._newest.get((session.who, type(question)), question) is not question:
            raise Refused("questions/newer")

    async def _resync(self, session: Session, asked: said.Resync) -> None:
        live = self._lobby.mine(session)
        self._services.metrics.drifts.add("client")
        if asked.part is not None:
            self._services.log.warning("drift", table=live.record.id, part=asked.part, why=asked.why)
        live.show_all(session)

    async def _tip(self, session: Session, tip: said.Tip) -> None:
        live = session.table
        code = live.programs.know(session, tip.tip, tip.key) if live is not None and live.record.id == tip.table else ""
        if code:
            raise Refused(code)

    async def _entropy(self, session: Session, part: said.Entropy) -> None:
        live = session.table
        seat = live.seat_of(session) if live is not None else None
        if live is None or live.host is None or seat is None or live.record.id != part.table:
            raise Refused("entropy/late")
        code = live.host.give_part(seat, part.round, part.link, part.proof)
        if code:
            raise Refused(code)

    async def _get_history(self, session: Session, asked: said.GetHistory) -> None:
        live = session.table
        host = live.host if live is not None else None
        if live is None or live.record.id != asked.table or host is None:
            raise Refused("history/none")
        await host.load_history()

        def page() -> bytes | None:
            view = host.channels.view_of(session)
            return None if view is None else host.history(view, host.shown_version(view), asked.before)

        found = await self._questions.answer(session.asker, page)
        if found is None:
            raise Refused("history/none")
        session.offer(found, droppable=True)
        await live.past.show_chat(session)


def _leave_unanswered(session: Session, live: LiveTable | None, question: Question) -> None:
    """Answer a question of the rules with the reason why its sender cannot act at this table."""
    _refuse_question(session, question, Refused(_why_not(live)))


def _refuse_question(session: Session, question: Question, refused: Refused) -> None:
    session.say(unanswered(question, refused.code, refused.text))


def _why_not(live: LiveTable | None) -> str:
    """Return the code of the reason why no act is possible: there is no match, it is parked, or the sender only watches
    it."""
    if live is not None and live.cannot_go_on:
        return live.why_parked
    return "match/none" if live is None or live.host is None else "match/no-seat"
