"""docs/content.md, followed step by step from an empty folder; and that all that may be written is on it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.core.content.content_schema import Entry
from engine.kit.values import Written, entry_of
from engine.rulesets.action_cards.content import schema
from engine.rulesets.action_cards.rules.scenario import conditions
from engine.rulesets.action_cards.rules.special_actions import specials
from engine.rulesets.action_cards.rules.special_events import event_choices, event_play
from engine.rulesets.action_cards.state import model
from server.cli.content import check as content_check
from server.runtime.errors import CommandError
from tests.support.clients.programs import ROOT
from tests.support.runs.pages import follow, page, written
from tests.support.runs.patience import PATIENCE

pytestmark = pytest.mark.waits

PAGE = page("content.md")
SLIPS = {
    "undertow.toml": (("move = 10\n", "move = = 10\n"), ('"hood"', '"hoood"')),
    "landing.toml": (('"scrub"', '"shrub"'), ("[21, 26, 6, 10]", "[21, 28, 6, 10]"), ("[map]", "[map")),
    "ferry.toml": (
        ('"sea_fret"', '"sea_frett"'),
        ("start = [2, 28, 17, 7]", "strat = [2, 28, 2, 7]"),
        ("win = 2", "win = 4"),
        ('"survive"', '"servive"'),
    ),
}
"""Changes in the files of the page, for the faults that it shows."""


def test_the_page_makes_content_that_is_checked_and_played(tmp_path: Path) -> None:
    said = follow(PAGE, tmp_path)
    assert "last_ferry" in said[0]
    assert json.loads(said[1])["finished"] == 1


def test_the_faults_are_told_as_the_page_shows_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(PAGE, tmp_path)
    for name, changes in SLIPS.items():
        path = tmp_path / "mine" / "action_cards" / name
        text = path.read_text("utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, "utf-8")
    with pytest.raises(CommandError, match="12 faults in"):
        content_check.run(tmp_path / "mine")
    assert f"```\n{capsys.readouterr().out}```" in PAGE


def test_every_word_that_content_may_use_is_on_the_page() -> None:
    words = [*conditions.KINDS, *specials.EFFECTS, *event_play.KINDS, *event_choices.SEATS, *event_choices.GROUPS]
    words += [f"[{name}" for name in schema.Document.model_fields if name not in ("rule", "rules")]
    assert not [word for word in words if f"`{word}" not in PAGE]


def test_every_key_that_content_may_have_is_on_the_page() -> None:
    known = [one for module in (schema, model) for one in vars(module).values() if isinstance(one, type)]
    entries = [one for one in known if issubclass(one, Entry)]
    entries += [entry_of(one) for one in known if issubclass(one, Written) and one is not Written]
    keys = {field.alias or key for entry in entries for key, field in entry.model_fields.items()} - {"rule", "rules"}
    assert len(keys) > 80
    written = set(re.findall(r"`([a-z_]+)`", PAGE)) | set(re.findall(r"^([a-z_]+) =", PAGE, re.MULTILINE))
    written |= set(re.findall(r"\[([a-z_]+)[.\]]", PAGE)) | set(re.findall(r"([a-z_]+)\]+$", PAGE, re.MULTILINE))
    assert keys - written == set()


def test_a_server_starts_with_it_by_itself_from_its_data_folder(tmp_path: Path) -> None:
    """The usual folder needs no option: what is broken there is told at the start."""
    own = tmp_path / "content" / "action_cards"
    own.mkdir(parents=True)
    (own / "broken.toml").write_text("[faction]\nid = 1\n")
    serve = [sys.executable, "-m", "server.cli.main", "serve", "--listen", "127.0.0.1:0", "--data", str(tmp_path)]
    done = subprocess.run(serve, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1
    assert "action_cards/broken.toml:2: faction.id" in done.stderr
