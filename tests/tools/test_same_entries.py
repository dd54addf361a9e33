"""Recorded matches played again: entries of declared actions may be new, nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from engine.core.match.causes import Answered
from protocol.scene.nodes import Reply
from server.match.checking import DoesNotHold
from tests.support.systems.haggle import HAGGLE, MATCH, Act, Ledger
from tools.same_entries import LEFT_OUT, play_again

SECRET = bytes(range(32))


def recorded(change: Callable[[list[Any]], object]) -> list[bytes]:
    """A match whose trade and scheme were recorded before either was declared, with each step changed as said."""
    ledger = Ledger()
    ledger.act(0, Act("scheme"))
    ledger.do(Answered(0, bytes(16), 0, Reply("yes")))
    ledger.act(0, Act("trade"))
    ledger.do(Answered(1, bytes(16), 1, Reply("no")))
    steps = []
    for data in ledger.steps:
        step = msgspec.msgpack.decode(data)
        hidden = {entry["e"]: step[4][place] for place, entry in enumerate(step[2]) if place in step[4]}
        step[2] = [entry for entry in step[2] if entry["e"] not in LEFT_OUT]
        step[4] = {place: hidden[entry["e"]] for place, entry in enumerate(step[2]) if entry["e"] in hidden}
        change(step)
        steps.append(msgspec.msgpack.encode(step))
    return steps


def test_declared_actions_may_be_new() -> None:
    steps = recorded(lambda step: None)
    assert play_again(HAGGLE, MATCH, SECRET, steps) == len(steps)


def poorer(step: list[Any]) -> None:
    for entry in step[2]:
        if entry["e"] == "hg.won":
            entry["coins"] = 7


def open_to_all(step: list[Any]) -> None:
    step[4] = {}


@pytest.mark.parametrize("change", [poorer, open_to_all, lambda step: step[2].reverse()])
def test_nothing_else_may_come_out_differently(change: Callable[[list[Any]], object]) -> None:
    with pytest.raises(DoesNotHold, match="comes out differently"):
        play_again(HAGGLE, MATCH, SECRET, recorded(change))
