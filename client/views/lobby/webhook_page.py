"""Page of the person's webhook above the lobby: an address is set, tried and removed, and what became of messages."""

from __future__ import annotations

from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.ui.text_input import TextInput
from protocol.wire.webhooks import MOST_ADDRESS, WebhookState

WIDE, HIGH, ROWS, ROW, GAP = 560, 320, 6, 32, 4
BEGINNING = "https://"


class WebhookPage:
    """Popup above the screen."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session
        self.is_open = False
        self.address = TextInput(most=MOST_ADDRESS, enter=self._set)
        self._sent: WebhookState | None = None
        """The state of before an address was sent, until there is another."""

    def open(self) -> None:
        self.is_open, self.session.notice = True, ""
        self.session.webhook.seen()

    def close(self) -> None:
        self.is_open, self._sent = False, None
        self.address.set("")

    def sync(self) -> None:
        """Empty the field once the server has taken what was in it."""
        if self._sent is not None and self.session.webhook.state is not self._sent:
            self._sent = None
            self.address.set("")

    def draw(self, ui: Ui) -> None:
        inside = ui.popup(ui.px(WIDE), ui.px(HIGH), phrase("webhook.title"))
        webhook = self.session.webhook
        state = webhook.state
        hosts = ", ".join(state.hosts) if state is not None else ""
        about = phrase("webhook.about", hosts=hosts) if webhook.is_known else phrase("webhook.none_here")
        inside = ui.lines(about, inside, colour=theme.MUTED, gap=8)
        rows = inside.share(ROWS, ui.px(ROW), ui.px(GAP))
        first, second = next(rows), next(rows)
        words, is_bad = self._state_words(state)
        note = Rect(first.x, second.y, first.w, first.top - second.y)
        ui.lines(words, note, colour=theme.WARN if is_bad else theme.TEXT)
        self._draw_address(ui, next(rows))
        self._draw_buttons(ui, next(rows), state)
        ui.lines(self.session.notice, next(rows), colour=theme.WARN, size=theme.SMALL)
        ui.button(next(rows), phrase("account.close"), self.close, primary=True, key=ui.keys.shown("back"))

    def _state_words(self, state: WebhookState | None) -> tuple[str, bool]:
        """Return how the webhook is, and True where that is bad news."""
        webhook = self.session.webhook
        if state is None:
            return (phrase("webhook.asking") if webhook.is_known else ""), False
        if not state.host:
            return phrase("webhook.none"), False
        if webhook.is_tried:
            return phrase("webhook.trying", host=state.host), False
        why = webhook.why
        if state.off:
            return phrase("webhook.off", failures=state.failures, why=why), True
        if why:
            return phrase("webhook.failing", host=state.host, why=why), True
        return phrase("webhook.is", host=state.host), False

    def _draw_address(self, ui: Ui, row: Rect) -> None:
        button, field = row.cut_right(on_grid(row.w * 0.25), 8)
        ui.input(field, self.address, phrase("webhook.address"))
        why_not = self._why_not()
        ui.button(button, phrase("webhook.set"), None if why_not else self._set, primary=not why_not, tip=why_not)

    def _draw_buttons(self, ui: Ui, row: Rect, state: WebhookState | None) -> None:
        is_set = state is not None and bool(state.host)
        webhook = self.session.webhook
        test, remove = row.columns(2, ui.px(GAP))
        can_try = is_set and not webhook.is_tried
        ui.button(test, phrase("webhook.try"), self._try if can_try else None, tip=phrase("webhook.try.tip"))
        ui.button(remove, phrase("webhook.remove"), self._remove if is_set else None, tip=phrase("webhook.remove.tip"))

    def _why_not(self) -> str:
        if not self.session.webhook.is_known:
            return phrase("webhook.none_here")
        return "" if self.address.text.strip().startswith(BEGINNING) else phrase("webhook.first")

    def _set(self) -> None:
        if not self._why_not():
            self.session.notice, self._sent = "", self.session.webhook.state
            self.session.webhook.set(self.address.text.strip())

    def _try(self) -> None:
        self.session.notice = ""
        self.session.webhook.try_out()

    def _remove(self) -> None:
        self.session.notice = ""
        self.session.webhook.remove()
