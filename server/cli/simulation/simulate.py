"""`eschaton-server simulate`: matches between bots, without sockets, store or waiting; repeatable by seed."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from math import gcd
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine.core.bots.bot import Bot
from engine.core.bots.selfplay import SelfPlay
from engine.core.match.causes import Start
from engine.core.match.folded_match import Step
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import SetupRefused
from engine.core.rules.events import CardDrawn
from engine.core.rules.options import RuleOption, kept_values
from engine.core.rules.system import ScenarioInfo, Setup
from engine.core.view.projection import SceneChanges
from engine.space.vectors.points import box_of, middle_of
from protocol.ids import MatchId
from protocol.scene.nodes import Zone
from protocol.wire.choices import OptionValue
from server.cli.simulation.blows import Blows
from server.content.systems import Installed, faults_told, find_systems, load
from server.lobby.army_lists import drawn_lists
from server.match.bots.bot_factory import make_bot
from server.runtime.errors import CommandError
from server.runtime.gc_schedule import collect_seldom

MOST_DECISIONS: Final = 20_000
NO_OPTIONS: Final[Mapping[str, OptionValue]] = {}


@dataclass(frozen=True)
class Outcome:
    """A simulated match: its winners (seats and their factions), their scores, and how much happened.

    `order`: seats in the order in which they first had to act; `rounds`: of dice, rows of cards in the card game;
    `decided`: the decisions of each seat, without those that wait for nobody; `out`: those of all others after it had
    nothing left that it could take off the table; `first`: the seat that acted first once the game's rounds had begun,
    -1 without rounds; `zones`: of each seat the middle of its deployment zone, "x,y" in hundredths, "" without one;
    `blow`: the greatest share of a side's points that one act took, `blow_by` its kind.
    """

    match: int
    winners: tuple[int, ...] = ()
    winning_factions: tuple[str, ...] = ()
    finished: bool = False
    why: str = ""
    cards: int = 0
    intents: int = 0
    steps: int = 0
    seconds: float = 0.0
    factions: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    rounds: int = 0
    decided: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    first: int = -1
    zones: tuple[str, ...] = ()
    blow: float = 0.0
    blow_by: str = ""


class PlayOut(NamedTuple):
    """Result of `play_out`, with the fields of an Outcome."""

    order: tuple[int, ...]
    decided: tuple[int, ...]
    out: tuple[int, ...]
    first: int
    zones: tuple[str, ...]


def run(
    system: str,
    scenario: str,
    matches: int,
    seed: int,
    bots: str,
    content: Path | None = None,
    options: Sequence[str] = (),
    *,
    as_json: bool,
) -> int:
    """Play matches and print the result. `content`: the folder of the user's own; `options`: of the rules, each
    KEY=VALUE. Raises CommandError."""
    found = installed(system, content)
    info = scenario_of(found, scenario)
    chosen = options_from(found, info, options)
    kinds = kinds_of(found, bots, info.seats)
    if matches < 1:
        raise CommandError("Say how many matches to play: --matches 1 or more.")
    outcomes: list[Outcome] = []
    for number in range(matches):
        outcomes.append(play(found, info, kinds, seed, number, options=chosen))
        _progress(number + 1, matches, outcomes[-1])
    summary = summarize(found, info, kinds, seed, outcomes)
    print(json.dumps(summary) if as_json else _table(summary))
    return 0 if all(outcome.finished for outcome in outcomes) else 1


@collect_seldom()  # so that the collection at the end examines what a match has left behind, and not all that it used
def play(
    installed: Installed,
    info: ScenarioInfo,
    kinds: tuple[str, ...],
    seed: int,
    number: int,
    log: list[bytes] | None = None,
    options: Mapping[str, OptionValue] = NO_OPTIONS,
) -> Outcome:
    """Play match `number` of the simulation with this seed; put its steps as stored into `log`.

    Raises CommandError where its set-up cannot be played.
    """
    name, secret = identity(seed, number)
    cards, blows = 0, Blows(installed.system)

    def told(step: Step[Any], frames: SceneChanges | None) -> None:
        nonlocal cards
        if log is not None:
            log.append(step.data)
        cards += sum(isinstance(trace.event, CardDrawn) for trace in step.trail)
        blows.told(step)

    began = time.perf_counter()
    match: Match[Any] = Match(installed.system, name, MatchDice(secret, name))
    game = SelfPlay(match, told, watched=False)
    _begin(game, installed, info, seed, number, options)
    seeds = seeds_of(info, secret)
    played = play_out(game, {Seat(n): make_bot(installed.system, kind, seeds[n]) for n, kind in enumerate(kinds)})
    factions, result = factions_for(info, number), match.result
    winners = tuple(line.seat for line in result.seats if line.won) if result is not None else ()
    return Outcome(
        match=number,
        winners=winners,
        winning_factions=tuple(factions[seat] for seat in winners),
        finished=result is not None,
        why=result.why.k if result is not None else "",
        cards=cards,
        intents=game.intents,
        steps=match.version,
        seconds=round(time.perf_counter() - began, 3),
        factions=factions,
        scores=tuple(line.score for line in result.seats) if result is not None else (),
        rounds=match.record.round,
        blow=blows.greatest.share,
        blow_by=blows.greatest.kind,
        **played._asdict(),
    )


def _begin(
    game: SelfPlay[Any],
    installed: Installed,
    info: ScenarioInfo,
    seed: int,
    number: int,
    options: Mapping[str, OptionValue],
) -> None:
    """Make the first step; raises as `play`."""
    try:
        setup = setup_of(installed, info, seed, number)._replace(options=options)
        resolved = installed.system.setup(installed.content, setup)
        game.begin(Start(identity(seed, number)[0], info.seats, resolved, options=dict(options)))
    except SetupRefused as problem:
        factions = ", ".join(factions_for(info, number))
        raise CommandError(f"{info.id} cannot be set up with {factions}: {problem}", 1) from problem


def play_out(game: SelfPlay[Any], players: Mapping[Seat, Bot]) -> PlayOut:
    """Play decision after decision to the end."""
    match = game.match
    order: dict[int, None] = {}
    decided: Counter[int] = Counter()
    fell: dict[Seat, int] = {}
    zones: dict[int, str] = {}
    first = -1
    for _ in range(MOST_DECISIONS):
        question, seat, before = match.question, game.next_seat(), game.intents
        if question is None and seat is not None:
            order.setdefault(int(seat))
            if first < 0:
                first = int(seat) if match.system.tally(match.state).round else first
                zones |= _zones(game)
        if not game.decide(players):
            break
        if seat is not None and game.intents > before and (question is None or not question.window.present):
            decided[int(seat)] += 1
        if match.quiescent and match.result is None:
            gone = [seat for seat in players if seat not in fell and match.leaving(seat) is None]
            fell |= dict.fromkeys(gone, decided.total())
    if len(fell) == len(players):
        fell = {}  # these rules know no way to leave
    total = decided.total()
    out = tuple(total - fell.get(seat, total) for seat in players)
    seats = [int(seat) for seat in players]
    made, zoned = tuple([decided[seat] for seat in seats]), tuple([zones.get(seat, "") for seat in seats])
    return PlayOut(tuple(order), made, out, first, zoned if zones else ())


def _zones(game: SelfPlay[Any]) -> dict[int, str]:
    """Return the middle of the deployment zone of each seat that has one now."""
    scene = game.projector.scene(Seat(0)).values()
    marked = [node for node in scene if isinstance(node, Zone) and node.style == "deployment" and node.points]
    middles = {node.owner: middle_of(box_of(node.points)) for node in marked if node.owner >= 0}
    return {owner: f"{x},{y}" for owner, (x, y) in middles.items()}


def identity(seed: int, number: int) -> tuple[MatchId, bytes]:
    """Return the id and the secret of a simulated match."""
    return MatchId(f"simulation-{seed}-{number}"), hashlib.sha256(
        f"eschaton/simulate/{seed}/{number}".encode()
    ).digest()


def seeds_of(info: ScenarioInfo, secret: bytes) -> list[int]:
    """Return the seeds of the bots, and of the lists that they draw."""
    return [int.from_bytes(secret[seat : seat + 4], "big") for seat in range(info.seats)]


def setup_of(installed: Installed, info: ScenarioInfo, seed: int, number: int) -> Setup:
    """Return the set-up of match `number` of the simulation: its factions, and the lists that are drawn for them."""
    factions = factions_for(info, number)
    seeds = seeds_of(info, identity(seed, number)[1])
    return Setup(info.id, factions, drawn_lists(installed, info, factions, seeds))


def factions_for(info: ScenarioInfo, number: int) -> tuple[str, ...]:
    """Return factions by seat: another seat each match, and after each round of the seats other neighbours.

    In a game for two each meets all others, so that neither seat nor faction hides behind the other; so it is of two
    sides whose seats bring lists, each side with one faction.
    """
    ids = [faction.id for faction in info.factions]
    players = info.sides if info.points and info.sides else range(info.seats)
    steps = [step for step in range(1, len(ids)) if len(set(players)) == 2 or gcd(step, len(ids)) == 1] or [1]
    step = steps[number // len(ids) % len(steps)]
    return tuple(ids[(player * step + number) % len(ids)] for player in players)


def summarize(
    installed: Installed, info: ScenarioInfo, kinds: tuple[str, ...], seed: int, outcomes: list[Outcome]
) -> dict[str, Any]:
    """Return the object that `--json` prints. Everything but `seconds` follows from the seed."""
    seats = Counter(seat for outcome in outcomes for seat in outcome.winners)
    factions = Counter(faction for outcome in outcomes for faction in outcome.winning_factions)
    return {
        "system": installed.system.name,
        "scenario": info.id,
        "seed": seed,
        "bots": list(kinds),
        "matches": len(outcomes),
        "finished": sum(outcome.finished for outcome in outcomes),
        "wins_by_seat": {str(seat): seats[seat] for seat in range(info.seats)},
        "wins_by_faction": {faction.id: factions[faction.id] for faction in info.factions},
        "cards": sum(outcome.cards for outcome in outcomes),
        "intents": sum(outcome.intents for outcome in outcomes),
        "seconds": round(sum(outcome.seconds for outcome in outcomes), 3),
        "each": [asdict(outcome) for outcome in outcomes],
    }


def _table(summary: dict[str, Any]) -> str:
    lines = [f"{summary['matches']} matches of {summary['system']}/{summary['scenario']}, seed {summary['seed']}"]
    lines.append(f"finished {summary['finished']}, {summary['intents']} intents, {summary['seconds']:.1f} s")
    lines.append("wins by seat:    " + ", ".join(f"{seat}: {n}" for seat, n in summary["wins_by_seat"].items()))
    lines.append("wins by faction: " + ", ".join(f"{f}: {n}" for f, n in summary["wins_by_faction"].items()))
    return "\n".join(lines)


def _progress(done: int, matches: int, last: Outcome) -> None:
    print(f"match {done}/{matches}: {last.intents} intents in {last.seconds:.1f} s", file=sys.stderr, flush=True)


@cache
def installed(name: str, content: Path | None = None) -> Installed:
    """Return the system of this name with its content, and with that of a folder of the user's own.

    Files are read once in the life of the process, however many matches it plays. Raises CommandError.
    """
    with faults_told():
        found = load(find_systems([name]).values(), content)
        known = sorted(found) if name in found else sorted(find_systems())
    if name not in found:
        raise CommandError(f"There is no rule system {name!r}. There are: {', '.join(known)}.")
    return found[name]


def scenario_of(installed: Installed, name: str) -> ScenarioInfo:
    """Return the scenario of this name, the first one for an empty name. Raises CommandError."""
    if not name:
        return next(iter(installed.scenarios.values()))
    if name not in installed.scenarios:
        raise CommandError(f"There is no scenario {name!r}. There are: {', '.join(installed.scenarios)}.")
    return installed.scenarios[name]


def options_from(installed: Installed, info: ScenarioInfo, said: Sequence[str]) -> dict[str, OptionValue]:
    """Return the values of options said as KEY=VALUE, without those that are the default. Raises CommandError."""
    known = {option.key: option for option in installed.options_of(info.id)}
    chosen: dict[str, OptionValue] = {}
    for one in said:
        key, _, word = one.partition("=")
        option = known.get(key)
        if option is None:
            raise CommandError(f"There is no option {key!r}. There are: {', '.join(known) or 'none'}.")
        value = option.read(word)
        if value is None:
            raise CommandError(f"Option {key} cannot be {word!r}. {_values_in_words(option)}")
        chosen[key] = value
    return kept_values(tuple(known.values()), chosen)


def _values_in_words(option: RuleOption) -> str:
    if option.kind == "flag":
        return "Say yes or no."
    if option.kind == "number":
        return f"Say a number from {option.low} to {option.high}."
    return f"Say one of: {', '.join(choice.id for choice in option.choices)}."


def kinds_of(installed: Installed, bots: str, seats: int) -> tuple[str, ...]:
    """Return the kind of bot in each seat. Raises CommandError."""
    kinds = installed.bot_kinds()
    wanted = [kind.strip() for kind in bots.split(",") if kind.strip()] or [kinds[0]]
    for kind in wanted:
        if kind not in kinds:
            raise CommandError(f"There is no bot {kind!r}. There are: {', '.join(kinds)}.")
    if len(wanted) not in (1, seats):
        raise CommandError(f"Name one kind of bot, or {seats}: one for each seat.")
    return tuple(wanted[seat % len(wanted)] for seat in range(seats))
