"""Files that are long enough to be cut."""

from pathlib import Path

import pytest

from tools import lengths


def test_only_a_file_of_more_than_600_lines_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for lines in (600, 601):
        (tmp_path / f"of_{lines}.py").write_text("x = 1\n" * lines)
    assert lengths.main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == (
        f"warning: {tmp_path / 'of_601.py'} has 601 lines, more than 600: cut it by idea\n"
    )
