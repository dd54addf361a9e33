"""Play recorded matches again and compare what comes out: `python -m tools.same_entries SYSTEM FOLDER [EVERY]`.

Each file of the folder holds a match as a msgpack list: its id, the secret of its dice, and its steps as stored. A step
must come out with the same cause, entries, audiences and stop as before, but for the core's own entries of declared
actions, which are left out on both sides: rules may come to declare more of what they do. EVERY: one file in so many.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.events import ActionDeclared, ActionResolved
from engine.core.rules.system import System
from protocol.ids import MatchId
from server.cli.simulation.simulate import installed
from server.match.checking import DoesNotHold, proposed

LEFT_OUT: Final = frozenset(str(kind.__struct_config__.tag) for kind in (ActionDeclared, ActionResolved))
RECORDED: Final = msgspec.msgpack.Decoder(list[Any])


def compared(data: bytes) -> list[Any]:
    """Return what is compared of a stored step."""
    version, cause, entries, asked, hidden = msgspec.msgpack.decode(data)
    kept = [(entry, hidden.get(place)) for place, entry in enumerate(entries) if entry["e"] not in LEFT_OUT]
    return [version, cause, kept, asked]


def play_again(system: System[Any], id: MatchId, secret: bytes, steps: Iterable[bytes]) -> int:
    """Play the match again and return the number of its steps. Raises DoesNotHold, and what a step that cannot be
    proposed raises."""
    match: Match[Any] = Match(system, id, MatchDice(secret, id))
    for data in steps:
        step = proposed(match, data)
        if step.data != data and compared(step.data) != compared(data):
            raise DoesNotHold(f"step {step.version} comes out differently")
        match.settle(step)
    return match.version


def main(arguments: list[str]) -> int:
    """Compare all files of a folder; say how many matches and steps came out the same."""
    name, folder, every = arguments[0], Path(arguments[1]), int(arguments[2]) if len(arguments) > 2 else 1
    system = installed(name, None).system
    matches = steps = 0
    for file in sorted(folder.iterdir(), key=lambda file: (len(file.name), file.name))[::every]:
        id, secret, log, *_ = RECORDED.decode(file.read_bytes())
        try:
            steps += play_again(system, id, secret, log)
        except DoesNotHold as problem:
            print(f"{file}: {problem}")
            return 1
        matches += 1
    print(f"{name}: {matches} matches with {steps} steps come out the same")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
