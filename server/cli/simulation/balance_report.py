"""The page about balance: results of simulated matches, compared with the aims."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from protocol.text import Text
from protocol.text_format import format_text
from server.cli.simulation.balance_figures import (
    K,
    PlayedMatch,
    Share,
    busy,
    factions,
    median,
    pairs,
    places,
    ratio,
    seats,
    watching,
)
from server.content.systems import Installed

FEWEST: Final = 0.20
MOST: Final = 0.60
"""Aim: a faction fulfils its own condition in a part of its matches between these."""
RATIO: Final = 1.3
"""Aim: no order of seats has more than this many times another's chances."""
MINUTES: Final = 90
SECONDS_A_DECISION: Final = 20
"""Aim: the median match asks at most so many minutes of people, at so many seconds a decision; or as many as its
scenario says, where those are more."""
CROWD: Final = 6
WATCHED_MINUTES: Final = 15
WATCHED: Final = 0.15
"""Aim: in less than this part of the matches of CROWD players a player is out for WATCHED_MINUTES."""
WATCHED_DECISIONS: Final = WATCHED_MINUTES * 60 // SECONDS_A_DECISION
BUSY: Final = 0.6
"""Aim: in these matches no faction makes fewer decisions than this part of the median faction's."""
TRIED: Final = "## What was tried"
"""The heading of the last part, which is written by hand: a new page keeps it."""
UNTRIED: Final = "Nothing yet."

Say = Callable[[str], str]


class PageSource(NamedTuple):
    """Origin of a page's matches. `by`: program, commit and date; `command`: the one that makes the page once more."""

    by: str
    bots: str
    best: str
    seed: int
    command: str = "make balance"


class BalanceAim(NamedTuple):
    """An aim, and all that does not meet it, each with its figures."""

    words: str
    failed: list[str]


def report(installed: Installed, made: PageSource, played: Sequence[PlayedMatch], before: str = "") -> str:
    """Return the page in Markdown; the part about what was tried is copied from the page `before`."""
    say = english(installed)
    plain = [one for one in played if not one.best]
    own = [one for one in plain if one.own]
    best = [one for one in played if one.best]
    lines = [
        *head(made, played, len(best)),
        *aims(_judged(own, played, say, installed)),
        "## Factions",
        "",
        "How often each fulfils its own condition: the points that its role wants. Several can in one match.",
        "",
        *columns(
            "faction", f"{made.bots}, every scenario for its own number of players", "aim", f"best bots ({made.best})"
        ),
        *_factions(own, best, say),
        "",
        "The same by scenario, as won of played. **Bold**: its interval excludes the aim.",
        "",
        *_factions_by_scenario(own, say),
        "",
        *_pairs(own, say),
        "## Deployment: who sets up first",
        "",
        "Seats set up in this order, and each has a role of its own; factions go round the seats.",
        "",
        *columns("scenario", *(f"seat {n}" for n in range(1, 7)), "best to worst"),
        *(f"| {say(id)} | {_row(seats(group))} |" for id, group in _by_scenario(own).items()),
        "",
        *_cards(own),
        *_crowds(own, say),
        "## Scenarios",
        "",
        "Rows of cards, or rounds; matches that went on to the last of them (in the others one faction was left); and "
        "what a match asks.",
        "",
        *_scenarios(plain, say),
    ]
    if best:
        lines += [f"## Best bots: {made.best}", "", *_scenarios(best, say)]
    return "\n".join([*lines, TRIED, "", tried(before) or UNTRIED, ""])


def tried(page: str) -> str:
    """Return the text of a page under the heading TRIED, which is its last part."""
    return page.partition(f"\n{TRIED}\n")[2].strip()


def head(made: PageSource, played: Sequence[PlayedMatch], best: int) -> Iterator[str]:
    """Yield the part about what was played, so many of it between the best bots."""
    finished, verified = sum(one.finished for one in played), sum(one.verified for one in played)
    hours = sum(one.cpu for one in played) / 3600
    yield from ("# Balance", "")
    yield (
        f"Made by `{made.command}` of {made.by}: {len(played)} matches, {len(played) - best} of them between "
        f"{made.bots} bots and {best} between the best, {made.best}; seed {made.seed}. {finished} ended by the rules, "
        f"{verified} came out the same when they were carried out again from their logs. They took one processor "
        f"{hours:.1f} hours."
    )
    yield ""
    yield (
        "Shares stand with Wilson's 95 % interval, ratios with that of the logarithm of a ratio, medians with that of "
        "their ranks. An aim counts as not met only where the interval excludes it. Factions go round the seats and "
        "meet others each time, so that neither seat nor faction hides behind the other."
    )
    yield ""


def aims(judged: Iterable[BalanceAim]) -> Iterator[str]:
    """Yield the part about aims, met or not."""
    yield from ("## Aims", "")
    for aim in judged:
        failed = f": {'; '.join(aim.failed)}" if aim.failed else ""
        yield f"- {'Not met' if aim.failed else 'Met'}: {aim.words}{failed}."
    yield ""


def _judged(
    own: Sequence[PlayedMatch], played: Sequence[PlayedMatch], say: Say, installed: Installed
) -> Iterator[BalanceAim]:
    yield BalanceAim(
        f"every faction fulfils its own condition in {FEWEST:.0%} to {MOST:.0%} of matches",
        [f"{say(id)} {share}" for id, share in factions(own).items() if not _is_fair(share)],
    )
    orders = {f"deployment in {say(id)}": ratio(seats(group).values()) for id, group in _by_scenario(own).items()}
    orders |= {
        f"cards of {n} players": ratio(places(group).values()) for n, group in _by_players(_of_cards(own)).items()
    }
    yield BalanceAim(
        f"no order of seats, by deployment or by cards, has more than {RATIO} times another's chances",
        [f"{words} {_times(times)}" for words, times in orders.items() if times[1] > RATIO],
    )
    most = {id: max(MINUTES, installed.scenarios[id].minutes) for id in _by_scenario(own)}
    long = {id: _minutes(group) for id, group in _by_scenario(own).items()}
    yield BalanceAim(
        f"the median match asks {MINUTES} minutes or less of people{_longer(most, say)}, at {SECONDS_A_DECISION} "
        "seconds a decision",
        [f"{say(id)} {_ranged(minutes)}" for id, minutes in long.items() if minutes[1] > most[id]],
    )
    yield from _crowd_aims(own, say)
    yield BalanceAim(
        "every match ends by the rules, without an exception, and verifies",
        [f"{one.scenario} {one.number}" for one in played if not (one.finished and one.verified)],
    )


def _crowd_aims(own: Sequence[PlayedMatch], say: Say) -> Iterator[BalanceAim]:
    crowds = _of_crowds(own)
    if not crowds:
        return
    watched = watching(crowds, WATCHED_DECISIONS)
    yield BalanceAim(
        f"in less than {WATCHED:.0%} of matches of {CROWD} somebody is out for {WATCHED_MINUTES} minutes or more",
        [str(watched)] if watched.interval[0] >= WATCHED else [],
    )
    yield BalanceAim(
        f"in these no faction makes less than {BUSY:.0%} of the median faction's decisions",
        [f"{say(id)} {share:.0%}" for id, (_, share) in _busy_shares(crowds).items() if share < BUSY],
    )


def _longer(most: Mapping[str, int], say: Say) -> str:
    """Name the scenarios that are meant to take longer."""
    named = ", ".join(f"{minutes} in {say(id)}" for id, minutes in most.items() if minutes > MINUTES)
    return f" ({named})" if named else ""


def _factions(own: Sequence[PlayedMatch], best: Sequence[PlayedMatch], say: Say) -> Iterator[str]:
    strong = factions(best)
    for id, share in sorted(factions(own).items(), key=lambda item: -item[1].part):
        aim = "met" if _is_fair(share) else "**not met**"
        yield f"| {say(id)} | {share} of {share.of} | {aim} | {strong.get(id, '')} |"


def _factions_by_scenario(own: Sequence[PlayedMatch], say: Say) -> Iterator[str]:
    groups = {id: factions(group) for id, group in _by_scenario(own).items()}
    yield from columns("faction", *map(say, groups))
    for id in factions(own):
        yield f"| {say(id)} | " + " | ".join(_cell(group.get(id, Share(0, 0))) for group in groups.values()) + " |"


def _cell(share: Share) -> str:
    words = f"{share.won} of {share.of}" if share.of else ""
    return words if _is_fair(share) else f"**{words}**"


def _pairs(own: Sequence[PlayedMatch], say: Say) -> Iterator[str]:
    """Yield the table of factions against each other; nothing for games that are not for two."""
    met = pairs(own)
    if not met:
        return
    names = list(dict.fromkeys(one for one, _ in met))
    yield from ("Against each other, as won of played by those on the left.", "")
    yield from columns("faction", *map(say, names))
    for one in names:
        shares = [met.get((one, other), Share(0, 0)) for other in names]
        cells = [f"{share.won} of {share.of}" if share.of else "" for share in shares]
        yield f"| {say(one)} | " + " | ".join(cells) + " |"
    yield ""


def _of_cards(played: Iterable[PlayedMatch]) -> list[PlayedMatch]:
    return [one for one in played if one.cards]


def _cards(own: Sequence[PlayedMatch]) -> Iterator[str]:
    """Yield the part about cards; nothing of a game that has none."""
    dealt = _of_cards(own)
    if not dealt:
        return
    yield from ("## Cards: whose first card came first", "")
    yield from columns("players", *(f"{n}." for n in range(1, 7)), "best to worst")
    yield from (f"| {count} | {_row(places(group))} |" for count, group in _by_players(dealt).items())
    yield ""


def _crowds(own: Sequence[PlayedMatch], say: Say) -> Iterator[str]:
    """Yield the part about matches of CROWD players; nothing of a game without these."""
    crowds = _of_crowds(own)
    if not crowds:
        return
    yield from (f"## At a table of {CROWD}: who is out, who decides", "")
    yield (
        f"Matches in which somebody has nothing left, and nothing yet to come, for {WATCHED_MINUTES} minutes or more "
        f"before the end, at {SECONDS_A_DECISION} seconds a decision."
    )
    yield from ("", *columns("scenario", "matches", "somebody is out so long"))
    for id, group in _by_scenario(crowds).items():
        yield f"| {say(id)} | {len(group)} | {watching(group, WATCHED_DECISIONS)} |"
    yield f"| all | {len(crowds)} | {watching(crowds, WATCHED_DECISIONS)} |"
    yield from ("", *columns("faction", "decisions a match (mean)", "of the median faction's"))
    for id, (made, share) in sorted(_busy_shares(crowds).items(), key=lambda item: -item[1][0]):
        yield f"| {say(id)} | {made:.1f} | {share:.0%} |"
    yield ""


def _of_crowds(own: Sequence[PlayedMatch]) -> list[PlayedMatch]:
    return [one for one in own if len(one.factions) == CROWD]


def _busy_shares(crowds: Sequence[PlayedMatch]) -> dict[str, tuple[float, float]]:
    """Return the decisions of each faction, and as a part of the median faction's."""
    made = busy(crowds)
    middle = statistics.median(made.values())
    return {id: (count, count / middle) for id, count in made.items()}


def _scenarios(played: Sequence[PlayedMatch], say: Say) -> Iterator[str]:
    medians = ("rows (median)", "to the last", "minutes (median)")
    yield from columns("scenario", "players", "matches", "winners a match", *medians)
    for id, group in _by_scenario(played).items():
        for count, same in _by_players(group).items():
            yield f"| {say(id)} | {count} | {_summed_up(same)} |"
    yield ""


def _summed_up(group: Sequence[PlayedMatch]) -> str:
    winners = sum(len(one.winners) for one in group) / len(group)
    rows = _ranged(median([one.rows for one in group]))
    clock = Share(sum(one.why.endswith(("clock", "rounds")) for one in group), len(group))
    return f"{len(group)} | {winners:.1f} | {rows} | {clock} | {_ranged(_minutes(group))}"


def _row(shares: dict[int, Share]) -> str:
    cells = [str(shares[n]) if n in shares else "" for n in range(6)]
    return " | ".join([*cells, _times(ratio(shares.values()))])


def _times(value: tuple[float, float, float]) -> str:
    return f"{value[0]:.2f} ({value[1]:.2f} to {value[2]:.2f})"


def _ranged(value: tuple[int, int, int]) -> str:
    return f"{value[0]} ({value[1]} to {value[2]})"


def _is_fair(share: Share) -> bool:
    low, high = share.interval
    return low <= MOST and high >= FEWEST


def _minutes(group: Sequence[PlayedMatch]) -> tuple[int, int, int]:
    middle, low, high = median([one.decisions * SECONDS_A_DECISION for one in group])
    return middle // 60, low // 60, high // 60


def columns(*names: str) -> tuple[str, str]:
    """Return the first two lines of a table."""
    return f"| {' | '.join(names)} |", "|" + " --- |" * len(names)


def _by_scenario(played: Iterable[PlayedMatch]) -> dict[str, list[PlayedMatch]]:
    return _grouped(played, lambda one: one.scenario)


def _by_players(played: Iterable[PlayedMatch]) -> dict[int, list[PlayedMatch]]:
    return dict(reversed(_grouped(played, lambda one: len(one.factions)).items()))


def _grouped(played: Iterable[PlayedMatch], key: Callable[[PlayedMatch], K]) -> dict[K, list[PlayedMatch]]:
    return {id: list(group) for id, group in groupby(sorted(played, key=key), key)}


def english(installed: Installed) -> Say:
    """Return a function that gives the English names of scenarios and factions, by id."""
    catalogue = installed.catalogue("en").entries
    named: dict[str, Text] = {info.id: info.name for info in installed.scenarios.values()}
    named |= {faction.id: faction.name for info in installed.scenarios.values() for faction in info.factions}
    return lambda id: format_text(named[id], catalogue)
