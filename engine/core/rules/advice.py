"""Advice of a system about a choice before it is made. Every method is optional: without one, the core works it out
from the prompt and its details (engine/core/view/surveys.py, proposals.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar, runtime_checkable

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.game import Game
from engine.core.rules.steps import Steps
from protocol.ids import NodeId
from protocol.scene.advice import Forecast, Outcome, Target
from protocol.scene.fields import AnyField, Band
from protocol.scene.nodes import Choice, Point, Prompt
from protocol.text import Text

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)

THOUSAND: Final = 1000


class ChoiceSurvey(msgspec.Struct, frozen=True):
    """Possibilities of a thing by one choice: the ground in reach and the possible objects, or why there is none."""

    why: Text | None = None
    reach: tuple[Band, ...] = ()
    targets: tuple[Target, ...] = ()


@runtime_checkable
class Stepwise(Protocol[S]):
    """A system that works its prompts and the details of their choices out piece by piece."""

    def prompt_steps(self, game: Game[S], seat: Seat) -> Steps[Prompt | None]:
        """Work out what the system's `prompt` returns, at each step a part of it."""

    def detail_steps(self, game: Game[S], seat: Seat, choice: str, fields: Mapping[str, object]) -> Steps[AnyField]:
        """Work out what the system's `detail` returns, at each step a part of it. Raises IllegalIntent."""


@runtime_checkable
class Proposes(Protocol[S]):
    """A system that fills some fields of its choices in better than by their defaults."""

    def propose(self, game: Game[S], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Mapping[str, object]:
        """Return such fields of a choice, beside those given; the core fills in the rest. Raises IllegalIntent."""


@runtime_checkable
class Forecasts(Protocol[S]):
    """A system that knows what its choices come to."""

    def forecast(self, game: Game[S], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Forecast | None:
        """Return what a choice comes to with these fields, None where nothing is left to chance. Raises
        IllegalIntent."""


@runtime_checkable
class Lookouts(Protocol[S_contra]):
    """A system that tells the ground that a thing sees."""

    def lookouts(self, state: S_contra, subject: NodeId) -> Sequence[Point]:
        """Return a few places from which together it sees about all that it sees; none where it sees no ground."""

    def seen_from(self, state: S_contra, subject: NodeId, at: Point) -> Sequence[Point]:
        """Return the outline of the ground that it sees from one of its lookouts."""


class Counted(NamedTuple):
    """The groups whose losses a sampled forecast counts: those that the act is aimed at, and the one that acts."""

    objects: tuple[NodeId, ...]
    subject: NodeId


@runtime_checkable
class Samples(Protocol[S]):
    """A system whose forecasts may be sampled where none is exact: its acts are carried out many times, with imagined
    secrets and other dice (engine/core/bots/sampling.py)."""

    def counted(self, game: Game[S], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Counted | None:
        """Return what to count for a choice with all these fields, None where nothing is to be sampled."""

    def strength(self, state: S, group: NodeId) -> int:
        """Return the number of figures of a group, 0 where there is none."""


def thousandths(weights: Sequence[tuple[int, int]], whole: int) -> tuple[Outcome, ...]:
    """Return the chance of each outcome in thousandths, 1000 together: rounded down, and what is missing goes to those
    that lost most by it, of equals to the lowest. Outcomes left with none are left out. `weights`: of each outcome, the
    least first, `whole` together."""
    shares = [(outcome, *divmod(weight * THOUSAND, whole)) for outcome, weight in weights]
    missing = THOUSAND - sum(share for _, share, _ in shares)
    first = sorted(range(len(shares)), key=lambda place: (-shares[place][2], place))[:missing]
    rounded = [(outcome, share + (place in first)) for place, (outcome, share, _) in enumerate(shares)]
    return tuple([(outcome, share) for outcome, share in rounded if share])
