"""An example of every message of the protocol, all fields filled in."""

from __future__ import annotations

from typing import Final

from protocol.ids import MatchId, NodeId, PromptId, Seq, TableId
from protocol.proof import facts
from protocol.scene.advice import Forecast, ForecastBack, ForecastLine, ForecastPool, Target
from protocol.scene.cue_templates import CatalogueTemplate
from protocol.scene.fields import Band, Option, Pieces
from protocol.scene.nodes import TABLE_NODE, Act, Cue, Dice
from protocol.text import text
from protocol.version import VERSION
from protocol.wire import (
    choices,
    dates,
    from_client as said,
    from_server as told,
    on_now,
    order,
    order_requests,
    people,
    quick_match,
    results,
    seating,
    table_lists,
)
from protocol.wire.host_claim import HostClaim
from protocol.wire.links import FollowLink, LinkedReplay
from protocol.wire.list_form import Button, Change, Count, FormSection, ListForm, Pick, Switch
from protocol.wire.own_data import GetOwnData, OwnDataPart
from protocol.wire.server_message import ServerMessage

TABLE = TableId("t1")

FROM_CLIENT: Final[tuple[said.Message, ...]] = (
    said.Hello(
        version=VERSION,
        name="Ada",
        token="secret",
        password="correct horse",
        language="de",
        catalogues=["c1"],
        resume=said.Resume(table=TABLE, stream="s1", public=Seq(3), private=Seq(2)),
    ),
    said.TokenKept(),
    said.Logout(),
    said.KeepName(password="battery staple", old="correct horse"),
    said.Rename(name="Ada Lee"),
    said.DeleteAccount(password="battery staple"),
    GetOwnData(),
    said.GetSeatCode(),
    said.UseSeatCode(code="ABCDE12345"),
    said.CreateTable(system="action_cards", scenario="bridge", name="Friday", private=True),
    said.JoinTable(code="ABCDE12345"),
    said.OpenTable(table=TABLE),
    said.WatchTable(table=TABLE, code="ABC"),
    said.LookAs(sees="seat", seat=2),
    said.Consent(who="w1", allow=True),
    said.LeaveTable(),
    said.ChooseFaction(faction="marines", seat=2),
    said.BuildList(draft="IM1-3T2PN", change=Change("take/IM-04", 3), lines=["[list]"], seat=2),
    said.BringList(list="IM1-3T2PN", lines=["[list]"], seat=2),
    said.SetReady(ready=True, delayed_view=True),
    said.AddBot(kind="level1", seat=3),
    said.RemoveSeat(seat=1),
    said.RemoveWatcher(who="w1"),
    said.ChangeTable(
        scenario="hill",
        name="Sunday",
        private=False,
        seconds=90,
        reaction_seconds=0,
        watchers_heard=True,
        bank=300,
        mail=True,
        solo_clock=True,
        bot_pace=800,
        late=False,
        staying=80,
        begins=1_800_000_000,
    ),
    said.NewCode(),
    said.StartMatch(),
    said.BotPace(pace=3000),
    said.BotPace(),
    said.CallVote(what="bot", seat=2),
    said.CastVote(yes=True),
    said.Concede(figures=True),
    said.ListTables(),
    said.FindTables(
        words="ada friday", state="open", system="action_cards", seats=4, free=1, rated=True, mail=False, language="en"
    ),
    said.FindTables(first=50),
    on_now.GetOnNow(),
    said.SeekMatch(systems=["one_page"], seats=[2, 4], mail=True, rated=True, lists=[["IM1-G"]]),
    said.StopSeeking(),
    said.ConfirmMatch(match="0a1b2c3d"),
    said.FillWithBots(),
    seating.KeepSeat(seat=1, who="u2", name="Ben", locked=True),
    seating.SwapSeats(seat=1, other=2),
    seating.AskSeat(seat=1),
    seating.GiveSeat(who="w1", allow=False),
    seating.Rematch(),
    seating.GetInvitations(),
    said.Intent(
        id=bytes(range(16)),
        prompt=PromptId("s1-4"),
        choice="shoot",
        fields={"target": "group/2", "to": [120, -40], "lost": ["piece/1"], "around": {"piece/3": [1, 2]}, "n": 3},
    ),
    said.DetailRequest(id=7, prompt=PromptId("s1-4"), choice="shoot", fields={"slots": {"a": "b"}}),
    said.Survey(id=8, prompt=PromptId("s1-4"), subject="group/2"),
    said.Propose(id=9, prompt=PromptId("s1-4"), choice="walk", fields={"unit": ["group/2"], "to": [120, -40]}),
    said.Chat(text="Well shot!", to=2),
    FollowLink(code="ABCDEFGH23"),
    said.Chat(text="Anybody for a game?", where="lobby"),
    said.GetLobbyChat(before=51),
    said.Report(who="u2", reason="abuse", words="All evening", line=said.ReportedLine("Oaf!", 1_700_000_000, 51)),
    order_requests.Sanction(who="u2", what="ban", reason="Spam", seconds=86_400, also=["name", "network"]),
    order_requests.LiftSanction(id="0a1b2c3d", reason="A mistake"),
    order_requests.RemovePerson(who="u2", reason="Cheats"),
    order_requests.RenamePerson(who="u2", name="Lamb", reason="A rude name"),
    order_requests.CloseTable(table=TABLE, reason="A rude name"),
    order_requests.GetReports(before=51),
    order_requests.GetSanctions(first=12),
    order_requests.GetAudit(before=51),
    order_requests.Announce(text="Maintenance in ten minutes", seconds=600),
    order_requests.TakeBackAnnouncement(id="0a1b2c3d"),
    said.Offer(to=2, kind="truce", text="Until the bridge falls", open=True),
    said.AnswerOffer(offer="0a1b2c3d", yes=True),
    said.PointAt(at=[1200, 900]),
    said.GetPeople(list="friends", first=20),
    said.GetPerson(who="u2"),
    said.Relate(what="ask", name="Ben"),
    said.ShowPresence(shown=False),
    said.Resync(part="private", why="hash"),
    said.GetReplay(table=TABLE),
    said.GetHistory(table=TABLE, before=40),
    said.GetResults(who="u1", before=40),
    said.GetLeaders(system="action_cards"),
    said.GetProof(table=TABLE, after=5),
    said.Tip(table=TABLE, tip=bytes(32), key=bytes(32)),
    said.Entropy(table=TABLE, round=3, link=bytes(32), proof=bytes(64)),
    said.Ping(n=12),
)

_WORDS = text("log.shot", group=text("group.1"), n=3)
_ROW = table_lists.TableRow(
    TABLE, "Friday", "action_cards", _WORDS, "live", 6, 4, True, True, True, ("Ada",), delayed_view=True
)

FROM_SERVER: Final[tuple[ServerMessage, ...]] = (
    told.Welcome("u1", "Ada", "secret", "here", "0.1.0", 15, bytes(32), True, HostClaim(9, 4, 2, 1, 1, 3)),
    told.NameKept("Ada"),
    told.Renamed("Ada Lee"),
    OwnDataPart(0, 1, b'{"form": 1}'),
    told.SeatCode(TABLE, "ABCDE12345", 600),
    told.Systems(
        (
            choices.SystemChoice(
                "action_cards",
                _WORDS,
                (
                    choices.ScenarioChoice(
                        "hill", _WORDS, _WORDS, 4, (choices.FactionChoice("m", _WORDS, (_WORDS,)),), 60
                    ),
                ),
                ("random",),
            ),
        )
    ),
    table_lists.Lobby((_ROW,)),
    table_lists.Found((_ROW,), table_lists.Counts(1, 4, 9), 50),
    table_lists.FoundChange(table_lists.Counts(2, 3, 9), (_ROW,), (TableId("0123456789ac"),)),
    table_lists.MyGames((_ROW,)),
    quick_match.Seeking(True, 12_000, _WORDS),
    quick_match.MatchOffered("0a1b2c3d", "one_page", _WORDS, 2, 18_000, 1, True),
    on_now.OnNow(
        (
            on_now.OnNowRow(
                TABLE,
                "Friday",
                "one_page",
                _WORDS,
                (on_now.OnNowSeat("Ada", 3, True, 1),),
                (on_now.OnNowCounter(_WORDS, 2, 6),),
                7,
                ("Ben",),
            ),
        )
    ),
    dates.DateTold(TABLE, "Friday", 1_800_000_000, opened=True, freed=True),
    seating.Invitation(TABLE, "Friday", "one_page", _WORDS, "Ada", True),
    told.TableView(
        TABLE,
        "Friday",
        "action_cards",
        "hill",
        "live",
        2,
        "u1",
        (told.SeatView(0, "u1", "Ada", "m", _WORDS, True, "", True, -1, 80, 600_000, delayed_view=True),),
        watchers=(told.Watcher("u2", "Bea", told.Role("seat", 1, 2)),),
        code="ABC",
        clocks=(told.ClockView(0, 100, 59_900, 30_000),),
        rest="paused",
        delayed_view=True,
        vote=told.VoteView("bot", 3, -1, (0, 1, 2), (0,), (1,), 30_000),
        result=_WORDS,
        replay_coming=True,
        parked="other_rules",
    ),
    told.Clocks(TABLE, (told.ClockView(0, 100, 59_900, 30_000), told.ClockView(2, 0)), 7),
    told.ClockWarning(TABLE, (2,), 9_000),
    told.Left(TABLE, "removed", _WORDS),
    LinkedReplay(TABLE),
    told.Catalogue(
        "action_cards",
        "en",
        "c1",
        {"log.shot": "{group} hit {n}"},
        (CatalogueTemplate(7, [{"kind": "note", "text": {"$name": [{"$": 0}]}}]),),
    ),
    told.ListShown(
        1,
        ListForm(
            "IM1-3T2PN",
            _WORDS,
            _WORDS,
            (
                FormSection(
                    _WORDS,
                    (
                        Count("take/IM-04", _WORDS, _WORDS, (_WORDS,), 1, 3, 1, 60),
                        Switch("up/0/1", _WORDS, on=True),
                        Pick("army", _WORDS, options=(_WORDS, _WORDS), value=1),
                        Button("clear", _WORDS),
                    ),
                    True,
                ),
            ),
            (_WORDS,),
            "[list]",
        ),
    ),
    told.Snapshot("private", "s1", Seq(4), {TABLE_NODE: {"k": "table", "size": [4800, 4800]}}, 2**64 - 1, Seq(9)),
    told.Delta(
        n=Seq(5),
        patch={
            NodeId("piece/1"): {"at": [1, 2]},
            NodeId("piece/2"): None,
            NodeId("piece/3"): {"counters": {"hits": None}},
        },
        hash=17,
        told=(
            Cue("dice", _WORDS, "AC-SHOOT-02", 1, (NodeId("group/1"),), ((1, 2),), Dice(_WORDS, 1, 6, (2, 6), total=8)),
            (2**32 - 1, "1", [[2, "rifle"]]),
        ),
        after=Seq(4),
    ),
    results.Results(
        "u1",
        "Ada",
        (results.RatingView("action_cards", 812, 240, 7, True),),
        (
            results.ResultRow(
                31,
                TABLE,
                "Friday",
                "action_cards",
                _WORDS,
                1_790_000_000,
                _WORDS,
                (
                    results.ResultSeat("u1", "Ada", 0, True, 12, change=21),
                    results.ResultSeat("u2", "Bea", 1, score=3, gone=True, change=-18),
                ),
                rounds=6,
                bare=1,
                unrated="unproven",
                replay=True,
            ),
        ),
        31,
        (results.PlayedView("action_cards", 9, 4),),
        9,
        8,
    ),
    results.Leaders("action_cards", (results.Leader("u1", "Ada", results.RatingView("action_cards", 1102, 96, 31)),)),
    told.Ack(bytes(16)),
    told.Expired(TABLE, 2, 7, 31, bytes(32), bytes(64)),
    told.Reject(bytes(16), "stale", _WORDS),
    told.Detail(7, Pieces("target", _WORDS, options=(Option("group/1", _WORDS),), most=2)),
    told.Surveyed(
        8,
        "walk",
        reach=(Band(_WORDS, 600, (((0, 0), (600, 0), (0, 600)),)),),
        targets=(
            Target(NodeId("group/3"), chance=421, loss=118, cover=_WORDS, back=(NodeId("group/4"),)),
            Target(NodeId("group/5"), _WORDS),
        ),
        more=True,
    ),
    told.Surveyed(8, code="stale", text=_WORDS),
    told.Proposed(
        9,
        {"unit": ["group/2"], "to": [120, -40], "places": {"piece/1": [1, 2]}, "slots": {"a": "b"}, "n": 3},
        (Pieces("lead", _WORDS, options=(Option("piece/1"),), default=("piece/1",)),),
        {NodeId("piece/1"): (120, -40)},
        Forecast(
            (ForecastPool(_WORDS, 5, needs=4),),
            ((0, 500), (1, 500)),
            50,
            (ForecastBack(NodeId("group/3"), ((0, 1000),)),),
            (ForecastLine(_WORDS, "OP-SHOOT-02"),),
            "known",
            _WORDS,
        ),
        (Target(NodeId("group/3"), chance=421, loss=118),),
        (((0, 0), (600, 0), (0, 600)),),
        more=True,
    ),
    told.Proposed(9, code="reply/bad-field", text=_WORDS, at=(120, -40)),
    told.ChatLine("u1", "Ada", "player", "Well shot!", 1_700_000_000, 2),
    told.ReportTaken("u2"),
    order.ReportPage(
        (
            order.ReportRow(
                51,
                "u1",
                "Ada",
                "u2",
                "Ben",
                "abuse",
                "All evening",
                1_700_000_009,
                (order.ReportedWords("u2", "Ben", "Oaf!", 1_700_000_000),),
                0,
                TABLE,
            ),
        ),
        41,
    ),
    order.SanctionPage(
        (order.SanctionRow("0a1b2c3d", "ban", "u2", "Ben", "Spam", "Ada", 1_700_000_000, 1_700_086_400, ("name",)),),
        12,
        13,
    ),
    order.AuditPage(
        (
            order.AuditRow(51, "ban", 1_700_000_000, "Ada", "u2", "Ben", 1_700_086_400, "name, network", "Spam"),
            order.AuditRow(50, "appoint", 1_700_000_000, who="u1", name="Ada"),
        ),
        50,
    ),
    order.OrderDone("ban", "Ben"),
    order.Moderating(moderates=True),
    order.Announcements((order.AnnouncementRow("0a1b2c3d", "Maintenance in ten minutes", 1_700_000_000, 600_000),)),
    told.LobbyChat((told.ChatLine("u1", "Ada", "player", "Hello", 1_700_000_000, where="lobby", number=51),), 51),
    told.ChatHistory(TABLE, (told.ChatLine("u1", "Ada", "player", "Well shot!", 1_700_000_000),)),
    told.History(
        TABLE,
        40,
        (
            told.ToldFrame(
                (
                    Act(
                        7,
                        "shot",
                        1,
                        {"group": NodeId("group/2.1")},
                        "done",
                        {"killed": 2},
                        {"group": text("name.group")},
                    ),
                ),
                (Cue("note", text("log.shot"), act=7),),
            ),
        ),
    ),
    told.OfferView("0a1b2c3d", 0, 2, "truce", "Until the bridge falls", "open", 1_700_000_000, True),
    told.PointedAt(2, (1200, 900)),
    people.PeoplePage("friends", (people.PersonRow("u2", "Ben", 9, True, TABLE, "Duel", "open", True),), 20, 21, True),
    people.PersonCard("u2", "Ben", True, asking=True, news=True),
    told.EntropyWanted(TABLE, 3, 12, bytes(32), bytes(64)),
    told.Proof(
        TABLE,
        4,
        (
            facts.Bound(MatchId("m1"), 2, bytes(32), bytes(32), bytes(64), 2, True),
            facts.Held(1, "person"),
            facts.Tipped(1, bytes(32), bytes(32)),
            facts.Called(2, (0, 1), 16, bytes(32), bytes(64)),
            facts.Begun(2, (bytes(32), b""), bytes(32), 17, bytes(32), bytes(64), (bytes(64), b"")),
            facts.GivenUp(18),
            facts.Rolled(2, 0, 1, 6, (3, 4)),
            facts.Ordered(2, 1, (1, 0, 2)),
            facts.Shuffled("cards", 0, 2, 30, bytes(32)),
            facts.Drawn("cards", 0, 7, "ada/3", bytes(16), (bytes(32),) * 5, True),
        ),
        True,
        2,
    ),
    told.FilePart("t1.replay", 0, 2, b"bytes"),
    told.Problem("busy", _WORDS, True),
    told.Pong(12),
)
