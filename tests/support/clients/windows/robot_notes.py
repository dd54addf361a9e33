"""Hashes of the scenes that a robot's window shows, written to a file."""

from __future__ import annotations

import json
from pathlib import Path

from protocol.wire.client_conversation import ClientConversation


class Notes:
    """The hashes of the scene, one line for each number that was shown."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("w")
        self.last: object = None

    def __call__(self, conversation: ClientConversation) -> None:
        scene = conversation.scene
        if scene is None or not scene.is_whole:
            return
        public, private = scene.hashes
        line = {"stream": scene.stream, "public": public, "private": private if scene.has_private else None}
        if line != self.last:
            self.last = line
            self.file.write(json.dumps(line) + "\n")
            self.file.flush()
