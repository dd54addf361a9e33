"""The page about the balance of a game of sides: the faction, side and zone that win, who acts first, great blows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from engine.core.rules.system import ScenarioInfo
from server.cli.simulation.balance_figures import PlayedMatch, Share
from server.cli.simulation.balance_report import (
    TRIED,
    UNTRIED,
    BalanceAim,
    PageSource,
    Say,
    aims,
    columns,
    english,
    head,
    tried,
)
from server.content.systems import Installed

LEAST, MOST = 0.40, 0.60
"""Aim: a faction over all others, a side, and the side that acts first win a part of the decided matches between
these."""
CROWDED: Final = 1.6
"""Aim: where each is for themselves, no zone wins more than this many times its share."""
THIRD: Final = 1 / 3
BLOWS: Final = 0.10
"""Aim: in at most this part of the matches one act takes more than a THIRD of another side's points."""
LONGEST: Final = 8
"""The greatest blows that the page names."""
ALONE: Final = 3
"""Seats from which on those without sides are each for themselves."""


def report(installed: Installed, made: PageSource, played: Sequence[PlayedMatch], before: str = "") -> str:
    """Return the page in Markdown; the part about what was tried is copied from the page `before`."""
    say = english(installed)
    forms = _grouped(played)
    sided = {form: group for form, group in forms.items() if not is_alone(installed.scenarios[form])}
    alone = {form: group for form, group in forms.items() if is_alone(installed.scenarios[form])}
    lists = [one for form, group in sided.items() if installed.scenarios[form].points for one in group]
    sides = {form: by_side(installed, group) for form, group in sided.items()}
    zones = {form: by_zone(group) for form, group in alone.items()}
    lines = [*head(made, played, sum(one.best for one in played)), *aims(_aims(installed, played, lists, sides, zones))]
    if lists:
        lines += ["## Factions", "", "Where forces are brought, over all others, as won of decided.", ""]
        lines += [*columns("faction", "won"), *_factions(installed, lists, say), ""]
    if sides:
        lines += ["## Sides", "", "As won of decided; the rest was a draw.", ""]
        lines += columns("scenario", "matches", "draws", "side 1", "side 2", "the side that acts first")
        lines += [_side_row(installed, form, sided[form], shares) for form, shares in sides.items()] + [""]
    if zones:
        lines += [
            "## Each for themselves",
            "",
            "Wins by the middle of the zone, and how many times its share that is.",
            "",
        ]
        lines += columns("scenario", "matches", "zone", "won", "times its share")
        lines += [row for form, shares in zones.items() for row in _zone_rows(installed, form, alone[form], shares)] + [
            ""
        ]
    lines += ["## The greatest blows", "", *_blows(installed, played), TRIED, "", tried(before) or UNTRIED, ""]
    return "\n".join(lines)


def is_alone(info: ScenarioInfo) -> bool:
    """Tell if each seat of a scenario is for itself."""
    return not info.sides and info.seats >= ALONE


def _side(installed: Installed, one: PlayedMatch, seat: int) -> int:
    sides = installed.scenarios[one.form].sides
    return sides[seat] if sides else seat


def _won(installed: Installed, one: PlayedMatch) -> set[int]:
    """Return the sides that won a match; none of a draw, nor where all did."""
    won = {_side(installed, one, seat) for seat in one.winners}
    return won if len(won) == 1 else set()


def by_side(installed: Installed, played: Iterable[PlayedMatch]) -> dict[str, Share]:
    """Return how often each of two sides won, and the one that acted first ("first"), of the decided matches."""
    decided = [(one, won.pop()) for one in played if (won := _won(installed, one))]
    wins = Counter(f"side {side + 1}" for _, side in decided)
    first = sum(one.first >= 0 and _side(installed, one, one.first) == side for one, side in decided)
    return {name: Share(wins[name], len(decided)) for name in ("side 1", "side 2")} | {
        "first": Share(first, len(decided))
    }


def by_faction(installed: Installed, played: Iterable[PlayedMatch]) -> dict[str, Share]:
    """Return how often the side of each faction won against another faction's, of the decided matches."""
    won, of = Counter[str](), Counter[str]()
    for one in played:
        winner = _won(installed, one)
        fielded = {_side(installed, one, seat): faction for seat, faction in enumerate(one.factions)}
        for side, faction in fielded.items() if winner and len({*fielded.values()}) > 1 else ():
            of[faction] += 1
            won[faction] += side in winner
    return {faction: Share(won[faction], of[faction]) for faction in sorted(of)}


def by_zone(played: Iterable[PlayedMatch]) -> dict[str, Share]:
    """Return how often the seat in each zone won."""
    won, of = Counter[str](), Counter[str]()
    for one in played:
        for seat, zone in enumerate(one.zones):
            of[zone] += 1
            won[zone] += seat in one.winners
    return {zone: Share(won[zone], of[zone]) for zone in sorted(of)}


def blows(played: Iterable[PlayedMatch]) -> Share:
    """Return in how many matches one act took more than a THIRD of another side's points."""
    found = [one.blow > THIRD for one in played]
    return Share(sum(found), len(found))


def _aims(
    installed: Installed,
    played: Sequence[PlayedMatch],
    lists: Sequence[PlayedMatch],
    sides: Mapping[str, Mapping[str, Share]],
    zones: Mapping[str, Mapping[str, Share]],
) -> Iterator[BalanceAim]:
    say = english(installed)
    shares = by_faction(installed, lists)
    part = f"{LEAST:.0%} to {MOST:.0%} of decided matches"
    yield BalanceAim(f"every faction wins {part} over all others", _unfair({say(id): s for id, s in shares.items()}))
    named = {f"{form}, {who}": share for form, found in sides.items() for who, share in found.items()}
    yield BalanceAim(f"every side of a scenario, and the side that acts first, wins {part}", _unfair(named))
    crowded = [
        f"{form}, {zone} {share}"
        for form, found in zones.items()
        for zone, share in found.items()
        if share.interval[0] > CROWDED * _share(installed, form)
    ]
    yield BalanceAim(f"where each is for themselves no zone wins more than {CROWDED} times its share", crowded)
    struck = blows(played)
    words = f"in at most {BLOWS:.0%} of matches one act takes more than a third of another side's points ({struck})"
    yield BalanceAim(words, [str(struck)] if struck.interval[0] > BLOWS else [])
    bad = [f"{one.form} {one.number}" for one in played if not (one.finished and one.verified)]
    yield BalanceAim("every match ends by the rules, without an exception, and verifies", bad)


def _unfair(shares: Mapping[str, Share]) -> list[str]:
    return [f"{name} {share}" for name, share in shares.items() if not _is_fair(share)]


def _is_fair(share: Share) -> bool:
    low, high = share.interval
    return low <= MOST and high >= LEAST


def _share(installed: Installed, form: str) -> float:
    return 1 / installed.scenarios[form].seats


def _factions(installed: Installed, played: Sequence[PlayedMatch], say: Say) -> Iterator[str]:
    for id, share in sorted(by_faction(installed, played).items(), key=lambda item: -item[1].part):
        yield f"| {say(id)} | {_cell(share)} |"


def _cell(share: Share) -> str:
    words = f"{share} of {share.of}"
    return words if _is_fair(share) else f"**{words}**"


def _side_row(installed: Installed, form: str, group: Sequence[PlayedMatch], shares: Mapping[str, Share]) -> str:
    draws = sum(not _won(installed, one) for one in group)
    return f"| `{form}` | {len(group)} | {draws} | {' | '.join(map(_cell, shares.values()))} |"


def _zone_rows(
    installed: Installed, form: str, group: Sequence[PlayedMatch], shares: Mapping[str, Share]
) -> Iterator[str]:
    for zone, share in shares.items():
        x, y = (int(number) // 100 for number in zone.split(",")) if zone else (0, 0)
        times = share.part / _share(installed, form)
        yield f"| `{form}` | {len(group)} | ({x}, {y}) | {share} of {share.of} | {times:.2f} |"


def _blows(installed: Installed, played: Sequence[PlayedMatch]) -> Iterator[str]:
    """Yield the share of matches with a great blow, and the greatest of them."""
    yield f"One act took more than a third of another side's points in {blows(played)} of {len(played)} matches."
    yield from ("", *columns("act", "share of the side's points", "match"))
    for one in sorted(played, key=lambda one: -one.blow)[:LONGEST]:
        yield f"| {one.blow_by} | {one.blow:.0%} | `{one.form}` {one.number} |"
    yield ""


def _grouped(played: Iterable[PlayedMatch]) -> dict[str, list[PlayedMatch]]:
    ordered = sorted(played, key=lambda one: one.form)
    return {form: list(group) for form, group in groupby(ordered, lambda one: one.form)}
