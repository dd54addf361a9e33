"""The progress display of a long run."""

import pytest

from server.cli.progress import progress

pytestmark = pytest.mark.waits


def test_a_log_gets_a_line_now_and_then_with_the_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    time = 0.0
    with progress(4, "matches", lambda: time) as step:
        for at in (10.0, 120.0, 130.0, 140.0):
            time = at
            step()
    assert capsys.readouterr().err.splitlines() == ["matches: 2/4, 2 min left", "matches: 4/4, 0 min left"]


def test_a_terminal_gets_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    with progress(2, "matches") as step:
        step()
        step()
    told = capsys.readouterr().err
    assert "matches" in told
    assert "2/2" in told
