"""The client's fonts: IBM Plex Sans, and its condensed cut for labels, in two weights each."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

FAMILY: Final = "IBM Plex Sans"
NARROW_FAMILY: Final = "IBM Plex Sans Condensed"


def font_file(*, bold: bool = False, narrow: bool = False) -> Path:
    """Return the file of one cut."""
    family = "IBMPlexSansCondensed" if narrow else "IBMPlexSans"
    return Path(str(files(__package__))) / f"{family}-{'Bold' if bold else 'Regular'}.ttf"
