"""Sentences of the checker (`client/fairness/verify.py`) about a replay that holds; nothing is checked here."""

from __future__ import annotations

from collections import Counter, namedtuple
from collections.abc import Iterable
from typing import Any

MOST_LISTED = 8
MOST_VOIDS = 5
WITHOUT_PARTS = (
    "At this table no program added to the dice: the host could have chosen them all before the match began."
)
UNSIGNED = "The names stand beside the record, as whoever sent the file knew them: the host has not signed them."

# a round: the seats called, the links of all seats, the seats that sit it out, those whose chain ended after it began,
# and for each step that was put off in it (at a strict table) the seats that gave no part
Begun = namedtuple("Begun", "called links out ended deferred", defaults=((),))


def names_of(said: Iterable[str], count: int) -> list[str]:
    """Return a name for each of `count` seats; what a terminal might obey is written out."""
    plain = [name if name.isprintable() else ascii(name) for name in said][:count]
    plain += [""] * (count - len(plain))
    return [f"{name} (seat {seat})" if name else f"seat {seat}" for seat, name in enumerate(plain, start=1)]


def unsigned(names: int) -> list[str]:
    """Say what nobody vouches for, where a file has names beside what is signed."""
    return [UNSIGNED] * names


def shown(dice: int, cards: int, unnumbered: int) -> list[str]:
    """Say how many dice and cards of the pictures were compared with the log, and how many could not be."""
    found = [f"The pictures show the dice and cards of the log: {dice} rolls and {cards} cards were compared."]
    if unnumbered:
        found.append(f"{unnumbered} rolls shown were not compared: they do not say which roll they were.")
    return found


def noted(steps: list[tuple[int, dict[str, Any]]]) -> list[str]:
    """Say what these steps (voids, and facts of the table) have to do with how the match was hosted."""
    voids = [step for step, cause in steps if cause["c"] == "void"]
    return _given_up(voids) + [_changed(step, cause) for step, cause in steps if cause.get("kind") == "rules_changed"]


def _changed(step: int, cause: dict[str, Any]) -> str:
    """Say that the players voted to go on under other rules."""
    version = str(cause.get("detail", "")).partition(" ")[2]
    plain = version if version.isprintable() else ascii(version)
    return f"From step {step} on the match was played on under changed rules (version {plain})."


def _given_up(steps: list[int]) -> list[str]:
    """Say where the host gave up what was being resolved."""
    found = [f"At step {step} the host gave up what was being resolved, after an error." for step in steps[:MOST_VOIDS]]
    return found + [f"It did so {len(steps) - MOST_VOIDS} more times."] * (len(steps) > MOST_VOIDS)


def choices(rounds: list[Begun], voids: list[int]) -> list[int]:
    """Return k for each round from the first: whoever knew all other parts could have chosen its dice among 2 to the
    power k sets. For a round without parts those since the last round with any are added up; -1 where none had any yet.

    `rounds` and `voids` (acts given up in each) begin with round 0.
    """
    found, in_a_row = [-1], 0
    for number, begun in enumerate(rounds[1:], start=1):
        in_a_row = in_a_row + voids[number - 1] if voids[number - 1] else 0
        missing = len(_missing(begun)) + sum(map(len, begun.deferred))
        own = missing + len(set(rounds[number - 1].ended)) + in_a_row + voids[number]
        found.append(own if _given(begun) else found[-1] + own if found[-1] >= 0 else -1)
    return found[1:]


def _given(begun: Begun) -> list[int]:
    return [seat for seat in begun.called if begun.links[seat]]


def _missing(begun: Begun) -> list[int]:
    return [seat for seat in begun.called if not begun.links[seat]]


def entropy(rounds: list[Begun], voids: list[int], names: list[str]) -> list[str]:
    """Say whose programs added to the dice of how many rounds, who was missing, and which rounds could be chosen."""
    found = choices(rounds, voids)
    chosen = [f"round {number} ({_power(k)})" for number, k in enumerate(found, start=1) if k > 0]
    lines = [
        (f"Programs that added to the dice of the {len(found)} rounds", _times(names, map(_given, rounds))),
        ("Called, but missing", _times(names, map(_missing, rounds))),
        ("Sitting out for that", _times(names, [begun.out for begun in rounds])),
        ("Rounds that the host alone could choose, as no program had added to the dice yet", _count(found, -1)),
        ("Rounds that nobody could choose, if one of these programs was honest", _count(found, 0)),
        ("Rounds that the host and those missing could have chosen, among so many sets of dice", chosen),
    ]
    return [f"{line}: {_listed(items)}." for line, items in lines if items]


def strict(put_off: int, not_strict: list[int]) -> list[str]:
    """Say of how many steps the host could not know the dice before they were fixed. `not_strict`: the others."""
    said = f"Strict table: {put_off} steps were fixed before their dice could be known."
    steps = _listed([str(step) for step in not_strict])
    alone = f"Of these {len(not_strict)} were not strict, as no other program added to their dice: steps {steps}."
    return [said] + [alone] * bool(not_strict)


def _times(names: list[str], seats: Iterable[list[int]]) -> list[str]:
    counts = Counter(seat for round in seats for seat in round)
    return [f"{name} in {counts[seat]}" for seat, name in enumerate(names) if counts[seat]]


def _count(found: list[int], wanted: int) -> list[str]:
    return [str(found.count(wanted))] if wanted in found else []


def _power(k: int) -> str:
    return str(2**k) if k <= 16 else f"2^{k}"


def _listed(items: list[str]) -> str:
    more = f" and {len(items) - MOST_LISTED} more" if len(items) > MOST_LISTED else ""
    return ", ".join(items[:MOST_LISTED]) + more
