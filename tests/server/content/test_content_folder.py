"""A user's own folder of content: its refusals, the output of `content check`, and matches with its content."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from client.fairness import verify
from engine.core.rules.errors import ContentRefused
from protocol.fairness.replay import read
from protocol.limits import Limits
from protocol.wire import from_client as say
from protocol.wire.from_server import FilePart
from server.cli.content import check as content_check
from server.content.content_folder import read_folder
from server.content.systems import find_systems, load
from server.match.checking import check
from server.runtime.errors import CommandError
from tests.support.clients.wire import running
from tests.support.examples.broken_content import TABLE
from tests.support.faults.kills.crash_server import UNHURRIED
from tests.support.runs.patience import PATIENCE
from tests.support.systems.own_content import FACTION, GOOD, SCENARIO

pytestmark = pytest.mark.waits

LIMITS = Limits()
SYSTEM = "action_cards"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return the folder of good files."""
    folder = tmp_path / "mine"
    for name, text in GOOD.items():
        path = folder / SYSTEM / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def refused(folder: Path) -> tuple[str, ...]:
    return read_folder(folder, [SYSTEM], LIMITS)[1]


def test_files_are_known_by_their_place_below_the_folder(own: Path) -> None:
    (own / SYSTEM / "notes.txt").write_text("not content")
    (own / SYSTEM / ".hidden.toml").write_text("[")
    texts, problems = read_folder(own, [SYSTEM], LIMITS)
    assert set(texts[SYSTEM]) == {f"{SYSTEM}/{name}" for name in GOOD}
    assert not problems


def test_links_out_of_the_folder_and_what_is_no_file_are_not_read(own: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text("password = 'swordfish'")
    place = own / SYSTEM
    (place / "out.toml").symlink_to(secret)
    (place / "up.toml").symlink_to("../../secret.toml")
    (place / "round.toml").symlink_to("round.toml")
    (place / "gone.toml").symlink_to("nowhere.toml")
    (place / "within.toml").symlink_to("own/rats.toml")
    (place / "elsewhere").symlink_to(tmp_path)
    (place / "folder.toml").mkdir()
    os.mkfifo(place / "pipe.toml")
    texts, problems = read_folder(own, [SYSTEM], LIMITS)
    assert sorted(problem.split("/", 1)[1].split(":")[0] for problem in problems) == [
        "folder.toml",
        "gone.toml",
        "out.toml",
        "pipe.toml",
        "round.toml",
        "up.toml",
    ]
    assert not any("swordfish" in text for text in texts[SYSTEM].values())
    assert texts[SYSTEM][f"{SYSTEM}/within.toml"] == FACTION


def test_what_is_too_large_too_deep_or_too_many_is_not_read(own: Path) -> None:
    place = own / SYSTEM
    (place / "large.toml").write_bytes(b"#" * (LIMITS.content_file_bytes + 1))
    (place / "latin.toml").write_bytes(b"# \xe9")
    deep = place.joinpath(*"abcdef")
    deep.mkdir(parents=True)
    (deep / "deep.toml").write_text("")
    (own / "astray.toml").write_text("")
    said = refused(own)
    assert [problem.partition(": ")[2].split()[0] for problem in sorted(said)] == ["more", "larger", "byte", "belongs"]
    for number in range(LIMITS.content_files):
        (place / f"{number}.toml").write_text("")
    assert any(f"more than {LIMITS.content_files} files" in problem for problem in refused(own))


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 100_000,
        "a." * 100_000 + "a = 1",
        "x = " + "9" * 5_000,
        "[" * 100_000,
        '"' * 100_001,
        "a" * 200_000,
    ],
    ids=["lists", "parts", "digits", "heads", "quotes", "word"],
)
def test_hostile_texts_are_refused_with_a_line(own: Path, text: str) -> None:
    (own / SYSTEM / "hostile.toml").write_text(text)
    with pytest.raises(ContentRefused) as caught:
        load(find_systems([SYSTEM]).values(), own)
    assert caught.value.problems
    assert all("hostile.toml:1: " in problem for problem in caught.value.problems)


def test_a_scenario_without_room_for_anybody_is_refused_before_anyone_sits_down(own: Path) -> None:
    path = own / SYSTEM / "own" / "crossing.toml"
    path.write_text(SCENARIO.replace("start = [2, 38, 20, 8]", "start = [2, 38, 3, 3]"))
    with pytest.raises(ContentRefused) as caught:
        load(find_systems([SYSTEM]).values(), own)
    assert all("crossing: " in problem and "no room" in problem for problem in caught.value.problems), caught.value


LESSON = """\
[lesson]
id = "wading"
name = "Wading"
about = "How to wade."
scenario = "crossing"

[[lesson.seat]]
faction = "unit"

[[lesson.seat]]
faction = "unit"
bot = "levle1"

[[lesson.step]]
id = "go"
text = "Go."
choice = "levitate"
"""


def test_what_can_be_set_up_is_tried_though_other_files_have_faults(own: Path) -> None:
    """Faults of form, of names, of lessons and of room on the table are told in one round."""
    folder = own / SYSTEM / "own"
    (folder / "rats.toml").write_text(FACTION.replace("glyph", "gylph").replace("dice = 1", "dice = "))
    (folder / "crossing.toml").write_text(SCENARIO.replace("start = [2, 38, 20, 8]", "start = [2, 38, 3, 3]"))
    (folder / "lesson.toml").write_text(LESSON)
    (folder / "more.toml").write_text(SCENARIO.replace('"crossing"', '"more"').replace("feature =", "faeture =", 1))
    with pytest.raises(ContentRefused) as caught:
        load(find_systems([SYSTEM]).values(), own)
    told = caught.value.problems
    meant = "no such key is known here; did you mean feature?"
    assert told[0] == f"{SYSTEM}/own/more.toml:15: scenario.special.0.faeture: {meant}"
    assert told[1] == f"{SYSTEM}/own/rats.toml:16: Invalid value"
    assert f"{SYSTEM}: lesson wading: seat 1: there is no bot levle1; did you mean level1?" in told
    assert f"{SYSTEM}: lesson wading: go: there is no choice levitate" in told
    assert any("scenario crossing: " in line and "no room" in line for line in told)
    assert not [line for line in told if "scenario more" in line], "it is not tried: it has faults"


def test_who_does_not_fit_where_is_noted_by_the_check(own: Path) -> None:
    path = own / SYSTEM / "own" / "crossing.toml"
    path.write_text(SCENARIO.replace("start = [2, 38, 20, 8]", "start = [2, 38, 6, 6]"))
    (own / SYSTEM / "own" / "rats.toml").unlink()
    added, notes = content_check.examine_folder(find_systems([SYSTEM]).values(), own)
    assert "crossing" in added[SYSTEM]
    assert notes
    assert all("scenario crossing: " in note and "no room" in note for note in notes)


def test_every_broken_file_has_an_error_of_its_own(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Check that `content check` prints one line, with file, line, key where there is one, and reason: of every eighth
    fault, as all are read in test_ac_broken_content."""
    said: list[str] = []
    for broken in TABLE[::8]:
        path = own / SYSTEM / broken.file
        path.write_text(GOOD[broken.file].replace(broken.old, broken.new, 1))
        with pytest.raises(CommandError, match="1 fault in"):
            content_check.run(own)
        (line,) = capsys.readouterr().out.splitlines()
        assert line.startswith(f"{SYSTEM}/{broken.file}:{broken.said}")
        said.append(line)
        path.write_text(GOOD[broken.file])
    assert len(set(said)) == len(TABLE[::8]) >= 6
    assert content_check.run(own) == 0


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "server.cli.main", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_the_command_says_all_faults_or_that_there_are_none(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rats, crossing = (own / SYSTEM / "own" / name for name in ("rats.toml", "crossing.toml"))
    rats.unlink()
    (own / SYSTEM / ".hidden.toml").write_text("[")
    assert content_check.run(own) == 0
    assert "nothing is wrong with its 3 files" in (told := capsys.readouterr().out)
    assert "crossing" in told
    crossing.write_text(SCENARIO.replace("win = 1", "win = 9"))
    rats.write_text(FACTION.replace("dice = 1", "dice = -1"))
    bad = command("content", "check", str(own))
    assert bad.returncode == 1
    assert "2 faults" in bad.stderr
    assert [line.partition(": ")[0] for line in bad.stdout.splitlines()] == [
        f"{SYSTEM}/own/crossing.toml:32",
        f"{SYSTEM}/own/rats.toml:16",
    ]
    # a server does not start with it either, and says the same
    serve = command("serve", "--listen", "127.0.0.1:0", "--data", str(own.parent / "data"), "--content", str(own))
    assert serve.returncode == 1
    assert bad.stdout.splitlines()[0] in serve.stderr
    with pytest.raises(CommandError, match="no folder"):
        content_check.run(own / "nowhere")


async def test_a_faction_a_map_an_event_and_a_scenario_from_a_folder_play_at_once(own: Path, tmp_path: Path) -> None:
    """The replay verifies where the folder is not; the match goes on where the folder has gone."""
    data = tmp_path / "data"
    data.mkdir()
    systems = load(find_systems([SYSTEM]).values(), own)
    async with running(data, systems=systems, limits=UNHURRIED) as run:
        ann = await run.client("Ann")
        await ann.say(say.CreateTable(system=SYSTEM, scenario="crossing", name="Ford"))
        await ann.until(lambda: ann.talk.table is not None)
        await ann.say(say.ChooseFaction(faction="rats"))
        await ann.say(say.AddBot(kind="random"))
        await ann.say(say.StartMatch())
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.state == "live")
        await ann.until(lambda: ann.talk.scene is not None and "table" in ann.talk.scene.nodes)
        assert ann.talk.scene is not None
        assert ann.talk.table is not None
        table = ann.talk.table.id
        assert "the hut" in str(ann.talk.scene.nodes)
        assert "Marsh Rats" in str(ann.talk.scene.nodes)
    without = load(find_systems([SYSTEM]).values())
    async with running(data, systems=without, limits=UNHURRIED) as run:
        ann.port = run.port
        await ann.connect()
        run.clients.append(ann)
        await ann.say(say.OpenTable(table=table))
        await ann.until(lambda: ann.talk.scene is not None and "the hut" in str(ann.talk.scene.nodes))
        await ann.say(say.CallVote(what="end"))
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.state == "finished")
        await ann.until(lambda: ann.talk.table is not None and ann.talk.table.replay)
        await ann.say(say.GetReplay(table=table))
        part = await ann.hear(FilePart)
        parts = [part.data, *[(await ann.hear(FilePart)).data for _ in range(part.parts - 1)]]
        data_of = b"".join(parts)
    check(read(data_of, LIMITS), find_systems([SYSTEM])[SYSTEM])
    assert verify.check(data_of)[0].startswith("Everything holds")
