"""The check that what a seat gets follows from what it knows: its scene, its prompt, details, and its bots' replies are
the same behind another state that it cannot tell from the true one."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from engine.core.bots.bot import Bot, Picture, run_inline
from engine.core.bots.random_bot import Chance, RandomBot
from engine.core.match.match import Match
from engine.core.rules.audience import Seat
from engine.core.rules.errors import IllegalIntent
from engine.core.view import prompts
from engine.core.view.projection import Projector
from engine.core.view.proposals import proposal_for
from engine.core.view.situations import Situation
from engine.core.view.surveys import survey_of
from protocol.ids import NodeId
from protocol.scene.fields import AnyField, Pieces
from protocol.scene.nodes import NO_PROMPT, PROMPT_NODE, AnyNode, Prompt, Reply
from protocol.text import Text

MOST_SUBJECTS: Final = 2
RANDOM_REPLIES: Final = 6
"""The number of replies of a random player, which ask for the details on their way, at each look."""


class Look(Picture):
    """The view of a seat on a match, which keeps every detail that it was given."""

    def __init__(self, match: Match[Any], seat: Seat) -> None:
        nodes = Projector(match, "look", watched=False).scene(seat)
        prompt = nodes.pop(PROMPT_NODE, None)
        super().__init__(seat, nodes, prompt if isinstance(prompt, Prompt) else Prompt(NO_PROMPT, Text(""), ()))
        self.known = match.known(seat)
        self.details: list[AnyField | str] = []
        self._match = match

    async def detail(self, choice: str, fields: Mapping[str, object], *, bare: bool = False) -> AnyField | None:
        try:
            found = prompts.detail_for(self._match, Seat(self.seat), choice, fields, bare=bare)
        except IllegalIntent as illegal:
            self.details.append(illegal.refusal.code)
            return None
        self.details.append(found)
        return found


def behind(match: Match[Any], seat: Seat, chance: Chance) -> Match[Any]:
    """Return the match with another state behind what the seat knows. Raises AssertionError where the seat would know
    it from the true one."""
    system = match.system
    known = packed(system.known(match.state, seat))
    other = system.imagine(system.known(match.state, seat), chance)
    assert packed(system.known(other, seat)) == known, f"seat {seat} knows what was imagined from what is"
    twin = copy.copy(match)
    # the dice of past rolls are in the scene already
    record = msgspec.structs.replace(match.record.known(seat), rolled=match.record.rolled)
    twin.state, twin.record = other, record
    twin._turns, twin._known, twin._acting = (None, None), {}, None
    return twin


def check_knowledge(match: Match[Any], seat: Seat, seed: int, kinds: Mapping[str, Any] | None = None) -> None:
    """Check that the seat gets the same as behind a state that it cannot tell from the true one. `kinds`: the bots to
    ask, the random player beside them. Raises AssertionError."""
    twin = behind(match, seat, Chance(seed))
    one, other = Look(match, seat), Look(twin, seat)
    assert differing(one.nodes, other.nodes) == [], "the scene differs"
    assert one.prompt == other.prompt, "the prompt differs"
    if not one.prompt.choices:
        return
    assert advice(match, seat) == advice(twin, seat), "a survey or a proposal differs"
    made: dict[str, Any] = {**(kinds or {}), **{f"random-{n}": RandomBot for n in range(RANDOM_REPLIES)}}
    for number, (name, make) in enumerate(made.items()):
        assert reply_of(make(seed + number), one) == reply_of(make(seed + number), other), (
            f"the reply of {name} differs"
        )
        assert one.details == other.details, f"a detail given to {name} differs"


def advice(match: Match[Any], seat: Seat) -> list[object]:
    """Return what a seat is told of its choices before it makes one: surveys of a few things, and every choice filled
    in."""
    situation = Situation.of(match, seat)
    found: list[object] = []
    for choice in situation.choices():
        first = choice.fields[0] if choice.fields else None
        options = first.options if isinstance(first, Pieces) else ()
        for subject in (NodeId(option.id) for option in options[:MOST_SUBJECTS] if choice.gesture):
            found.append(survey_of(situation, choice, subject))
        try:
            filled = proposal_for(situation, choice.id, {})
            found.append((filled.fields, filled.open, filled.ghosts, filled.forecast))
        except IllegalIntent as refused:
            found.append(refused.refusal)
    return found


def reply_of(bot: Bot, look: Look) -> Reply:
    """Return the decision of a bot that sees this."""
    return run_inline(bot.decide(look))


def differing(one: Mapping[NodeId, AnyNode], other: Mapping[NodeId, AnyNode]) -> list[NodeId]:
    """Return the ids of the nodes that are not the same in both."""
    return [id for id in one.keys() | other.keys() if one.get(id) != other.get(id)]


def packed(state: object) -> bytes:
    """Return the value of a state."""
    return msgspec.msgpack.encode(state)
