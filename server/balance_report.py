"""What simulated matches say about balance: counts with 95 % intervals, and whether the aims are met."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Final, NamedTuple, TypeVar

from protocol.text import Text
from protocol.texts import format_text
from server.content import Installed

K = TypeVar("K", int, str)
Z: Final = 1.96
FEWEST: Final = 0.20
MOST: Final = 0.60
"""Aim: a faction fulfils its own condition in so large a part of its matches."""
RATIO: Final = 1.3
"""Aim: no order of seats has more than so many times another's chances."""
MINUTES: Final = 90
SECONDS_A_DECISION: Final = 20
"""Aim: the median match asks at most so many minutes of people, at so many seconds a decision."""


@dataclass(frozen=True)
class Played:
    """A simulated match. `order`: seats in the order in which their first cards came."""

    scenario: str
    own: bool
    number: int
    factions: tuple[str, ...]
    winners: tuple[int, ...]
    order: tuple[int, ...]
    why: str
    rows: int
    decisions: int
    finished: bool
    verified: bool


class Share(NamedTuple):
    """So many of so many."""

    won: int
    of: int

    @property
    def part(self) -> float:
        """The share itself; 0 of none."""
        return self.won / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval."""
        if not self.of:
            return 0.0, 1.0
        n, p = self.of, self.part
        middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.part:.0%} ({low:.0%} to {high:.0%})"


def report(installed: Installed, bots: str, seed: int, played: Sequence[Played]) -> str:
    """The page in Markdown."""
    own = [one for one in played if one.own]
    say = _words(installed)
    lines = [
        "# Balance",
        "",
        f"Made by `eschaton-server simulate --report`: {len(played)} matches of {bots} bots, seed {seed}; "
        f"{sum(one.finished for one in played)} ended by the rules, {sum(one.verified for one in played)} came out the "
        "same when they were carried out again from their logs. Shares stand with their 95 % intervals; an aim counts "
        "as not met only where the interval excludes it.",
        "",
        *_aims(own, say),
        "## Scenarios",
        "",
        "| scenario | players | matches | rows (median) | by the clock | minutes of people (median) |",
        "| --- | --- | --- | --- | --- | --- |",
        *_scenarios(played, say),
        "",
        "## Factions, each scenario for its own number of players",
        "",
        "| faction | fulfils its own condition | aim |",
        "| --- | --- | --- |",
        *_factions(own, say),
        "",
        "## Seats: where a faction starts",
        "",
        "| scenario | " + " | ".join(f"seat {n}" for n in range(1, 7)) + " | best to worst |",
        "| --- |" + " --- |" * 7,
        *_seats(own, say),
        "",
        "## Cards: whose first card came first",
        "",
        "| players | " + " | ".join(f"{n}." for n in range(1, 7)) + " | best to worst |",
        "| --- |" + " --- |" * 7,
        *_orders(own),
        "",
    ]
    return "\n".join(lines)


def factions(played: Iterable[Played]) -> dict[str, Share]:
    """How often each faction fulfilled its own condition."""
    return _shares((faction, seat in one.winners) for one in played for seat, faction in enumerate(one.factions))


def seats(played: Iterable[Played]) -> dict[int, Share]:
    """The same by seat."""
    return _shares((seat, seat in one.winners) for one in played for seat in range(len(one.factions)))


def places(played: Iterable[Played]) -> dict[int, Share]:
    """The same by the place, from 0, in which a seat's first card came."""
    return _shares((place, seat in one.winners) for one in played for place, seat in enumerate(one.order))


def ratio(shares: Iterable[Share]) -> tuple[float, float, float]:
    """Best to worst chances, with its 95 % interval (of a ratio of two shares, half a win added to each)."""
    ordered = sorted(shares, key=lambda share: share.part)
    worst, best = ordered[0], ordered[-1]
    p, q = (best.won + 0.5) / (best.of + 1), (worst.won + 0.5) / (worst.of + 1)
    spread = Z * sqrt((1 - p) / (p * (best.of + 1)) + (1 - q) / (q * (worst.of + 1)))
    middle = log(p / q)
    return exp(middle), exp(middle - spread), exp(middle + spread)


def median(values: Sequence[int]) -> tuple[int, int, int]:
    """The median, with the 95 % interval that the order of the values gives."""
    ordered = sorted(values)
    n = len(ordered)
    half = Z * sqrt(n) / 2
    low, high = max(0, int(n / 2 - half)), min(n - 1, int(n / 2 + half))
    return ordered[n // 2], ordered[low], ordered[high]


def _shares(results: Iterable[tuple[K, bool]]) -> dict[K, Share]:
    won: Counter[K] = Counter()
    of: Counter[K] = Counter()
    for key, is_win in results:
        of[key] += 1
        won[key] += is_win
    return {key: Share(won[key], of[key]) for key in sorted(of)}


def _aims(own: Sequence[Played], say: Callable[[str], str]) -> Iterator[str]:
    outside = [say(id) for id, share in factions(own).items() if not _is_fair(share)]
    uneven = [say(id) for id, group in _by_scenario(own).items() if ratio(seats(group).values())[1] > RATIO]
    by_players = _by_players(own)
    uneven += [f"cards at {n} players" for n in by_players if ratio(places(by_players[n]).values())[1] > RATIO]
    long = [say(id) for id, group in _by_scenario(own).items() if _minutes(group)[1] > MINUTES]
    for aim, failed in (
        (f"every faction fulfils its own condition in {FEWEST:.0%} to {MOST:.0%} of matches", outside),
        (f"no order of seats or cards has more than {RATIO} times another's chances", uneven),
        (f"the median match asks {MINUTES} minutes or less, at {SECONDS_A_DECISION} seconds a decision", long),
        ("every match ends by the rules and verifies", [f"{o.scenario} {o.number}" for o in own if not o.verified]),
    ):
        yield f"- {'Not met' if failed else 'Met'}: {aim}{': ' + ', '.join(failed) if failed else ''}."
    yield ""


def _scenarios(played: Sequence[Played], say: Callable[[str], str]) -> Iterator[str]:
    for id, group in _by_scenario(played).items():
        for count, same in _by_players(group).items():
            rows = median([one.rows for one in same])
            minutes = _minutes(same)
            clock = Share(sum(one.why.endswith("clock") for one in same), len(same))
            yield f"| {say(id)} | {count} | {len(same)} | {_ranged(rows)} | {clock} | {_ranged(minutes)} |"


def _factions(own: Sequence[Played], say: Callable[[str], str]) -> Iterator[str]:
    for id, share in sorted(factions(own).items(), key=lambda item: -item[1].part):
        yield f"| {say(id)} | {share} | {'met' if _is_fair(share) else 'not met'} |"


def _seats(own: Sequence[Played], say: Callable[[str], str]) -> Iterator[str]:
    for id, group in _by_scenario(own).items():
        yield f"| {say(id)} | {_row(seats(group))} |"


def _orders(own: Sequence[Played]) -> Iterator[str]:
    for count, group in _by_players(own).items():
        yield f"| {count} | {_row(places(group))} |"


def _row(shares: dict[int, Share]) -> str:
    best, low, high = ratio(shares.values())
    cells = [str(shares[n]) if n in shares else "" for n in range(6)]
    return " | ".join([*cells, f"{best:.1f} ({low:.1f} to {high:.1f})"])


def _ranged(value: tuple[int, int, int]) -> str:
    return f"{value[0]} ({value[1]} to {value[2]})"


def _is_fair(share: Share) -> bool:
    low, high = share.interval
    return low <= MOST and high >= FEWEST


def _minutes(group: Sequence[Played]) -> tuple[int, int, int]:
    middle, low, high = median([one.decisions * SECONDS_A_DECISION for one in group])
    return middle // 60, low // 60, high // 60


def _by_scenario(played: Iterable[Played]) -> dict[str, list[Played]]:
    found: defaultdict[str, list[Played]] = defaultdict(list)
    for one in played:
        found[one.scenario].append(one)
    return found


def _by_players(played: Iterable[Played]) -> dict[int, list[Played]]:
    found: defaultdict[int, list[Played]] = defaultdict(list)
    for one in played:
        found[len(one.factions)].append(one)
    return dict(sorted(found.items(), reverse=True))


def _words(installed: Installed) -> Callable[[str], str]:
    """The English names of scenarios and factions, by id."""
    catalogue = installed.catalogue("en").entries
    named: dict[str, Text] = {info.id: info.name for info in installed.scenarios.values()}
    named |= {faction.id: faction.name for info in installed.scenarios.values() for faction in info.factions}
    return lambda id: format_text(named[id], catalogue)
