"""docs/privacy.md says how long everything is kept, as the constants of the program have it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from protocol.limits import CHAT_LINES, Limits
from server.cli.settings.settings import ServerSettings
from server.talk import lobby_lines, reports

PAGE: Final = (Path(__file__).resolve().parents[2] / "docs" / "privacy.md").read_text("utf-8")
LIMITS: Final = Limits()
DAY: Final = 24 * 3600


def row(beginning: str) -> str:
    """Return how long what begins so is kept, in the words of the table."""
    [found] = re.findall(rf"^\| {re.escape(beginning)}[^|]* \| (.*) \|$", PAGE, re.MULTILINE)
    return str(found)


def days(seconds: float) -> str:
    """Return a time as the page writes it."""
    count = round(seconds / DAY)
    return f"{count} day" if count == 1 else f"{count} days"


def test_all_times_and_counts_of_the_table_are_those_of_the_program() -> None:
    assert row("a guest who never").startswith(f"{days(LIMITS.guest_seconds)} after")
    assert row("a guest who has played").startswith(f"{days(LIMITS.played_guest_seconds)} after")
    assert row("a name kept with").startswith(f"{days(LIMITS.name_seconds)} after")
    assert row("a name given up").startswith(f"{days(LIMITS.name_rest_seconds)}:")
    session = f"{days(LIMITS.token_seconds)}, or {days(LIMITS.token_idle_seconds)} without coming back"
    assert row("a session") == session
    assert row("lines said in the lobby") == days(lobby_lines.KEPT_SECONDS)
    assert row("reports of people").startswith(days(reports.KEPT_SECONDS))
    assert row("lines said at a table").startswith(f"{days(lobby_lines.KEPT_SECONDS)} after the end")
    assert f"the newest {CHAT_LINES} of each room" in row("lines said at a table")
    assert row("the address from which the owner") == "until the match ends"
    assert row("people played with") == f"the newest {LIMITS.recent}"
    assert row("replays and logs").startswith(f"until all take more than {ServerSettings.replays_gb:g} GB")
