"""The client's conversation: resuming over broken links, intents exactly once, hostile servers."""

from __future__ import annotations

from hypothesis import given, strategies as st
from msgspec.structs import replace

from protocol.ids import BEGINNING, NodeId, Seq, TableId
from protocol.limits import Limits
from protocol.scene.cue_templates import CatalogueTemplate
from protocol.scene.delta import Nodes, nodes_hash
from protocol.scene.nodes import PROMPT_NODE, ROW_NODE, Cue, Prompt, Reply
from protocol.text import text
from protocol.version import VERSION
from protocol.wire.client_conversation import MOST_CATALOGUES, ClientConversation
from protocol.wire.codec import decode_request, encode
from protocol.wire.from_client import (
    FromClient,
    GetPeople,
    Hello,
    Intent,
    JoinTable,
    ListTables,
    OpenTable,
    Resync,
    SetReady,
    Speak,
    TokenKept,
)
from protocol.wire.from_server import (
    Ack,
    Catalogue,
    Clocks,
    ClockView,
    Delta,
    FromServer,
    Left,
    Problem,
    Reject,
    Snapshot,
    Welcome,
)
from protocol.wire.on_now import GetOnNow
from protocol.wire.server_message import ServerMessage
from protocol.wire.table_lists import Counts, Found, Lobby, MyGames, TableRow
from tests.support.clients.scene_server import TABLE, SceneServer
from tests.support.clients.wire_nodes import PRIVATE, PUBLIC

GROUP_1 = NodeId("group/1")

TABLE_T1 = TableId("t1")

WELCOME = Welcome("u1", "Ada", "token-2", "here", "0.1")


class Linked:
    """Client and server with frames in flight between them, which a broken link loses."""

    def __init__(self) -> None:
        self.server = SceneServer()
        self.client = ClientConversation("Ada", None)
        self.client.table = TABLE
        self.up: list[bytes] = []
        self.down: list[bytes] = []
        self.shown: list[FromServer] = []
        self.client.connected()

    def deliver_up(self, most: int) -> None:
        self.up += self.client.outgoing()
        for frame in self.up[:most]:
            self.server.receive(frame)
        del self.up[:most]

    def deliver_down(self, most: int) -> None:
        self.down += self.server.conversation.take()
        for frame in self.down[:most]:
            self.shown += self.client.receive(frame)
            self.check()
        del self.down[:most]

    def reconnect(self) -> None:
        self.server.drop()
        self.up.clear()
        self.down.clear()
        self.client.connected()

    def settle(self) -> None:
        for _ in range(12):
            self.deliver_up(1000)
            self.deliver_down(1000)

    def check(self) -> None:
        """Check that what is shown was once true, and that no private part is shown before its public one."""
        scene = self.client.scene
        assert self.client.ended is None
        if scene is None or not scene.stream:
            return
        public, private = (self.server.parts[scene.stream][name] for name in ("public", "private"))
        n, p = scene.numbers
        if scene.public.nodes or n:
            assert scene.public.nodes == public.history[n]
        if scene.private.nodes or p:
            assert scene.private.nodes == private.history[p]
        assert private.afters[p] <= n
        assert set(scene.nodes) == scene.public.nodes.keys() | scene.private.nodes.keys()


STEPS = st.one_of(
    st.tuples(st.just("step"), st.none() | PUBLIC, st.none() | PRIVATE),
    st.tuples(st.just("up"), st.integers(1, 3)),
    st.tuples(st.just("down"), st.integers(1, 3)),
    st.tuples(st.just("intend"), st.sampled_from(("go", "stale"))),
    st.tuples(st.sampled_from(("reconnect", "restart", "wrong", "skip", "settle"))),
)


@given(st.lists(STEPS, max_size=40))
def test_whatever_links_break_the_picture_is_true_and_comes_out_equal(steps: list[tuple[object, ...]]) -> None:
    linked = Linked()
    intents: dict[bytes, str] = {}
    for step in steps:
        match step:
            case ("step", public, private):
                linked.server.step(public, private)  # type: ignore[arg-type]  # as STEPS makes them
            case ("up", int(most)):
                linked.deliver_up(most)
            case ("down", int(most)):
                linked.deliver_down(most)
            case ("intend", str(choice)):
                id = len(intents).to_bytes(16, "big")
                intents[linked.client.intend(Reply(choice), id)] = choice
            case ("reconnect",):
                linked.reconnect()
            case ("restart",):
                linked.server.restart()
                linked.reconnect()
            case ("wrong",):
                linked.server.wrong = True
            case ("skip",):
                linked.server.skip = True
            case _:
                linked.settle()
        linked.check()
    linked.settle()
    linked.server.skip = False
    linked.server.step({}, {})  # what was never sent is noticed with the next change
    linked.settle()
    scene, server = linked.client.scene, linked.server
    assert scene is not None
    assert scene.public.nodes == server.parts[server.stream]["public"].nodes
    assert scene.private.nodes == server.parts[server.stream]["private"].nodes
    assert scene.is_whole
    assert not linked.client.pending
    assert server.done == [id for id, choice in intents.items() if choice == "go"]


def said(client: ClientConversation) -> list[FromClient]:
    """Return what the client says, but for the word that it has kept its token."""
    found = [decode_request(frame, Limits()) for frame in client.outgoing()]
    return [message for message in found if not isinstance(message, TokenKept)]


def test_the_token_of_a_welcome_is_confirmed_at_once() -> None:
    client = ClientConversation("Ada", "token-1")
    client.connected()
    client.outgoing()
    client.receive(encode(WELCOME))
    assert [decode_request(frame, Limits()) for frame in client.outgoing()] == [TokenKept()]
    assert client.token == "token-2"


def told(client: ClientConversation, *messages: ServerMessage) -> list[FromServer]:
    return [shown for message in messages for shown in client.receive(encode(message))]


def at_table(public: Nodes) -> ClientConversation:
    client = ClientConversation("Ada", None)
    client.connected()
    told(client, WELCOME, TABLE, Snapshot("public", "s1", Seq(3), public, nodes_hash(public)))
    told(client, Snapshot("private", "s1", BEGINNING, {}, 0, Seq(3)))
    client.outgoing()
    return client


def test_a_new_guest_says_hello_and_keeps_the_token() -> None:
    client = ClientConversation("Ada", None, "de", (Catalogue("sample", "de", "c1", {"a": "b"}),))
    client.connected()
    client.say(JoinTable(code="ABC"))
    hello, join = said(client)
    assert hello == Hello(version=VERSION, name="Ada", language="de", catalogues=["c1"])
    assert join == JoinTable(code="ABC")
    assert told(client, WELCOME, Lobby(())) == [WELCOME, Lobby(())]
    assert (client.you, client.token, client.lobby) == ("u1", "token-2", Lobby(()))
    client.connected()
    again = said(client)[0]
    assert isinstance(again, Hello)
    assert again.token == "token-2"


def test_a_returning_client_names_its_numbers_and_says_unanswered_intents_after_the_welcome() -> None:
    client = at_table({})
    id = client.intend(Reply("go", {"to": (1, 2), "lost": ("piece/1",)}), bytes(16))
    assert [type(message) for message in said(client)] == [Intent]
    client.connected()
    hello = said(client)[0]
    assert isinstance(hello, Hello)
    assert hello.resume is not None
    assert (hello.resume.table, hello.resume.stream, hello.resume.public, hello.resume.private) == ("t1", "s1", 3, 0)
    told(client, WELCOME)
    (intent,) = said(client)
    assert isinstance(intent, Intent)
    assert (intent.id, intent.fields) == (id, {"to": [1, 2], "lost": ["piece/1"]})
    assert told(client, Ack(id)) == [Ack(id)]
    assert not client.pending


def test_a_stale_intent_is_given_up_and_shown() -> None:
    client = at_table({})
    id = client.intend(Reply("go"), bytes(16))
    refusal = Reject(id, "stale", text("problem.stale"))
    assert told(client, refusal) == [refusal]
    assert not client.pending


def test_an_intent_made_before_the_welcome_is_said_once() -> None:
    client = ClientConversation("Ada", "token")
    client.connected()
    client.intend(Reply("go"), bytes(16))
    assert [type(message) for message in said(client)] == [Hello]
    told(client, WELCOME)
    assert [type(message) for message in said(client)] == [Intent]


def test_commands_not_sent_yet_survive_a_broken_link() -> None:
    client = at_table({})
    client.say(ListTables())
    client.ask_detail("go", {})
    client.connected()
    assert [type(message) for message in said(client)] == [Hello, ListTables]


def test_of_questions_that_wait_for_a_link_the_newest_of_each_kind_is_said() -> None:
    client = at_table({})
    for first in range(30):
        client.say(GetOnNow())
        client.say(GetPeople(list="friends", first=first))
        client.say(SetReady(ready=first % 2 == 0))
    client.connected()
    waiting = said(client)[1:]
    assert [message for message in waiting if not isinstance(message, SetReady)] == [
        GetOnNow(),
        GetPeople(list="friends", first=29),
    ]
    assert len(waiting) == 32, "each command is said"


def test_intents_and_details_name_the_prompt_shown() -> None:
    client = at_table({})
    nodes: Nodes = {PROMPT_NODE: {"k": "prompt", "id": "s1-1", "title": {"k": "act"}, "choices": []}}
    told(client, Snapshot("private", "s1", Seq(1), nodes, nodes_hash(nodes), Seq(3)))
    assert client.scene is not None
    assert isinstance(client.scene.prompt, Prompt)
    client.intend(Reply("go"), bytes(16))
    assert client.ask_detail("go", {"n": 1}) == 1
    assert [getattr(message, "prompt", None) for message in said(client)] == ["s1-1", "s1-1"]


def test_a_drift_asks_for_the_whole_once() -> None:
    client = at_table({ROW_NODE: {"k": "row", "cards": []}})
    wrong = Delta(n=Seq(4), patch={ROW_NODE: {"turn": 1}}, hash=5)
    assert told(client, wrong, Delta(n=Seq(5), patch={}, hash=5), Delta(n=Seq(6), patch={}, hash=5)) == []
    assert [type(message) for message in said(client)] == [Resync]
    assert client.drifts == 1
    client.connected()
    hello = said(client)[0]
    assert isinstance(hello, Hello)
    assert hello.resume is None
    told(client, WELCOME)
    assert said(client) == [OpenTable(table=TABLE_T1)]
    whole = Snapshot("public", "s1", Seq(6), {}, 0)
    assert told(client, whole) == [whole]
    assert client.scene is not None
    assert client.scene.is_whole


def test_snapshots_that_never_fit_end_the_conversation() -> None:
    client = at_table({})
    shown = told(client, *[Snapshot("public", "s1", Seq(4), {}, 7)] * 20)
    assert shown == [client.ended]
    assert client.ended is not None
    assert (client.ended.code, client.drifts) == ("session/drifting", 8)
    assert len(said(client)) == 8


def test_a_player_who_never_got_his_private_part_does_not_resume() -> None:
    client = ClientConversation("Ada", None)
    client.connected()
    told(client, WELCOME, TABLE, Snapshot("public", "s1", Seq(4), {}, 0))
    client.connected()
    hello = said(client)[0]
    assert isinstance(hello, Hello)
    assert hello.resume is None
    told(client, Snapshot("private", "s1", BEGINNING, {}, 0))
    client.connected()
    hello = said(client)[0]
    assert isinstance(hello, Hello)
    assert hello.resume is not None


def test_a_resync_refused_as_too_much_is_asked_again() -> None:
    client = at_table({})
    told(client, Delta(n=Seq(9), patch={}, hash=5))
    assert [type(message) for message in said(client)] == [Resync]
    told(client, Delta(n=Seq(10), patch={}, hash=5))
    assert said(client) == []
    told(client, Problem("busy", text("busy")), Delta(n=Seq(11), patch={}, hash=5))
    assert [type(message) for message in said(client)] == [Resync]


def test_taken_over_and_unreadable_end_the_conversation() -> None:
    over = Problem("session/taken-over", text("session.taken_over"), True)
    client = at_table({})
    assert told(client, over) == [over]
    assert client.ended == over
    assert told(client, Lobby(())) == []
    client = at_table({})
    (problem,) = client.receive(b"\xc1")
    assert isinstance(problem, Problem)
    assert (problem.code, problem.fatal, client.ended) == ("frame/unreadable", True, problem)


def test_leaving_a_table_forgets_its_scene_and_intents() -> None:
    client = at_table({})
    client.intend(Reply("go"), bytes(16))
    told(client, Left(TableId("other"), "gone", text("left.gone")))
    assert client.table is not None
    told(client, Left(TABLE_T1, "removed", text("left.removed")))
    assert not client.pending
    client.connected()
    hello = said(client)[0]
    assert isinstance(hello, Hello)
    assert hello.resume is None
    told(client, WELCOME)
    assert said(client) == []


def test_a_server_with_impossible_names_is_not_resumed_but_never_raises() -> None:
    client = ClientConversation("Ada", None)
    client.connected()
    told(client, WELCOME, TABLE, Snapshot("public", "no such stream!", Seq(3), {}, 0))
    client.connected()
    hello = said(client)[0]
    assert isinstance(hello, Hello)
    assert hello.resume is None
    told(
        client,
        Snapshot("public", "s", Seq(-3), {}, 0),
        Snapshot("", "s", Seq(3), {}, 0),
        Delta(n=Seq(2**60), patch={}, hash=0),
    )
    assert client.ended is None
    unknown: Nodes = {NodeId("x"): {"k": "novelty"}}
    (problem,) = told(client, Snapshot("public", "s", Seq(1), unknown, nodes_hash(unknown)))
    assert isinstance(problem, Problem)
    assert problem.fatal


def test_texts_come_from_catalogues_and_the_protocol() -> None:
    client = at_table({})
    told(client, Catalogue("sample", "en", "c2", {"hi": "Hello {who}"}))
    assert client.format(text("hi", who="Bea")) == "Hello Bea"
    assert client.format(text("busy")).startswith("Too much")


LOST = CatalogueTemplate(7, [{"kind": "note", "text": {"k": "lost", "a": {"who": {"$name": [{"$": 0}]}}}}])
GROUP: Nodes = {GROUP_1: {"k": "group", "owner": 0, "name": {"k": "us"}, "pieces": []}}


def test_cues_by_form_come_filled_with_names_of_before_the_step() -> None:
    """The group is gone with the very delta that tells so."""
    client = at_table(GROUP)
    told(client, Catalogue("sample", "en", "c1", {}, (LOST,)))
    gone = Delta(n=Seq(4), patch={GROUP_1: None}, hash=0, told=((7, "group/1"),))
    assert told(client, gone) == [replace(gone, told=(Cue("note", text("lost", who=text("us"))),))]
    assert client.scene is not None
    assert not client.scene.nodes


def test_a_form_that_nobody_told_of_ends_the_conversation_and_changes_nothing() -> None:
    client = at_table(GROUP)
    (problem,) = told(client, Delta(n=Seq(4), patch={GROUP_1: None}, hash=0, told=((7, "group/1"),)))
    assert problem == client.ended == Problem("frame/bad-field", text("frame.bad_field", field="cues"), fatal=True)
    assert client.scene is not None
    assert (set(client.scene.nodes), client.scene.numbers) == ({"group/1"}, (3, 0))


def test_another_language_is_asked_for_where_the_server_knows_how() -> None:
    client = ClientConversation("Ada", None)
    client.connected()
    client.outgoing()
    client.speak("de")
    told(client, Welcome("u1", "Ada", "token", "here", "1"))
    client.speak("en")
    assert [decode_request(frame, Limits()) for frame in client.outgoing()] == [TokenKept()]
    told(client, Catalogue("sample", "en", "c1", {"a": "b"}))
    client.connected()
    told(client, Welcome("u1", "Ada", "token", "here", "1", speaks=True))
    client.outgoing()
    client.speak("de")
    assert [decode_request(frame, Limits()) for frame in client.outgoing()] == [Speak(language="de")]
    client.connected()
    hello, *_ = [decode_request(frame, Limits()) for frame in client.outgoing()]
    assert isinstance(hello, Hello)
    assert (hello.language, hello.catalogues) == ("de", []), "what it has is in English"


def test_forms_of_forgotten_catalogues_are_forgotten() -> None:
    client = at_table(GROUP)
    told(client, Catalogue("sample", "en", "c1", {}, (LOST,)))
    told(client, *[Catalogue("sample", "en", f"other-{n}", {}) for n in range(MOST_CATALOGUES)])
    told(client, Delta(n=Seq(4), patch={}, hash=nodes_hash(GROUP), told=((7, "group/1"),)))
    assert client.ended is not None


def test_clocks_change_nothing_else_of_the_table_that_one_is_at() -> None:
    client = ClientConversation("Ada", None)
    clocks = (ClockView(0, 10, 60_000),)
    assert client.receive(encode(Clocks(TABLE_T1, clocks))) == []
    client.receive(encode(TABLE))
    assert client.receive(encode(Clocks(TableId("t2"), clocks))) == []
    assert client.table == TABLE
    told = Clocks(TABLE_T1, clocks)
    assert client.receive(encode(told)) == [told]
    assert client.table == replace(TABLE, clocks=clocks)


def test_own_games_are_forgotten_on_a_new_link_which_tells_them_only_where_there_are_any() -> None:
    talk = ClientConversation("Ann", None)
    talk.connected()
    talk.found.take(MyGames((TableRow(TABLE_T1, "Friday", "duel", text("mill"), "open", 2, 1, mine=True),)))
    assert talk.found.lobby.tables
    talk.connected()
    talk.found.take(Found((), Counts()))
    assert not talk.found.lobby.tables
