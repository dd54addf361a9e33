"""`python -m tools.pictures [PART...]`: the pictures of these parts, all of docs/ where none is named."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Final

from client.app.display import go_headless

FOLDER: Final = Path("docs/pictures")


def main() -> int:
    """Draw them, and return the exit status."""
    go_headless()  # before anything opens a display
    from tools.pictures.camera import Camera
    from tools.pictures.parts import PARTS, SHEETS

    wanted, known = sys.argv[1:] or list(PARTS), {**PARTS, **SHEETS}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        print(f"No part is called {', '.join(unknown)}. There are: {', '.join(known)}.")
        return 2
    camera = Camera(FOLDER)
    for name in wanted:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_DATA_HOME"] = str(Path(folder) / "home")
            asyncio.run(known[name](Path(folder), camera))
    return 0


if __name__ == "__main__":
    sys.exit(main())
