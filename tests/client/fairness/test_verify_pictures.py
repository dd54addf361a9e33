"""The checker on what a replay shows: each die and each card in its pictures is one of the log."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import msgpack
import pytest
from msgspec.structs import replace

from client.fairness import verify
from engine.core.rules.audience import Seat, only
from engine.core.rules.game import Game
from engine.core.rules.system import Intent, Procedure
from protocol.fairness.replay import Frame, Replay, read
from protocol.ids import BEGINNING, NodeId, Seq
from protocol.limits import Limits
from protocol.scene.delta import Nodes, apply, node_map, nodes_hash
from protocol.scene.nodes import AnyNode, Card, Cue, Dice, Row, StackItem
from protocol.text import Text
from protocol.wire.from_server import Delta, Snapshot
from tests.support.clients.dice.contributing import Contributed
from tests.support.examples import golden
from tests.support.fairness.sealing import sealed
from tests.support.fairness.signing import HOST
from tests.support.systems.haggle import Act, Bought, Haggle, Market, MarketRules


def shown(replay: Replay, audience: str = "public") -> tuple[Frame, ...]:
    return replay.streams[audience]


def with_frames(replay: Replay, audience: str, frames: list[Frame]) -> bytes:
    """Return the file with other frames in a stream, whose hashes are made right, signed by the host's own key."""
    nodes: Nodes = {}
    made: list[Frame] = []
    for frame in frames:
        nodes = dict(frame.nodes) if isinstance(frame, Snapshot) else apply(nodes, frame.patch)
        made.append(replace(frame, hash=nodes_hash(nodes)))
    return sealed(replay._replace(streams={**replay.streams, audience: tuple(made)}), HOST)


def with_dice(replay: Replay, change: Callable[[Dice], Dice]) -> bytes:
    """Return the file with the first dice of the public cues changed."""
    frames = list(shown(replay))
    for number, frame in enumerate(frames):
        for place, cue in enumerate(frame.cues if isinstance(frame, Delta) else ()):
            if cue.dice is not None and isinstance(frame, Delta):
                changed = replace(cue, dice=change(cue.dice))
                frames[number] = replace(frame, told=(*frame.cues[:place], changed, *frame.cues[place + 1 :]))
                return with_frames(replay, "public", frames)
    raise LookupError("no dice")


def with_card(replay: Replay, old: str, new: str) -> bytes:
    """Return the file with another card wherever one lay open."""

    def other(node: dict[str, Any] | None) -> dict[str, Any] | None:
        if node is None or "cards" not in node:
            return node
        return {**node, "cards": [{**card, "id": new} if card["id"] == old else card for card in node["cards"]]}

    frames: list[Frame] = []
    for frame in shown(replay):
        if isinstance(frame, Snapshot):
            frames.append(replace(frame, nodes={id: other(node) for id, node in frame.nodes.items()}))
        else:
            frames.append(replace(frame, patch={id: other(node) for id, node in frame.patch.items()}))
    return with_frames(replay, "public", frames)


@cache
def old(name: str) -> Replay:
    return read((golden.FOLDER / f"{name}.replay").read_bytes(), Limits())


@cache
def of_today(name: str) -> Replay:
    """Play a short match under the rules and with the dice of today."""
    return read(golden.play(*golden.systems()[name]), Limits())


def refusal(data: bytes) -> str:
    with pytest.raises(verify.VerificationFailed) as caught:
        verify.check(data, HOST.public)
    return str(caught.value)


def other_face(dice: Dice) -> Dice:
    return replace(dice, faces=(dice.faces[0] % dice.sides + 1, *dice.faces[1:]))


@pytest.mark.parametrize("replay", [old("duel-rules1-log2"), of_today("duel")], ids=["dice 1", "dice 2"])
@pytest.mark.parametrize(
    "change",
    [
        other_face,
        lambda dice: replace(dice, seat=dice.seat + 1),
        lambda dice: replace(dice, sides=dice.sides + 1),
        lambda dice: replace(dice, faces=dice.faces[1:]),
        lambda dice: replace(dice, n=dice.n + 1),
        lambda dice: replace(dice, round=dice.round + 1),
        lambda dice: replace(dice, hidden=True),
    ],
)
def test_dice_changed_in_a_picture_are_found(replay: Replay, change: Callable[[Dice], Dice]) -> None:
    assert "shows dice that are no roll of the log" in refusal(with_dice(replay, change))


def test_dice_that_do_not_say_which_roll_they_are_are_counted_in_old_matches_and_refused_in_new_ones() -> None:
    def bare(dice: Dice) -> Dice:
        return replace(dice, round=-1, n=-1)

    report = verify.check(with_dice(old("duel-rules1-log2"), bare))
    assert "1 rolls shown were not compared: they do not say which roll they were." in report
    assert "shows dice that are no roll of the log" in refusal(with_dice(of_today("duel"), bare))


def test_a_card_changed_in_a_row_is_found() -> None:
    replay = old("action_cards-rules2-log2")
    log = verify.Log(replay.header.match, replay.secret)
    for number, step in enumerate(replay.log, start=1):
        log.check_step(number, step)
    drawn = {name for name, seats in log.known.items() if -1 in seats}
    undrawn = next(name for name in sorted(log.named) if name not in log.known)
    lies = next(card for card in sorted(drawn) if with_card(replay, card, undrawn) != sealed(replay, HOST))
    assert "76 cards were compared" in verify.check(with_card(replay, lies, lies))[2]
    assert f"shows the card {undrawn!r}, which was not drawn" in refusal(with_card(replay, lies, undrawn))


class Laying(MarketRules):
    """Haggling with an act that draws a card in secret and then names it to all."""

    def procedure(self, game: Game[Market], seat: Seat, intent: Intent) -> Procedure:
        return self._lay(game, seat) if intent == Act("lay") else super().procedure(game, seat, intent)

    async def _lay(self, game: Game[Market], seat: Seat) -> None:
        game.emit(Bought(seat, game.deck("fruit").draw(1, only(seat))[0]))


class WithLaying(Haggle):
    rules = Laying()


class Played(NamedTuple):
    """Match with an open and a hidden roll of seat 0, a card drawn by it in secret, and one that it has laid open."""

    replay: Replay
    open: Dice
    hidden: Dice
    secret: str
    laid: str


@cache
def played() -> Played:
    table = Contributed(system=WithLaying())
    for act in ("gamble", "hidden_roll", "draw", "lay"):
        table.act(0, Act(act))
    entries = [entry for step in table.log for entry in msgpack.unpackb(step, strict_map_key=False)[2]]
    rolls, cards = ([e for e in entries if e["e"] == kind] for kind in ("core.dice", "core.card"))
    dice = [Dice(Text("x"), 0, 6, tuple(r["faces"]), round=1, n=r["n"], hidden="to" in r) for r in rolls]
    return Played(table.replay(), dice[0], dice[1], cards[0]["card"], cards[1]["card"])


def picture(audience: str, node: AnyNode | None = None, dice: Dice | None = None) -> bytes:
    """Return the file of that match, in which an audience is shown this and nothing else."""
    part = "public" if audience == "public" else "private"
    nodes = {NodeId("x"): node_map(node)} if node is not None else {}
    frames: list[Frame] = [Snapshot(part, "s", BEGINNING, nodes, 0)]
    if dice is not None:
        frames.append(Delta(part=part, n=Seq(1), patch={}, hash=0, told=(Cue("dice", Text("x"), dice=dice),)))
    streams = {"public": (Snapshot("public", "s", BEGINNING, {}, 0),)}
    return with_frames(played().replay._replace(streams=streams), audience, frames)


def row(card: str) -> Row:
    return Row((Card(card, Text("x")),))


@pytest.mark.parametrize("audience", ["public", "seat/0", "seat/1"])
def test_open_dice_may_be_shown_to_all_and_hidden_ones_to_those_who_may_know_them(audience: str) -> None:
    assert verify.check(picture(audience, dice=played().open))
    if audience == "seat/0":
        assert verify.check(picture(audience, dice=played().hidden))
    else:
        assert "no roll of the log" in refusal(picture(audience, dice=played().hidden))


def test_dice_of_something_that_is_being_resolved_are_compared_too() -> None:
    def stack(dice: Dice) -> StackItem:
        return StackItem(Text("x"), dice=(dice,))

    assert verify.check(picture("public", stack(played().open)))
    assert verify.check(picture("seat/0", stack(played().hidden)))
    assert "no roll of the log" in refusal(picture("public", stack(other_face(played().open))))
    assert "no roll of the log" in refusal(picture("public", stack(played().hidden)))
    assert "no roll of the log" in refusal(picture("public", stack(replace(played().open, round=-1, n=-1))))


def test_cards_are_shown_to_those_who_drew_them_and_to_all_whom_the_log_names_them() -> None:
    secret, laid = played().secret, played().laid
    assert verify.check(picture("seat/0", row(secret)))
    assert verify.check(picture("public", row(laid)))
    assert verify.check(picture("public", row("a card of no deck")))
    for audience in ("public", "seat/1"):
        assert "which was not drawn, or not for this seat" in refusal(picture(audience, row(secret)))
    undrawn = next(name for name in (f"fruit{n}" for n in range(8)) if name not in (secret, laid))
    assert "which was not drawn, or not for this seat" in refusal(picture("seat/0", row(undrawn)))


def test_a_stream_of_nobody_is_refused() -> None:
    assert "is not in the form" in refusal(picture("somebody"))
