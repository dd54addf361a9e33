"""The person's webhook on a server: where they are told of turns while they are not there. Needs no window."""

from __future__ import annotations

from collections.abc import Callable

from client.text.phrases import phrase
from protocol.text import Text
from protocol.wire.client_message import Message
from protocol.wire.webhooks import GetWebhook, SetWebhook, TryWebhook, WebhookState


class OwnWebhook:
    """The webhook as the server tells of it. `say` sends a message; `tell` tells the person; `words` returns those of a
    text; `place`: the server as this program reaches it, as it stands in links."""

    def __init__(
        self,
        say: Callable[[Message], object],
        tell: Callable[[str], None],
        words: Callable[[Text], str],
        place: str,
    ) -> None:
        self._say = say
        self._tell = tell
        self._words = words
        self._place = place
        self.is_known = False
        """True where the server sends to webhooks."""
        self.state: WebhookState | None = None
        """None until the server has told it."""
        self.is_tried = False
        """A message is on its way, whose outcome is awaited."""
        self.is_off_told = False
        """It has been switched off, and the person has not read so."""

    def begin(self, *, is_known: bool) -> None:
        """Ask a server that sends to webhooks for that of the person."""
        self.is_known, self.state, self.is_tried, self.is_off_told = is_known, None, False, False
        if is_known:
            self._say(GetWebhook())

    def take(self, state: WebhookState) -> None:
        """Take in how the webhook is, and tell the person what came of a message that they wished for."""
        was_off = self.state is not None and self.state.off
        self.is_off_told = state.off and (self.is_off_told or not was_off) and not state.tried
        self.is_tried = self.is_tried and not state.tried
        self.state = state
        if state.tried:
            why = self.why
            self._tell(phrase("webhook.lost", why=why) if why else phrase("webhook.arrived", host=state.host))

    @property
    def why(self) -> str:
        """Words of the reason why the newest message has not arrived, "" where it has."""
        return self._words(self.state.why) if self.state is not None and self.state.why is not None else ""

    def set(self, address: str) -> None:
        """Ask to be told at this address."""
        self._say(SetWebhook(address=address, place=self._place))

    def remove(self) -> None:
        """Ask to be told nowhere."""
        self._say(SetWebhook(address="", place=self._place))

    def try_out(self) -> None:
        """Ask for a message now."""
        self.is_tried, self.is_off_told = True, False
        self._say(TryWebhook())

    def seen(self) -> None:
        """Note that the person has read that it has been switched off."""
        self.is_off_told = False

    def refused(self) -> None:
        """Await nothing more."""
        self.is_tried = False
