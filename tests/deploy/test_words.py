"""Every setting, command and option that a file of deploy/ names exists, and its settings are taken by the program."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from server.cli.main import main
from tests.support.clients.programs import DEPLOY
from tests.support.deploy.containerfile import CONTAINERFILE
from tests.support.deploy.words import VARIABLES, documents, with_proposals, wrong_words

FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file() and path.suffix != ".lock")
CONFIG = DEPLOY / "kubernetes" / "configmap.yaml"
SETTINGS = [*(path for path in FILES if path.suffix == ".toml"), CONFIG]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(DEPLOY)))
def test_every_word_of_the_program_exists(path: Path) -> None:
    assert list(wrong_words(path.read_text("utf-8"))) == []


def test_words_that_do_not_exist_are_found() -> None:
    text = "ESCHATON_DATE=1 eschaton-server serve --listen 1.2.3.4:5 --metric x\n# `eschaton-server` alone\n"
    assert list(wrong_words(text)) == ["ESCHATON_DATE", "serve --metric"]
    with pytest.raises(KeyError):
        list(wrong_words("eschaton-server backups x"))


@pytest.mark.parametrize("path", SETTINGS, ids=lambda path: str(path.relative_to(DEPLOY)))
@pytest.mark.parametrize("form", [str, with_proposals], ids=["as they are", "as comments propose"])
def test_the_program_takes_the_settings(
    path: Path,
    form: Callable[[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "settings.toml"
    file.write_text(form(documents(path)[0]["data"]["settings.toml"] if path == CONFIG else path.read_text("utf-8")))
    assert main(["settings", "--settings", str(file), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    given = {row["setting"] for row in rows if row["source"] == str(file)}
    assert given == tomllib.loads(file.read_text()).keys()
    assert {"data", "listen", "metrics"} <= given


def test_the_image_knows_its_settings_file_by_its_variable() -> None:
    assert "ESCHATON_SETTINGS=/etc/eschaton/settings.toml" in CONTAINERFILE.read_text("utf-8")
