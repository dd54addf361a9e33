"""Sounds of what a server tells: a bell where the person is waited for, and what others say, refuse and end."""

from __future__ import annotations

from collections.abc import Callable

from client.model.sound.mixer import SoundMixer
from protocol.scene.nodes import RESULT_NODE, TURN, WAITS_NODE, Prompt, Result, Waits
from protocol.wire import from_server as told
from protocol.wire.client_conversation import ClientConversation


class SessionSounds:
    """Sounds of a session. `call` is called as well where the person is waited for."""

    def __init__(self, mixer: SoundMixer, conversation: ClientConversation) -> None:
        self.mixer = mixer
        self.call: Callable[[], object] = lambda: None
        self._conversation = conversation
        self._is_asked = False
        self._outcome = ""

    def hear(self, message: told.FromServer, prompt: Prompt | None) -> None:
        """Play what belongs to a message that has been taken in. `prompt`: what is put to the person now."""
        match message:
            case told.Snapshot():
                # who joins or comes back sees by the picture that they are asked
                self._is_asked, self._outcome = self._asks(prompt), ""
            case told.Delta():
                self._note_turn(prompt)
                self._note_result(message)
            case told.ChatLine() if message.where != "lobby" and message.who != self._conversation.you:
                self.mixer.play("chat")
            case told.Reject() | told.Problem():
                self.mixer.play("refused")
            case _:
                pass

    def _asks(self, prompt: Prompt | None) -> bool:
        scene, table = self._conversation.scene, self._conversation.table
        waits = scene.nodes.get(WAITS_NODE) if scene is not None else None
        is_waited_for = isinstance(waits, Waits) and table is not None and table.seat in waits.seats
        return is_waited_for and prompt is not None and bool(prompt.choices)

    def _note_turn(self, prompt: Prompt | None) -> None:
        """Ring where the table waits for the person, and has not done so before."""
        was_asked, self._is_asked = self._is_asked, self._asks(prompt)
        if self._is_asked and not was_asked and prompt is not None:
            self.mixer.play("my_turn" if prompt.window == TURN else "question")
            self.call()

    def _note_result(self, message: told.Delta) -> None:
        scene, table = self._conversation.scene, self._conversation.table
        result = scene.nodes.get(RESULT_NODE) if scene is not None and RESULT_NODE in message.patch else None
        if isinstance(result, Result) and table is not None:
            own = next((seat for seat in result.seats if seat.seat == table.seat), None)
            self._outcome = "over" if own is None else "victory" if own.won else "defeat"

    def tell_outcome(self) -> None:
        """Play how the match has come out, once, where it has ended before the person's eyes."""
        self.mixer.play(self._outcome)
        self._outcome = ""
