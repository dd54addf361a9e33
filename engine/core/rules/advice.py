"""What a system can say of a choice before it is made. Every method is optional: without one, the core works it out
from the prompt and its details (engine/core/view/surveys.py, proposals.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar, runtime_checkable

import msgspec

from engine.core.rules.audience import Seat
from engine.core.rules.game import Game
from protocol.ids import NodeId
from protocol.scene.advice import Forecast, Target
from protocol.scene.fields import Band
from protocol.scene.nodes import Choice
from protocol.text import Text

S = TypeVar("S")


class ChoiceSurvey(msgspec.Struct, frozen=True):
    """What a thing could do by one choice: why not at all, else the ground within reach and the possible objects."""

    why: Text | None = None
    reach: tuple[Band, ...] = ()
    targets: tuple[Target, ...] = ()


@runtime_checkable
class Surveys(Protocol[S]):
    """A system that surveys choices itself."""

    def survey(self, game: Game[S], seat: Seat, choice: Choice, subject: NodeId) -> ChoiceSurvey | None:
        """Return what a thing could do by a choice, None to leave it to the core. Raises IllegalIntent."""


@runtime_checkable
class Proposes(Protocol[S]):
    """A system that fills choices in itself."""

    def propose(
        self, game: Game[S], seat: Seat, choice: Choice, fields: Mapping[str, object]
    ) -> Mapping[str, object] | None:
        """Return all fields of a choice with those given, None to leave it to the core. Raises IllegalIntent."""


@runtime_checkable
class Forecasts(Protocol[S]):
    """A system that knows what its choices come to."""

    def forecast(self, game: Game[S], seat: Seat, choice: Choice, fields: Mapping[str, object]) -> Forecast | None:
        """Return what a choice comes to with these fields, None where nothing is left to chance. Raises
        IllegalIntent."""
