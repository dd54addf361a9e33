"""`eschaton-server` whose action-card figures never fall, because no roll reaches their kill numbers, so that dice
cannot cut a test short. `python -m tests.support.faults.sturdy_server serve`."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any

from engine.core.rules.system import System
from server.cli import main
from server.content import systems as content
from tests.support.clients.programs import ServerProgram

KILL = re.compile(r"\b(open|cover|building) = \d+")


class SturdyServer(ServerProgram):
    """Sturdy server in a process of its own."""

    module = ("tests.support.faults.sturdy_server", "serve")


def stand_firm() -> None:
    """Raise all kill numbers of content that is installed from now on, shipped or not, to their highest value."""
    install = content.install

    def firmly(system: System[Any], texts: Mapping[str, str]) -> content.Installed:
        if system.name == "action_cards":
            texts = {name: KILL.sub(r"\1 = 999", text) for name, text in texts.items()}
        return install(system, texts)

    content.install = firmly


if __name__ == "__main__":
    stand_firm()
    sys.exit(main.main())
