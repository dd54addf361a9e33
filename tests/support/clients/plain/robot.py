"""A robot that plays by what it reads: it answers numbered lists, accepts what is proposed, and goes back where there
is no answer."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from tests.support.clients.plain.player import NUMBERED, PlainPlayer

DOES = "Enter does it"
ACCEPTS = "Enter: "
PLACE = "Type a place"
BACK = "back"
YES_OR_NO = "Type yes or no."
REFUSED = re.compile(r"Type back to choose otherwise|reply/|is no place")
OVER = re.compile(r"^(Nobody has won|The match has ended|.+ won|.+ won together)$")
MOST_LINES = 80
"""Lines typed for one act."""
DIRECTIONS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
MOST_FIELDS = 3
SHUNNED = ("Try something new",)
"""Choices that need words, or a vote of all."""


class PlainRobot:
    """Robot at a table in play. `acts`: those that it has made; `refusals`: lines of acts that were accepted and then
    refused; `is_over`: the result has been told."""

    def __init__(self, player: PlainPlayer, dice: random.Random) -> None:
        self.player = player
        self.dice = dice
        self.acts = 0
        self.refusals: list[str] = []
        self.is_over = False

    async def play(self, acts: int) -> None:
        """Make so many acts, or fewer where the match is over before."""
        while self.acts < acts and not self.is_over:
            await self._act()

    async def _act(self) -> None:
        """Answer questions until an act has been made."""
        asked = await self._tell("again")
        for _ in range(MOST_LINES):
            if self.is_over:
                return
            answer = self._answer(asked)
            for _ in range(MOST_FIELDS if answer == BACK else 0):  # past the fields that led there, to the choices
                await self._tell(BACK)
            if answer is None:
                asked = await self._tell("wait") + await self._tell("again")
                continue
            does = any(line.startswith(DOES) for line in asked) and not answer
            said = await self._tell(answer)
            asked = said or await self._tell("again")
            if does:
                self.acts += 1
                self.refusals += [line for line in said if REFUSED.search(line)]
                return
        raise AssertionError("\n".join(self.player.heard[-80:]))

    async def _tell(self, line: str) -> list[str]:
        said = await self.player.tell(line)
        self.is_over = self.is_over or any(OVER.search(one) for one in said)
        return said

    def _answer(self, asked: Sequence[str]) -> str | None:
        """Return the answer to the last question among some lines; None where nothing is asked."""
        if any(line.startswith(DOES) for line in asked):
            return ""
        if any(YES_OR_NO in line for line in asked):
            return "yes"
        if any(REFUSED.search(line) for line in asked):
            return BACK
        if any(line.startswith(ACCEPTS) for line in asked):
            return ""
        if any(line.startswith(PLACE) for line in asked):
            return f"{self.dice.randint(1, 5)} {self.dice.choice(DIRECTIONS)}"
        listed = [found for line in asked if (found := NUMBERED.match(line))]
        first = max((place for place, found in enumerate(listed) if found[1] == "1"), default=0)
        free = [found[1] for found in listed[first:] if found[2] not in SHUNNED]
        return self.dice.choice(free) if free else None
