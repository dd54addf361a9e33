"""Steps as they are stored, those of older layouts too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec
import pytest

from engine.core.match.causes import Expiry
from engine.core.match.log import LogCodec, StoredStep, stored_step
from engine.core.rules.audience import NOBODY, Audience
from engine.core.rules.errors import LogDamaged
from engine.core.rules.events import DiceRolled, Event, Upcaster
from engine.core.rules.questions import SEALED, StoredQuestion
from engine.core.rules.system import Intent
from tests.support.systems.haggle import HAGGLE, Buy, Haggle, HandGrew, Market, Pass, Won

CODEC = LogCodec(HAGGLE)
ASKED = StoredQuestion(3, "vote", SEALED, (0, 2), b"d" * 16)


def priced(fields: dict[str, Any], earlier: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Read the second layout, which counted pairs: twice as many, and one more for each roll before it."""
    rolls = sum(entry["e"] == "core.dice" for entry in earlier)
    return {"seat": fields["seat"], "price": 2 * fields["pairs"] + rolls}


class Paid(Event[Market], frozen=True, tag="hg.paid3"):
    seat: int
    price: int
    formerly: ClassVar[Mapping[str, Upcaster]] = {"hg.paid2": priced}

    def apply(self, state: Market) -> Market:
        return state


class Paying(Haggle):
    events = (*Haggle.events, Paid)  # type: ignore[assignment]  # one more


def test_a_step_says_who_may_know_what_not_everyone_may_know() -> None:
    class Unseen(Event[Market], frozen=True, tag="hg.unseen"):
        def audience(self) -> Audience:
            return NOBODY

    step: StoredStep[Market] = stored_step(4, Expiry(seat=0), [Won(0, 1), HandGrew(2, "fig"), Unseen()], None)
    assert step.hidden == {1: (2,), 2: ()}


@pytest.mark.parametrize("asked", [None, "round", ASKED])
def test_a_step_is_stored_and_read_again(asked: StoredQuestion | str | None) -> None:
    rolled = DiceRolled(1, 0, "dice", 0, 6, (3, 4))
    step: StoredStep[Market] = stored_step(4, Expiry(seat=0), [rolled, HandGrew(2, "fig")], asked)
    data = CODEC.encode(step)
    assert CODEC.decode(data) == step
    version, cause, entries, _, hidden = msgspec.msgpack.decode(data, strict=False)
    assert (version, cause["c"], hidden) == (4, "expiry", {1: [2]})
    assert [entry["e"] for entry in entries] == ["core.dice", "hg.hand"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        msgspec.msgpack.encode([1]),
        msgspec.msgpack.encode([1, {"c": "expiry"}, [{"e": "hg.stolen"}], None, {}]),
        msgspec.msgpack.encode([1, {"c": "expiry"}, [{"e": "hg.won", "seat": "0", "amount": 1}], None, {}]),
    ],
    ids=["nothing", "no msgpack", "too short", "unknown event", "wrong field"],
)
def test_bytes_that_are_no_step_are_damage(data: bytes) -> None:
    with pytest.raises(LogDamaged, match="cannot be read"):
        CODEC.decode(data)


@pytest.mark.parametrize("intent", [Buy("bread"), Pass()])
def test_an_intent_is_stored_and_read_again(intent: Intent) -> None:
    assert CODEC.decode_intent(CODEC.encode_intent(intent)) == intent


@pytest.mark.parametrize("data", [b"", b"\xc1", msgspec.msgpack.encode({"i": "steal"})])
def test_bytes_that_are_no_intent_are_damage(data: bytes) -> None:
    with pytest.raises(LogDamaged, match="a stored intent"):
        CODEC.decode_intent(data)


def test_entries_are_the_same_where_they_would_be_stored_alike() -> None:
    assert CODEC.same([Won(0, 1)], [Won(0, 1)])
    assert not CODEC.same([Won(0, 1)], [Won(0, 2)])
    assert not CODEC.same([Won(0, 1)], [])


def older(*entries: object) -> bytes:
    return msgspec.msgpack.encode([4, {"c": "expiry"}, entries, None, {}])


ROLL = {"e": "core.dice", "round": 1, "n": 0, "purpose": "dice", "seat": 0, "sides": 6, "faces": [3]}


@pytest.mark.parametrize(
    ("entry", "price"),
    [
        ({"e": "hg.paid3", "seat": 1, "price": 5}, 5),
        ({"e": "hg.paid2", "seat": 1, "pairs": 5}, 11),
    ],
)
def test_an_entry_of_an_older_layout_reads_as_one_of_today(entry: dict[str, object], price: int) -> None:
    assert LogCodec(Paying()).decode(older(ROLL, entry)).entries[1] == Paid(1, price)


@pytest.mark.parametrize(
    "data",
    [older({"e": "hg.paid2", "seat": 1}), older({"e": "hg.paid2", "seat": 1, "pairs": None}), older(3), b"\x90"],
    ids=["a field is missing", "another form", "no entry", "no step"],
)
def test_an_older_layout_that_cannot_be_read_is_damage(data: bytes) -> None:
    with pytest.raises(LogDamaged, match="cannot be read"):
        LogCodec(Paying()).decode(data)


def test_an_event_that_does_not_say_how_it_applies_is_refused() -> None:
    class Silent(Event[Market], frozen=True, tag="hg.silent"):
        pass

    class Broken(Haggle):
        events = (*Haggle.events, Silent)  # type: ignore[assignment]  # one that must not be there

    with pytest.raises(TypeError, match="Silent"):
        LogCodec(Broken())
