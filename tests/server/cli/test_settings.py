"""Settings from the command line, the environment and a file: which of them counts, and what is told of the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.cli.main import main
from server.cli.settings.sources import MOST_BYTES, all_settings, nearest

ALL = """
data = "/srv/eschaton"
store = "redis://host:hun%2Fter2@10.0.0.1:6379/0"
durability = "second"
accept-loss = "everysec"
content = "content"
listen = "0.0.0.0:1"
tls-cert = "cert.pem"
tls-key = "key.pem"
origin = "https://one.example"
moderator = ["Ann", "Ben"]
webhook-host = ["discord.com", "hooks.slack.com"]
trusted-proxy = ["10.0.0.0/8", "192.0.2.7"]
proxy-protocol = true
metrics = "0.0.0.0:9440"
log-level = "debug"
bot-pause = 2
bots-alone = false
replays-gb = 0.5
replays-days = 30
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "server.toml"
    path.write_text(ALL)
    return path


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for each in all_settings():
        monkeypatch.delenv(each.variable, raising=False)


def shown(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, tuple[str, str, list[str]]]:
    """Return value, source and what was overridden, by setting."""
    assert main(["settings", "--json", *options]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {row["setting"]: (row["value"], row["source"], row["overrode"]) for row in rows}


def refused(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["settings", *options]) != 0
    told = capsys.readouterr()
    # the library frames what it says, and breaks it into lines
    return " ".join((told.out + told.err).replace("│", " ").split())


def test_without_any_source_all_is_default(capsys: pytest.CaptureFixture[str]) -> None:
    found = shown(capsys)
    assert list(found) == [each.key for each in all_settings()]
    assert {(source, tuple(overrode)) for _, source, overrode in found.values()} == {("default", ())}
    assert found["listen"][0] == "127.0.0.1:8440"
    assert found["bots-alone"][0] == "no"
    assert found["data"][0] == "your user data folder"


def test_a_file_gives_every_setting_but_its_own_name(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = shown(capsys, "--settings", str(file))
    assert found.pop("settings") == (str(file), "--settings", [])
    assert found.pop("store-file") == ("none", "default", [])
    assert {source for _, source, _ in found.values()} == {str(file)}
    assert found["trusted-proxy"][0] == "10.0.0.0/8 192.0.2.7"
    assert found["proxy-protocol"][0] == "yes"
    assert found["bot-pause"][0] == "2.0"
    assert found["origin"][0] == "https://one.example"
    assert found["moderator"][0] == "Ann Ben"
    assert found["webhook-host"][0] == "discord.com hooks.slack.com"


def test_the_command_line_goes_before_the_environment_and_that_before_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ESCHATON_SETTINGS", str(file))
    monkeypatch.setenv("ESCHATON_LISTEN", "0.0.0.0:2")
    monkeypatch.setenv("ESCHATON_METRICS", "127.0.0.1:2")
    monkeypatch.setenv("ESCHATON_DATA", "")
    monkeypatch.setenv("ESCHATON_BOTS_ALONE", "true")
    found = shown(capsys, "--listen", "0.0.0.0:3", "--log-level", "error", "--no-bots-alone")
    assert found["settings"] == (str(file), "ESCHATON_SETTINGS", [])
    assert found["listen"] == ("0.0.0.0:3", "--listen", ["ESCHATON_LISTEN", str(file)])
    assert found["metrics"] == ("127.0.0.1:2", "ESCHATON_METRICS", [str(file)])
    assert found["log-level"] == ("error", "--log-level", [str(file)])
    assert found["data"] == ("/srv/eschaton", str(file), [])
    assert found["bots-alone"] == ("no", "--bots-alone", ["ESCHATON_BOTS_ALONE", str(file)])


def test_plain_lines_say_the_same(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings", "--settings", str(file), "--listen", "0.0.0.0:3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    [listen] = [line.split(maxsplit=2) for line in lines if line.startswith("listen ")]
    assert listen == ["listen", "0.0.0.0:3", f"--listen, over {file}"]


def test_no_password_is_shown(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for form in ([], ["--json"]):
        assert main(["settings", "--settings", str(file), *form]) == 0
        assert "ter2" not in capsys.readouterr().out
    monkeypatch.setenv("ESCHATON_STORE", "rediss:/:hunter2@10.0.0.1/0")
    assert shown(capsys)["store"][0] == "rediss:/...@10.0.0.1/0"


def test_of_store_and_store_file_the_stronger_source_counts(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "store"
    monkeypatch.setenv("ESCHATON_STORE", "sqlite:a.db")
    found = shown(capsys, "--settings", str(file), "--store-file", str(place))
    assert found["store-file"] == (str(place), "--store-file", ["ESCHATON_STORE", str(file)])
    assert found["store"] == ("a file in the data folder", "--store-file instead", [])


def test_a_key_that_is_no_setting_is_refused_with_the_nearest(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text('trusted-proxies = []\nlisten = "127.0.0.1:1"\n[metrics-of-all]\nsettings = 1\n')
    said = refused(capsys, "--settings", str(file))
    assert "'trusted-proxies' is no setting. Did you mean trusted-proxy?" in said
    assert "'metrics-of-all' is no setting. Did you mean metrics?" in said
    file.write_text('settings = "other.toml"')
    assert "'settings' is no setting." in refused(capsys, "--settings", str(file))


def test_a_variable_that_is_no_setting_is_told_with_the_nearest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ESCHATON_LISTN", "127.0.0.1:1")
    assert main(["settings"]) == 0
    assert "ESCHATON_LISTN is no setting. Did you mean ESCHATON_LISTEN?" in capsys.readouterr().err
    assert nearest("xyzzy", ["listen", "data"]) == ""


@pytest.mark.parametrize(
    ("held", "why"),
    [
        ("listen = 8440", "listen must be text in quotes"),
        ("listen = ['a', 'b']", "listen must be text in quotes"),
        ("origin = ['a', 1]", "origin must be text in quotes"),
        ("bots-alone = 'yes'", "bots-alone must be true or false"),
        ("bot-pause = '1'", "bot-pause must be a number"),
        ("bot-pause = true", "bot-pause must be a number"),
        ("bot-pause = 61", "bot-pause"),
        ("log-level = 'loud'", "loud"),
        ("[listen]\na = 1", "listen must be text in quotes"),
        ("listen = ", "are not TOML"),
        ("# \xff", "are not TOML"),
        ("#" * (MOST_BYTES + 1), "more than 65536 bytes"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_name(
    tmp_path: Path, held: str | None, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.toml"
    if held is not None:
        path.write_bytes(held.encode("latin-1"))
    said = refused(capsys, "--settings", str(path))
    assert why in said
    assert "s.toml" in said.replace(" ", "")


def test_other_commands_find_what_the_server_uses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "server.toml"
    file.write_text(f'data = "{tmp_path / "nothing here"}"\nlisten = "127.0.0.1:1"\n')
    assert main(["key", "show", "--settings", str(file)]) == 1
    assert "nothing here" in capsys.readouterr().err
    file.write_text('store = "postgres://here"\n')
    assert main(["backup", str(tmp_path / "copy"), "--settings", str(file)]) != 0
    assert "postgres" in capsys.readouterr().err
