"""Verbs: what a prompt offers, what a detail fills in, and the intent and procedure of a reply."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.game import Game
from engine.core.rules.record import Record
from engine.core.rules.system import Intent
from engine.kit import blanks
from engine.kit.blanks import Among, Blank, Draft
from engine.kit.verbs import Label, Verb, Verbs
from protocol.ids import MatchId, NodeId
from protocol.scene import fields as scene
from protocol.scene.advice import Forecast, Gesture
from protocol.scene.fields import Barred, Option, PickPoint, Pieces
from protocol.scene.nodes import Choice, Reply
from protocol.text import Text, text

SEAT = Seat(0)


class Yard(msgspec.Struct, frozen=True):
    """Boats by their free places; `fog` keeps all at home."""

    boats: dict[str, int]
    fog: bool = False


class Board(Intent, frozen=True, tag="board"):
    crew: str
    boat: str


class Sail(Intent, frozen=True, tag="sail"):
    boat: str
    to: tuple[int, int]
    via: tuple[tuple[int, int], ...] = ()
    fast: bool = False


class Wait(Intent, frozen=True, tag="wait"):
    pass


class Sink(Intent, frozen=True, tag="sink"):
    pass


DONE: list[object] = []


async def board(game: Game[Yard], seat: Seat, intent: Board) -> None:
    DONE.append((seat, intent))


async def go(game: Game[Yard], seat: Seat, intent: Sail) -> None:
    DONE.append((seat, intent))


async def wait(game: Game[Yard], seat: Seat, intent: Wait) -> None:
    DONE.append((seat, intent))


async def sink(game: Game[Yard], seat: Seat, intent: Sink) -> None:
    DONE.append((seat, intent))


def boats(draft: Draft[Yard]) -> list[str]:
    return list(draft.state.boats)


def has_room(draft: Draft[Yard], boat: str) -> None:
    if not draft.state.boats[boat]:
        raise IllegalIntent("board/full", text("full", boat=boat))


def pick(key: str, **more: Any) -> Blank[Yard]:
    shape = Pieces(key, Text(""), lazy=True)
    return Among(shape=shape, node=lambda id: NodeId(f"boat/{id}"), name=lambda _, id: Text(id), **more)


CREW = pick("crew", candidates=lambda draft: () if draft.state.fog else ("ann", "bob"), preset=True)
BOAT = pick(
    "boat", candidates=boats, check=has_room, odds=lambda draft, id: blanks.hint("room", {"n": draft.state.boats[id]})
)
TO: Blank[Yard] = blanks.point(
    "to", lambda draft, field: msgspec.structs.replace(field, default=(len(draft.node("boat")), 0))
)
VIA: Blank[Yard] = blanks.point("via", lambda draft, field: field, auto=True)
SPEED: Blank[Yard] = blanks.option(
    "speed",
    lambda draft, field: (
        msgspec.structs.replace(field, options=(Option("slow"), Option("fast"))) if draft.state.boats else None
    ),
    lazy=False,
    auto=True,
)


def sail(draft: Draft[Yard]) -> Sail:
    return Sail(draft.node("boat"), draft.point("to"), draft.points("via"), draft.word("speed", "") == "fast")


VERBS = Verbs(
    (
        Verb(Label("board", "b", "Board", "Get in."), board, CREW, BOAT),
        Verb(Label("sail", "", "Sail"), go, BOAT, SPEED, TO, VIA, make=sail),
        Verb(Label("drift", "", "Drift"), go, BOAT, TO, VIA),
        Verb(Label("wait", "", "Wait"), wait, when=lambda state, seat: state.fog),
    ),
    "yard.",
    {Sink: sink},
)
TWO = Yard({"gig": 0, "yawl": 3})


def offered(state: Yard) -> dict[str, Choice]:
    return {choice.id: choice for choice in VERBS.choices(state, SEAT)}


def detail(choice: str, **values: object) -> scene.AnyField:
    return VERBS.detail(TWO, SEAT, choice, values)


def parsed(choice: str, **values: object) -> Intent:
    return VERBS.parse(TWO, SEAT, Reply(choice, values))


def test_a_verb_is_open_while_it_is_offered_and_its_first_field_has_options() -> None:
    crewed, sailed, waited = (
        Verb(Label("board"), board, CREW, BOAT),
        Verb(Label("hoist"), go, SPEED, BOAT, TO, make=sail),
        Verb(Label("wait"), wait, when=lambda state, seat: state.fog),
    )
    for state, expected in ((TWO, (True, True, False)), (Yard({}, fog=True), (False, False, True))):
        assert (crewed.is_open(state, SEAT), sailed.is_open(state, SEAT), waited.is_open(state, SEAT)) == expected


def test_a_verb_is_offered_with_its_first_field_filled_and_the_rest_lazy() -> None:
    choice = offered(TWO)["board"]
    assert (choice.name, choice.hint, choice.key) == (Text("yard.choice.board"), Text("yard.choice.board.hint"), "b")
    crew, boat = choice.fields
    assert crew == Pieces(
        "crew",
        Text("yard.field.crew"),
        options=(Option("boat/ann", Text("ann")), Option("boat/bob", Text("bob"))),
        default=("boat/ann",),
    )
    assert boat == Pieces("boat", Text("yard.field.boat"), lazy=True)


def test_what_the_check_refuses_is_barred_with_its_reason() -> None:
    field = detail("board", crew=["boat/ann"])
    assert isinstance(field, Pieces)
    assert field.options == (Option("boat/yawl", Text("yawl"), text("room", n=3), {"n": 3}),)
    assert field.barred == (Barred("boat/gig", "board/full", text("full", boat="gig")),)
    assert not field.lazy


def test_a_verb_without_anything_to_pick_or_out_of_its_time_is_left_out() -> None:
    assert list(offered(TWO)) == ["board", "sail", "drift"]
    assert list(offered(Yard({"yawl": 1}, fog=True))) == ["sail", "drift", "wait"]
    assert list(offered(Yard({"gig": 0}))) == ["board"]


def test_choices_are_kept_as_the_system_says() -> None:
    kept: dict[int, tuple[Choice, ...]] = {}
    verbs = Verbs(
        (Verb(Label("board", "", "Board"), board, CREW, BOAT),),
        keep=lambda state, seat, make: kept.setdefault(seat, make()),
    )
    assert verbs.choices(TWO, SEAT) is verbs.choices(TWO, SEAT)


def test_a_prompt_holds_the_choices() -> None:
    prompt = VERBS.prompt(TWO, SEAT, Text("title"), "board")
    assert (prompt.title, prompt.default, prompt.choices) == (Text("title"), "board", VERBS.choices(TWO, SEAT))


def test_a_field_that_is_not_lazy_stands_in_the_prompt() -> None:
    assert [field.key for field in offered(TWO)["sail"].fields if not field.lazy] == ["boat", "speed"]


def test_a_detail_knows_the_fields_before_it() -> None:
    field = detail("sail", boat=["boat/yawl"])
    assert isinstance(field, PickPoint)
    assert field.default == (4, 0)
    via = detail("sail", boat=["boat/yawl"], to=[1, 2])
    assert via == PickPoint("via", Text("yard.field.via"), auto=True)


@pytest.mark.parametrize(("choice", "values"), [("fly", {}), ("wait", {}), ("board", {"crew": "ann"})])
def test_a_detail_of_what_is_not_offered_is_refused(choice: str, values: dict[str, object]) -> None:
    with pytest.raises(IllegalIntent, match="reply/"):
        detail(choice, **values)


def test_the_fields_of_an_intent_are_those_of_the_verb() -> None:
    assert parsed("board", crew=["boat/bob"], boat=["boat/yawl"]) == Board("bob", "yawl")
    assert parsed("drift", boat=["boat/yawl"], to=[1, 2]) == Sail("yawl", (1, 2))
    assert parsed("drift", boat=["boat/yawl"], to=[1, 2], via=[3, 4]) == Sail("yawl", (1, 2), ((3, 4),))


def test_a_verb_may_make_its_intent_itself() -> None:
    assert parsed("sail", boat=["boat/yawl"], to=[1, 2], speed="fast") == Sail("yawl", (1, 2), fast=True)


@pytest.mark.parametrize(
    ("choice", "values", "code"),
    [
        ("fly", {}, "unknown-choice"),
        ("board", {"crew": ["boat/bob"]}, "missing-field"),
        ("board", {"crew": ["boat/bob"], "boat": 7}, "bad-field"),
        ("board", {"crew": ["boat/bob"], "boat": ["boat/yawl"], "to": [1, 2]}, "unknown-field"),
        ("drift", {"boat": ["boat/yawl"], "to": "there"}, "bad-field"),
    ],
)
def test_a_reply_of_another_form_is_refused(choice: str, values: dict[str, object], code: str) -> None:
    with pytest.raises(IllegalIntent) as refused:
        parsed(choice, **values)
    assert refused.value.refusal.code == f"reply/{code}"


def test_each_intent_has_its_procedure() -> None:
    assert set(VERBS.intents) == {Board, Sail, Wait, Sink}
    game = Game(TWO, Record(), MatchDice(bytes(32), MatchId("m")))
    for intent in (Wait(), Sink()):
        with pytest.raises(StopIteration):
            VERBS.procedure(game, SEAT, intent).send(None)
        assert DONE[-1] == (SEAT, intent)
    with pytest.raises(IllegalIntent, match="reply/unknown-choice"):
        VERBS.procedure(game, SEAT, Intent()).close()


def test_words_join_the_catalogue_by_their_keys() -> None:
    assert VERBS.english == {
        "yard.choice.board": "Board",
        "yard.choice.board.hint": "Get in.",
        "yard.choice.sail": "Sail",
        "yard.choice.drift": "Drift",
        "yard.choice.wait": "Wait",
    }
    assert offered(TWO)["sail"].hint is None


async def other(game: Game[Yard], seat: Seat, intent: Wait) -> None:
    pass


def test_what_does_not_fit_together_is_refused_as_it_is_made() -> None:
    with pytest.raises(TypeError, match="lacks"):
        Verb(Label("board", "", "Board"), board, CREW, TO)
    one = Verb(Label("wait", "", "Wait"), wait)
    for second in (one, Verb(Label("rest", "", "Rest"), other)):
        with pytest.raises(TypeError, match="two verbs"):
            Verbs((one, second))


class Signal(Intent, frozen=True, tag="signal"):
    boat: str
    flag: str


def flag_of(draft: Draft[Yard]) -> str:
    return draft.choice.removeprefix("signal/")


async def signal(game: Game[Yard], seat: Seat, intent: Signal) -> None:
    pass


SIGNAL: Verb[Yard, Signal] = Verb(
    Label("signal/"),
    signal,
    BOAT,
    Blank(Pieces("aboard", Text(""), lazy=True), when=lambda draft: flag_of(draft) == "red"),
    make=lambda draft: Signal(draft.node("boat"), flag_of(draft)),
    each=lambda state, seat: [
        Choice(f"signal/{flag}", Text(f"flag.{flag}"), hint=text("flag")) for flag in ("red", "yellow")
    ],
)
FLAGS = Verbs((SIGNAL,))


def test_a_family_is_a_verb_for_each_of_several_things() -> None:
    red, yellow = FLAGS.choices(TWO, SEAT)
    assert (red.id, red.name, red.hint) == ("signal/red", Text("flag.red"), text("flag"))
    assert [[field.key for field in choice.fields] for choice in (red, yellow)] == [["boat", "aboard"], ["boat"]]
    assert FLAGS.parse(TWO, SEAT, Reply("signal/yellow", {"boat": ["boat/yawl"]})) == Signal("yawl", "yellow")
    assert ("signal/red" in FLAGS, "signal" in FLAGS, dict(FLAGS.english)) == (True, False, {})
    aboard = FLAGS.detail(TWO, SEAT, "signal/red", {"boat": ["boat/yawl"]})
    assert (aboard.key, aboard.lazy) == ("aboard", False)


def test_a_verb_is_not_offered_where_a_later_field_of_the_prompt_has_nothing_to_choose_from() -> None:
    roll: Blank[Yard] = Blank(scene.PickOption("roll", Text(""), options=(Option("no"), Option("yes"))))
    crew = pick("crew", candidates=lambda draft: () if draft.state.fog else ("ann",))
    at_once = msgspec.structs.replace(crew.shape, lazy=False)
    try_it: Verb[Yard, Wait] = Verb(Label("try"), wait, roll, replace(crew, shape=at_once), make=lambda draft: Wait())
    assert [choice.id for choice in Verbs((try_it,)).choices(TWO, SEAT)] == ["try"]
    assert Verbs((try_it,)).choices(Yard({}, fog=True), SEAT) == ()


def test_another_verb_may_differ_in_its_words_alone() -> None:
    one = Verb(Label("sail", "s", "Sail", "Off."), go, BOAT, SPEED, TO, VIA, make=sail)
    race = one.named(Label("race", "r", "Race"))
    assert (race.id, race.words) == ("race", Label("race", "r", "Race"))
    assert (race.intent, race.run, race.fields, race.make) == (Sail, go, one.fields, sail)


class Load(Intent, frozen=True, tag="load"):
    cargo: dict[str, str]


async def load(game: Game[Yard], seat: Seat, intent: Load) -> None:
    DONE.append((seat, intent))


GOODS = (Option("oil"), Option("rope"))
STOW: Blank[Yard] = blanks.assign(
    "cargo",
    lambda draft, field: msgspec.structs.replace(
        field,
        items=GOODS,
        slots=tuple(Option(f"group/{boat}") for boat in draft.state.boats),
        default={"oil": "group/gig", "rope": "group/yawl"},
    ),
)
GESTURE = Gesture("crew", "boat", "feature", mark="ride")
CLICKED: Verbs[Yard] = Verbs(
    (
        Verb(
            Label("board", "b", "Board"),
            board,
            CREW,
            BOAT,
            gesture=GESTURE,
            forecast=lambda draft: Forecast(mean=draft.state.boats[draft.node("boat")]),
        ),
        Verb(
            Label("wait", "w", "Wait"),
            wait,
            gesture=Gesture(ends=True),
            about=lambda state, seat: (NodeId("boat/gig"),),
        ),
        Verb(Label("load", "l", "Load"), load, STOW, make=lambda draft: Load(dict(draft.slots("cargo")))),
    )
)


def clicked(id: str) -> Choice:
    return next(choice for choice in CLICKED.choices(TWO, SEAT) if choice.id == id)


def test_a_choice_carries_the_gesture_of_its_verb_and_what_it_is_about() -> None:
    assert clicked("board").gesture == GESTURE
    assert (clicked("wait").gesture, clicked("wait").about) == (Gesture(ends=True), ("boat/gig",))
    assert clicked("load").gesture is None


def test_a_gesture_names_fields_of_its_verb() -> None:
    with pytest.raises(TypeError, match="boat"):
        Verb(Label("x", "x", "X"), wait, gesture=Gesture("boat"))
    other = CLICKED._verbs["board"].named(Label("hop", "h", "Hop"), rank=2)
    assert other.gesture == msgspec.structs.replace(GESTURE, rank=2)


def test_a_forecast_is_made_of_the_fields_so_far() -> None:
    game = Game(TWO, Record(), MatchDice(bytes(32), MatchId("m")))
    assert CLICKED.forecast(game, SEAT, clicked("board"), {"boat": ["boat/yawl"]}) == Forecast(mean=3)
    assert CLICKED.forecast(game, SEAT, clicked("wait"), {}) is None
    with pytest.raises(IllegalIntent, match="reply/missing-field"):
        CLICKED.forecast(game, SEAT, clicked("board"), {})


def test_items_that_an_assignment_leaves_out_take_their_defaults() -> None:
    assert CLICKED.parse(TWO, SEAT, Reply("load", {"cargo": {"rope": "group/gig"}})) == Load(
        {"oil": "gig", "rope": "gig"}
    )
