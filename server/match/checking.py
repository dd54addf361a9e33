"""The command `eschaton-server check`: a replay is played again under the rules, and must come out the same to the
byte."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from engine.core.match.causes import Answered, Deferred, Expiry
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import ContentRefused, IllegalIntent, LogDamaged, RuleBug, RuleDiverged
from engine.core.rules.events import MatchStarted, QuestionClosed
from engine.core.rules.system import System
from protocol.canonical import packed
from protocol.english import ENGLISH
from protocol.errors import BadReplay, DamageError
from protocol.fairness.replay import Replay, frame_map, read
from protocol.fairness.replay_sandbox import command, raise_refusal
from protocol.limits import READING, Limits
from protocol.text_format import format_text
from server.content.systems import find_systems
from server.match.playback import fold, shown
from server.match.rule_marks import Named, named_in
from server.runtime.errors import CommandError
from server.runtime.rule_code import code_of


class DoesNotHold(DamageError):
    """The first thing in a replay that the rules do not repeat."""


def run(file: Path) -> int:
    """Check a file and say what was found. Raises CommandError."""
    replay = read_file(file)
    try:
        systems = find_systems([replay.header.system])
    except ContentRefused as problem:
        raise CommandError("; ".join(problem.problems), 1) from problem
    system = systems.get(replay.header.system)
    if system is None:
        raise CommandError(f"The rules of this replay, {replay.header.system!r}, are not installed here.", 1)
    try:
        changes = check(replay, system)
    except DoesNotHold as problem:
        raise CommandError(f"{file.name} does not hold: {problem}{_of_other_code(replay, system)}", 1) from problem
    frames = sum(len(stream) for stream in replay.streams.values())
    print(f"{file.name} holds: {len(replay.log)} steps and {frames} frames come out the same under the rules.")
    if changes:
        last = changes[-1]
        print(
            f"But it was played on under changed rules (version {last.code.version}) from step {last.version} on: what "
            f"happened in the {last.version} steps up to there was read, and not played again."
        )
    return 0


def _of_other_code(replay: Replay, system: System[Any]) -> str:
    """Say that a replay was played by other rule code than is installed here, where it was."""
    try:
        code = [named.code for named in named_in(replay.log)][-1]
    except (LogDamaged, IndexError):
        return ""
    if code.digest in (b"", code_of(system).digest):
        return ""
    return f". It was played by other code of these rules (version {code.version}) than is installed here"


def read_file(file: Path) -> Replay:
    """Read a replay from disk. Raises CommandError."""
    limits = Limits()
    try:
        with file.open("rb") as opened:
            data = opened.read(limits.replay_bytes + 1)
        _vet(data)
        return read(data, limits)
    except OSError as problem:
        raise CommandError(f"{file} cannot be read: {problem.strerror or problem}", 1) from problem
    except BadReplay as problem:
        raise CommandError(f"{file.name}: {format_text(problem.text, ENGLISH)} ({problem.code})", 1) from problem


def _vet(data: bytes) -> None:
    """Let a child with little memory and time read it first (protocol/fairness/replay_sandbox.py). Raises BadReplay,
    OSError."""
    try:
        done = subprocess.run(command(), input=data, capture_output=True, timeout=READING.patience, check=False)
    except subprocess.TimeoutExpired:
        raise_refusal(None, b"")
    else:
        raise_refusal(done.returncode, done.stdout)


def check(replay: Replay, system: System[Any]) -> list[Named]:
    """Carry every step out again and compare steps and streams with what is stored; of a match that was played on under
    changed rules the steps since, and those before are only folded. Returns where that was. Raises DoesNotHold."""
    if len(replay.secret) != 32:
        raise DoesNotHold("its dice were never opened, so they cannot be rolled again")
    if not replay.log:
        raise DoesNotHold("it has no steps")
    id = replay.header.match
    match: Match[Any] = Match(system, id, MatchDice(replay.secret, id))
    if match.dice.commitment != replay.commitment:
        raise DoesNotHold("the opened secret is not the one that the match committed to")
    try:
        named = list(named_in(replay.log))
        changes = [one for one in named if one.changed]
        streams = shown(match, replay.log, lambda match, data: carry_out(match, data, changes))
        if len(named) == 1 and match.record.rules != system.RULES:
            raise DoesNotHold("it was played under another version of the rules")
    except (LogDamaged, RuleDiverged, RuleBug, IllegalIntent) as problem:
        raise DoesNotHold(f"after step {match.version} the rules go another way: {problem}") from problem
    except DoesNotHold:
        raise
    # Content and causes of a hostile file may make rules raise anything; it means the same.
    except Exception as problem:
        kind = type(problem).__name__
        raise DoesNotHold(f"after step {match.version} it is not in the form that it should have ({kind})") from problem
    if replay.streams.keys() - streams.keys():
        raise DoesNotHold("it has a stream of an audience that the match did not have")
    for audience, frames in streams.items():
        stored = replay.streams.get(audience)
        if stored is None or len(stored) != len(frames):
            raise DoesNotHold(f"what {audience} was shown has another length")
        for number, (made, kept) in enumerate(zip(frames, stored, strict=True)):
            if packed(frame_map(made)) != packed(frame_map(kept)):
                raise DoesNotHold(f"frame {number} of {audience} differs")
    if match.head != replay.head:
        raise DoesNotHold("the last head is not that of these steps")
    if match.result != replay.header.result:
        raise DoesNotHold("the result differs")
    return changes


def carry_out(match: Match[Any], data: bytes, changes: Sequence[Named]) -> Step[Any]:
    """Take in the next step of a match that was played on under changed rules at these steps: fold those up to the last
    of them, and repeat the others. Raises DoesNotHold and what propose and replay do."""
    return fold(match, data) if changes and match.version < changes[-1].version else repeat(match, data)


def repeat(match: Match[Any], data: bytes) -> Step[Any]:
    """Propose the cause of a stored step anew; its bytes must be the same. Raises DoesNotHold and what propose does."""
    step = proposed(match, data)
    if step.data != data:
        raise DoesNotHold(f"step {step.version} comes out differently")
    match.settle(step)
    return step


def proposed(match: Match[Any], data: bytes) -> Step[Any]:
    """Propose the cause of a stored step anew. Raises DoesNotHold and what propose does."""
    stored = match.codec.decode(data)
    first = stored.entries[0] if stored.entries else None
    cause = stored.cause.cause if isinstance(stored.cause, Deferred) else stored.cause
    if isinstance(cause, Answered | Expiry) and match.deferred is None:
        _hold_answers(match, cause, stored.entries)
    if isinstance(stored.cause, Deferred) and not match.rolls(cause):
        raise DoesNotHold(f"step {stored.version} puts a cause off that rolls nothing")
    if isinstance(first, MatchStarted):
        match.begin_as(first.log, first.dice, first.rules)
    return match.propose(stored.cause)


def _hold_answers(match: Match[Any], cause: Answered | Expiry, entries: Iterable[object]) -> None:
    """Hold the sealed answers that a stored step closes its question with."""
    for closed in (entry for entry in entries if isinstance(entry, QuestionClosed)):
        for given in closed.answers:
            if not given.by_default and not (isinstance(cause, Answered) and cause.seat == given.seat):
                match.hold(Answered(given.seat, bytes(16), closed.question, given.reply))
