"""Clicks an act, counted by a scripted player over seeded matches.

`python -m tests.support.clients.windows.clicks_an_act` prints them.
An act is an intent or answer that the rules accept; clicks, drags and keys are counted from its prompt to its sending,
set-up and army building apart. `--hand form` fills the form in, `--hand gestures` clicks on the
table alone, `--hand keys` presses keys alone.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

os.environ["ARCADE_HEADLESS"] = "1"

from protocol.scene.nodes import Prompt, Reply
from tests.support.clients.windows.deeds import SET_UP, Deed, decide
from tests.support.clients.windows.hands import FormHand, GestureHand, PlayingHand, Stuck
from tests.support.clients.windows.key_hand import KeyHand
from tests.support.clients.windows.local_table import LocalTable
from tests.support.clients.windows.readable_app import ReadableApp
from tests.support.systems.installed import shipped_systems

MATCHES = {"action_cards": "low_water", "one_page": "open_field_3000", "apocalypse_earth": "first_contact"}
HANDS: dict[str, type[PlayingHand]] = {"form": FormHand, "gestures": GestureHand, "keys": KeyHand}
MOST_IN_A_ROW = 60
"""Deeds that came to nothing, one after another, after which the player gives up."""


@dataclass
class Counted:
    """Inputs of each act by its choice; `stuck`: deeds that the hand could not do."""

    acts: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    stuck: list[str] = field(default_factory=list)
    is_over: bool = False

    @property
    def counts(self) -> list[int]:
        """The inputs of every act, set-up apart."""
        return [count for choice, counts in self.acts.items() if choice not in SET_UP for count in counts]


def play(local: LocalTable, hand: PlayingHand, seed: int, most: int = 10_000) -> Counted:
    """Play on, until the end of the match or so many acts. Raises AssertionError where nothing can be done."""
    dice, counted, failed = random.Random(seed), Counted(), 0
    while sum(map(len, counted.acts.values())) < most and not local.is_over:
        before = len(local.acts)
        hand.until(lambda: not hand.view.controller.busy and hand.view.controller.driver is not None)
        prompt = local.prompt
        assert prompt is not None
        deed = decide(local.situation, Reply(prompt.default), dice)
        hand.inputs = 0 if not failed else hand.inputs
        try:
            hand.do(deed)
        except Stuck as stuck:
            counted.stuck.append(f"{deed.choice.id}: {stuck}")
        local.turn()
        hand.confirm()
        hand.until(lambda before=before: len(local.acts) > before or not hand.is_busy())  # type: ignore[misc]  # a default has no type
        if len(local.acts) > before:
            if not _only_ends(prompt):
                counted.acts[_kind(deed)].append(hand.inputs)
            failed = 0
        else:
            failed += 1
            assert failed < MOST_IN_A_ROW, counted.stuck[-MOST_IN_A_ROW:]
            hand.give_up()
    counted.is_over = local.is_over
    return counted


def _only_ends(prompt: Prompt) -> bool:
    """Tell whether an activation waits to be ended, with nothing left to do: its end is no act that is counted."""
    gestures = [choice.gesture for choice in prompt.choices]
    return prompt.window == "turn" and len(gestures) == 1 and gestures[0] is not None and gestures[0].ends


def _kind(deed: Deed) -> str:
    return deed.choice.id.split("/")[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hand", choices=tuple(HANDS), default="gestures")
    parser.add_argument("--matches", type=int, default=2)
    parser.add_argument("--acts", type=int, default=10_000)
    parser.add_argument("--show", type=int, default=0, help="so many deeds that the hand could not do")
    options = parser.parse_args()
    app = ReadableApp((1280, 800))
    systems = shipped_systems()
    for system, scenario in MATCHES.items():
        acts: dict[str, list[int]] = defaultdict(list)
        every: list[int] = []
        stuck = 0
        for seed in range(options.matches):
            with tempfile.TemporaryDirectory() as folder:
                app.front = None
                app.before_tick.clear()
                local = LocalTable(app, Path(folder), systems[system], scenario, seed)
                hand = HANDS[options.hand](local)
                counted = play(local, hand, seed, options.acts)
            for choice, counts in counted.acts.items():
                acts[choice] += counts
            every += counted.counts
            stuck += len(counted.stuck)
            print(
                f"{system} {scenario} seed {seed}: {len(local.acts)} acts, over: {counted.is_over}", *counted.stuck[:5]
            )
        share = sum(count <= 2 for count in every) / max(len(every), 1)
        print(f"{system}: median {statistics.median(every)}, mean {statistics.mean(every):.2f}, {share:.0%} at most 2")
        for choice, counts in sorted(acts.items(), key=lambda pair: -len(pair[1])):
            print(f"  {choice}: {len(counts)} acts, median {statistics.median(counts)}, most {max(counts)}")
    app.close()


if __name__ == "__main__":
    main()
