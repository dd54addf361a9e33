"""What a client may say. One closed union, strict and bounded; anything else is refused with a code.

Every message is a map with the tag `t`. The bounds here are the outer ones; a bucket and the match decide the rest.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from protocol.lines import clean_line

Id = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_./:-]+$")]
Name = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Password = Annotated[str, StringConstraints(min_length=1, max_length=128)]
"""As typed, any characters. Fields of it are kept out of what is printed of a message."""
Count = Annotated[int, Field(ge=0, le=2**53)]
Coordinate = Annotated[int, Field(ge=-(2**31), le=2**31)]
Key = Id
"""Names of fields, nodes and options; refusals repeat them, so they are plain."""
MOST_WORDS = 2048
PointValue = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
Words = Annotated[
    str, StringConstraints(max_length=MOST_WORDS), AfterValidator(lambda text: clean_line(text)[:MOST_WORDS])
]
"""What somebody typed: cleaned here, before any rule system can show it to others."""
FieldValue = (
    Words
    | Coordinate
    | Annotated[list[Coordinate | Key], Field(max_length=256)]
    | Annotated[dict[Key, PointValue | Key], Field(max_length=64)]
)
Fields = Annotated[dict[Key, FieldValue], Field(max_length=16)]


class Message(BaseModel):
    """Base of all messages from clients: no conversions, no unknown fields, immutable."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class Resume(Message):
    """The last numbers a returning client has of a table's stream; see `Snapshot.stream`."""

    table: Id
    stream: Id
    public: Count
    private: Count


class Hello(Message):
    """The first message, within `handshake_seconds`: who I am and where I left off. With `token` the person it was
    given to, with `password` the one who keeps `name` with it (then the token says nothing), else a new guest."""

    t: Literal["hello"]
    version: Count
    name: Name
    token: Annotated[str, StringConstraints(max_length=128)] | None = None
    password: Password | None = Field(default=None, repr=False)
    language: Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")] = "en"
    catalogues: Annotated[list[Id], Field(max_length=32)] = []
    resume: Resume | None = None


class Kept(Message):
    """I have kept the token of the Welcome; the one that I came with may be forgotten."""

    t: Literal["kept"]


class Logout(Message):
    """Forget all tokens of mine on all devices and close my connections. Seats are kept, but only a seat code leads
    back to them, or the password of a name that is kept."""

    t: Literal["logout"]


class KeepName(Message):
    """My name is mine on this server from now on, and I can sign in with it and `password` anywhere. Who keeps it
    already changes the password, which needs the `old` one and ends his sessions on all other devices."""

    t: Literal["keep_name"]
    password: Password = Field(repr=False)
    old: Password | None = Field(default=None, repr=False)


class GetSeatCode(Message):
    """Player: a code by which my seat at this table passes to another device, once and soon."""

    t: Literal["seat_code"]


class UseSeatCode(Message):
    """Take the seat of a seat code over from the one who was given it; his connection is closed."""

    t: Literal["use_seat_code"]
    code: Annotated[str, StringConstraints(min_length=1, max_length=16)]


class CreateTable(Message):
    """Open a table for a scenario; the sender becomes its owner and takes the first seat."""

    t: Literal["create"]
    system: Id
    scenario: Id
    name: Name
    private: bool = False


class JoinTable(Message):
    """Take a free seat, by invite code, or by id where the table is public. In a live match: play on for a bot, of
    `seat` where that is given."""

    t: Literal["join"]
    code: Annotated[str, StringConstraints(max_length=16)] | None = None
    table: Id | None = None
    seat: Annotated[int, Field(ge=0, le=15)] | None = None


class OpenTable(Message):
    """Look at a table again where I have a seat already (or watch); its stream goes to this connection from now."""

    t: Literal["open"]
    table: Id


class WatchTable(Message):
    """Watch as a spectator; a private table needs its code."""

    t: Literal["watch"]
    table: Id | None = None
    code: Annotated[str, StringConstraints(max_length=16)] | None = None


class LookAs(Message):
    """Spectator: see the public part, ask to see what `seat` sees (its holder decides), or see all, late."""

    t: Literal["look"]
    sees: Literal["public", "seat", "all"]
    seat: Annotated[int, Field(ge=0, le=15)] | None = None


class Consent(Message):
    """Player: this spectator may see what I see, or may not (any more)."""

    t: Literal["consent"]
    who: Id
    allow: bool


class LeaveTable(Message):
    """Before the start: give the seat up. After it: a bot takes the seat over. A spectator stops watching."""

    t: Literal["leave"]


class ChooseFaction(Message):
    """Before the start: play this faction. The owner may name another `seat` that a bot holds."""

    t: Literal["faction"]
    faction: Id
    seat: Annotated[int, Field(ge=0, le=15)] | None = None


class SetReady(Message):
    """Before the start: I am ready, or not any more."""

    t: Literal["ready"]
    ready: bool


class AddBot(Message):
    """Owner, before the start: put a bot of this kind ("random", "level1") into a free seat."""

    t: Literal["bot"]
    kind: Id
    seat: Annotated[int, Field(ge=0, le=15)] | None = None


class RemoveSeat(Message):
    """Owner: remove who holds this seat (after the start a bot takes over)."""

    t: Literal["remove_seat"]
    seat: Annotated[int, Field(ge=0, le=15)]


class RemoveWatcher(Message):
    """Owner: send this spectator away; he may not come back to this table."""

    t: Literal["remove_watcher"]
    who: Id


class ChangeTable(Message):
    """Owner, before the start: another scenario, another name, private or public, seconds a decision and in the bank,
    no clock at all (play by mail), whether a late person may take a bot's seat, what spectators may ask to see,
    and whether players see what they write. Absent: unchanged."""

    t: Literal["change"]
    scenario: Id | None = None
    name: Name | None = None
    private: bool | None = None
    seconds: Annotated[int, Field(ge=5, le=3600)] | None = None
    reaction_seconds: Annotated[int, Field(ge=0, le=30)] | None = None
    bank: Annotated[int, Field(ge=0, le=7200)] | None = None
    mail: bool | None = None
    late: bool | None = None
    seat_views: bool | None = None
    all_views: bool | None = None
    watchers_heard: bool | None = None


class NewCode(Message):
    """Owner: another invite code; the one before it admits nobody any more."""

    t: Literal["new_code"]


class StartMatch(Message):
    """Owner: start; all seats must be taken and all people ready."""

    t: Literal["start"]


class CallVote(Message):
    """Player: ask all who are seated to pause, resume, adjourn or end the match, or to let a bot play for the absent
    person of `seat`. Whoever asks has voted yes."""

    t: Literal["call_vote"]
    what: Literal["pause", "resume", "adjourn", "end", "bot"]
    seat: Annotated[int, Field(ge=0, le=15)] | None = None


class CastVote(Message):
    """Player: yes or no to the open vote; the last word counts."""

    t: Literal["cast"]
    yes: bool


class Concede(Message):
    """Player: give the match up, and watch from now on. A bot plays on for the seat, or with `figures` its figures
    leave the table, where the rules know how."""

    t: Literal["concede"]
    figures: bool = False


class ListTables(Message):
    """Send the lobby again. It is kept up to date for who is at no table; for who is at one from then on, until he acts
    there or goes to another."""

    t: Literal["list"]


class Intent(Message):
    """Every act, answer, aside and undo. `id`: 16 random bytes, the same in every resend."""

    t: Literal["intent"]
    id: Annotated[bytes, Field(min_length=16, max_length=16)]
    prompt: Annotated[str, StringConstraints(max_length=64)]
    choice: Key
    fields: Fields = {}


class DetailRequest(Message):
    """Ask for the next field of a choice, given the fields filled in so far."""

    t: Literal["detail"]
    id: Count
    prompt: Annotated[str, StringConstraints(max_length=64)]
    choice: Key
    fields: Fields = {}


class Chat(Message):
    """Say something at the table one is at. Player: with `to` to the holder of that seat alone."""

    t: Literal["chat"]
    text: Annotated[str, StringConstraints(min_length=1, max_length=400)]
    to: Annotated[int, Field(ge=0, le=15)] | None = None


class Offer(Message):
    """Player: offer the holder of seat `to` something, in words. It binds nobody: no rule hears of it. `open`: all at
    the table see it and its answer; else only the two. It takes the place of an open one between the same two."""

    t: Literal["offer"]
    to: Annotated[int, Field(ge=0, le=15)]
    kind: Literal["truce", "leave", "help", "share", "other"]
    text: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    open: bool = False


class AnswerOffer(Message):
    """Player: accept an offer that was made to me, or decline it; who made it takes it back with no."""

    t: Literal["answer_offer"]
    offer: Id
    yes: bool


class Resync(Message):
    """My scene has drifted (or I missed a number): send both parts whole. `part` and `why` say where and how it was
    noticed (scene_model.Drift)."""

    t: Literal["resync"]
    part: Literal["public", "private"] | None = None
    why: Annotated[str, StringConstraints(max_length=16, pattern=r"^[a-z]*$")] = ""


class GetReplay(Message):
    """Send the replay file of a finished table, in parts."""

    t: Literal["replay"]
    table: Id


class GetProof(Message):
    """Tell what chance at this table can be checked by, from fact number `after` on, and go on telling."""

    t: Literal["get_proof"]
    table: Id
    after: Count = 0


class Tip(Message):
    """The tip of this program's chain of links for a match (protocol/links.py); counts from the next round."""

    t: Literal["tip"]
    table: Id
    tip: Annotated[bytes, Field(min_length=32, max_length=32)]


class Link(Message):
    """Answer to a LinkWanted: the link that follows the one it names."""

    t: Literal["link"]
    table: Id
    round: Count
    link: Annotated[bytes, Field(min_length=32, max_length=32)]


class Ping(Message):
    """Answered by a Pong with the same number."""

    t: Literal["ping"]
    n: Count


FromClient = Annotated[
    Hello
    | Kept
    | Logout
    | KeepName
    | GetSeatCode
    | UseSeatCode
    | CreateTable
    | JoinTable
    | OpenTable
    | WatchTable
    | LookAs
    | Consent
    | LeaveTable
    | ChooseFaction
    | SetReady
    | AddBot
    | RemoveSeat
    | RemoveWatcher
    | ChangeTable
    | NewCode
    | StartMatch
    | CallVote
    | CastVote
    | Concede
    | ListTables
    | Intent
    | DetailRequest
    | Chat
    | Offer
    | AnswerOffer
    | Resync
    | GetReplay
    | GetProof
    | Tip
    | Link
    | Ping,
    Field(discriminator="t"),
]
FROM_CLIENT: TypeAdapter[FromClient] = TypeAdapter(FromClient)
