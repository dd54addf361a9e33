"""Files that come in parts from a server."""

from __future__ import annotations

from pathlib import Path

from client.storage.downloads import FileDownload
from protocol.wire.from_server import FilePart


def test_a_file_comes_in_parts_under_a_harmless_name(tmp_path: Path) -> None:
    download = FileDownload(tmp_path)
    assert download.take(FilePart("../../evil name.replay", 0, 2, b"one")) is None
    path = download.take(FilePart("../../evil name.replay", 1, 2, b"two"))
    assert path is not None
    assert path.parent == tmp_path
    assert path.read_bytes() == b"onetwo"
    again = FileDownload(tmp_path).take(FilePart("../../evil name.replay", 0, 1, b"x"))
    assert again != path


def test_parts_out_of_order_are_dropped(tmp_path: Path) -> None:
    download = FileDownload(tmp_path)
    download.take(FilePart("a", 0, 3, b"one"))
    assert download.take(FilePart("a", 2, 3, b"three")) is None
    assert list(tmp_path.iterdir()) == []
