"""The measured window of a replay, a process of its own: `python -m bench.replay_process FILE`.

It jumps about in the replay through the eyes of everybody, of all seats and of one, and says the seconds of CPU of each
jump as JSON: until its frame is described and drawn, but for what a graphics card does.
"""

from __future__ import annotations

import json
import os
import random
import sys
from itertools import pairwise
from pathlib import Path
from time import thread_time
from typing import Final

SIZE: Final = (1280, 800)
JUMPS: Final = 60
"""Jumps of each audience, beside those from one end to the other."""


def jumps(path: Path) -> list[float]:
    """Open a replay in a window without a screen, and jump about."""
    os.environ["ARCADE_HEADLESS"] = "1"
    from client.app.window import App
    from client.model.replay.replay_player import open_replay
    from client.views.board.replay_screen import ReplayScreen

    app = App(SIZE, visible=False)
    player = open_replay(path)
    app.show(screen := ReplayScreen(app, player))
    app.draw(0)
    chance = random.Random(path.name)
    found: list[float] = []
    for audience in player.audiences[:3]:
        screen.show.see_as(audience)
        steps = [0, player.last, 0, *(chance.randrange(player.last + 1) for _ in range(JUMPS))]
        for before, step in pairwise(steps):
            if before == step:
                continue
            began = thread_time()
            screen.go(step)
            app.draw(0)
            found.append(thread_time() - began)
    app.close()
    return found


if __name__ == "__main__":
    print(json.dumps(jumps(Path(sys.argv[1]))))
