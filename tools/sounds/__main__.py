"""The sounds written anew, with their licence."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tools.sounds.effects import EFFECTS, written

FOLDER: Final = Path("client/art/sounds")
NOTICE: Final = """\
The sounds (*.wav): the Eschaton authors, MIT, as the program itself.

Made by a program of tones and noise alone (tools/sounds); no recording is in them.
"""


def main() -> None:
    """Write all sounds, and take away those that are none any more."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.wav"):
        if path.stem not in EFFECTS:
            path.unlink()
    for name in EFFECTS:
        (FOLDER / f"{name}.wav").write_bytes(written(name))
    (FOLDER / "sounds.txt").write_text(NOTICE, "utf-8")
    print(f"{len(EFFECTS)} sounds, {sum(path.stat().st_size for path in FOLDER.glob('*.wav'))} bytes")


if __name__ == "__main__":
    main()
