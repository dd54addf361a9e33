"""A reader of Containerfiles, as far as ours goes: stages, their instructions, options and words."""

from __future__ import annotations

import json
import re
import shlex
from typing import Final, NamedTuple

from tests.support.clients.programs import DEPLOY

CONTAINERFILE: Final = DEPLOY / "image" / "Containerfile"
OPTION: Final = re.compile(r"--([\w-]+)=(\S+)\s*")


class Instruction(NamedTuple):
    """One instruction. `text`: what follows its word and its options, lines joined."""

    word: str
    text: str
    options: dict[str, str]

    @property
    def words(self) -> list[str]:
        """Its words, from a JSON list or as a shell splits them."""
        if self.text.startswith("["):
            listed: list[str] = json.loads(self.text)
            return listed
        return shlex.split(self.text)

    @property
    def pairs(self) -> dict[str, str]:
        """Names and values of ENV or LABEL."""
        return dict(word.split("=", 1) for word in self.words)


class Stage(NamedTuple):
    """One stage: its base image, its own name (empty for the last one), and what follows FROM."""

    base: str
    name: str
    instructions: list[Instruction]

    def last(self, word: str) -> Instruction:
        """Return the last instruction of this word, which is the one that counts. Raises IndexError."""
        return [each for each in self.instructions if each.word == word][-1]

    @property
    def environment(self) -> dict[str, str]:
        """All variables of its ENV instructions."""
        return {name: value for each in self.instructions if each.word == "ENV" for name, value in each.pairs.items()}

    @property
    def health_check(self) -> list[str]:
        """Words of the command of HEALTHCHECK."""
        check = self.last("HEALTHCHECK")
        assert check.text.startswith("CMD ")
        return check._replace(text=check.text.removeprefix("CMD ").strip()).words


def _stages() -> list[Stage]:
    """Return the stages of our Containerfile."""
    found: list[Stage] = []
    text = CONTAINERFILE.read_text("utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        word, _, rest = line.partition(" ")
        instruction = _instruction(word, rest.strip())
        if word == "FROM":
            base, *name = instruction.words
            found.append(Stage(base, name[1] if name else "", []))
        else:
            found[-1].instructions.append(instruction)
    return found


def _instruction(word: str, rest: str) -> Instruction:
    options: dict[str, str] = {}
    while option := OPTION.match(rest):
        options[option[1]] = option[2]
        rest = rest[option.end() :]
    return Instruction(word, rest, options)


STAGES: Final = _stages()
IMAGE: Final = STAGES[-1]
"""The last stage, which is the image."""
