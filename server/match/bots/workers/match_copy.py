"""A copy of a match, made of its stored steps, with the bots in its seats: they see what a person there would."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.core.bots.bot import Bot, Picture, run_inline
from engine.core.bots.sampling import sampled, seed_of
from engine.core.bots.scripted_bot import ScriptedBot
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.dice import MatchDice
from engine.core.rules.errors import IllegalIntent
from engine.core.rules.system import System
from engine.core.view.projection import Projector
from engine.core.view.prompts import detail_for
from engine.core.view.situations import Situation
from protocol.canonical import packed
from protocol.errors import EschatonError
from protocol.ids import MatchId, NodeId, PromptId
from protocol.scene.advice import Forecast
from protocol.scene.fields import AnyField
from protocol.scene.nodes import AnyNode, Prompt, Reply
from server.match.bots.bot_factory import make_bot


class NotAsked(EschatonError):
    """The match asks nothing of this seat."""


class SeatPicture(Picture):
    """The scene and the prompt of a seat, and the details of its choices, as a bot looks at them."""

    def __init__(
        self, match: Match[Any], seat: Seat, nodes: Mapping[NodeId, AnyNode], prompt: Prompt, due: Callable[[], bool]
    ) -> None:
        super().__init__(seat, nodes, prompt)
        self.known = match.known(seat)
        self._match = match
        self._due = due

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        try:
            return detail_for(self._match, Seat(self.seat), choice, fields, bare=bare)
        except IllegalIntent:
            return None

    def is_due(self) -> bool:
        """Return True where the time to think is over, or the thought was given up."""
        return self._due()


class MatchCopy:
    """A copy of one match. Steps are folded as they come; a waiting procedure is made again when a bot is asked."""

    def __init__(self, system: System[Any], match: MatchId, secret: bytes) -> None:
        self._match: Match[Any] = Match(system, match, MatchDice(secret, match))
        self._projector: Projector[Any] | None = None
        self._is_behind = True
        self._bots: dict[int, Bot] = {}
        self._said: dict[int, Reply] = {}

    def fold(self, steps: Iterable[bytes]) -> None:
        """Fold the next steps. Raises LogDamaged."""
        for step in steps:
            self._match.replay(step)
            self._is_behind = True

    def sit(self, seat: int, kind: str, seed: int, acts: tuple[Reply, ...] = ()) -> None:
        """Let a new bot play this seat, which tries `acts` first."""
        bot = make_bot(self._match.system, kind, seed)
        self._bots[seat] = ScriptedBot(acts, bot) if acts else bot
        self._said.pop(seat, None)

    def decide(self, seat: int, is_due: Callable[[], bool]) -> Reply:
        """Return the reply of the bot of this seat. Raises NotAsked, RuleDiverged, and whatever the bot raises."""
        place, projector = Seat(seat), self._shown()
        prompt = projector.prompt(place)
        if prompt is None or not prompt.choices:
            raise NotAsked(f"seat {seat} has nothing to decide after step {self._match.version}")
        picture = SeatPicture(self._match, place, projector.scene(place), prompt, is_due)
        reply = self._said[seat] = run_inline(self._bots[seat].decide(picture))
        return reply

    @property
    def version(self) -> int:
        """The number of steps so far."""
        return self._match.version

    def sample(
        self, seat: int, prompt: PromptId, choice: str, fields: Mapping[str, object], is_due: Callable[[], bool]
    ) -> Forecast | None:
        """Return the sampled forecast of a choice of a seat's prompt; `prompt` is the name that it has for its seat.
        Raises IllegalIntent, RuleDiverged, and whatever the rules raise."""
        place = Seat(seat)
        shown = self._shown().prompt(place)
        offered = next((one for one in shown.choices if one.id == choice), None) if shown is not None else None
        if offered is None:
            return None
        seed = seed_of(b"%d" % seat, prompt.encode(), choice.encode(), packed(fields))
        return sampled(Situation.of(self._match, place), offered, fields, seed, is_due)

    def refused(self, seat: int, code: str) -> None:
        """Tell the bot of this seat that its last decision was refused."""
        if seat in self._said:
            self._bots[seat].refused(self._said[seat], code)

    def _shown(self) -> Projector[Any]:
        if self._is_behind:
            self._match.resume()
            self._is_behind = False
            if self._projector is not None:
                self._projector.invalidate()
        if self._projector is None:
            self._projector = Projector(self._match, "mirror", watched=False)
        return self._projector
