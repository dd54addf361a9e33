"""Page of the person's own account above the lobby: name, password, webhook, own data, signing out, and deletion."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from client.model.session import ClientSession
from client.text.phrases import phrase
from client.ui import theme
from client.ui.frame import Ui
from client.ui.layout import Rect, on_grid
from client.ui.text_input import TextInput
from client.views.lobby.webhook_page import WebhookPage
from client.views.name_registration import NameRegistration
from protocol.limits import Limits
from protocol.wire.from_client import DeleteAccount, Logout, Rename

WIDE, HIGH, ROWS, ROW, GAP = 560, 408, 9, 32, 4


class AccountPage:
    """Popup above the screen. What cannot be taken back is done at a second click. `folder` returns where own data
    is saved."""

    def __init__(
        self,
        session: ClientSession,
        registration: NameRegistration,
        webhook: WebhookPage,
        folder: Callable[[], Path],
    ) -> None:
        self.session = session
        self._folder = folder
        self.registration = registration
        self._webhook = webhook
        self.is_open = False
        self.name = TextInput(most=Limits().name_length, enter=self._rename)
        self.password = TextInput(most=Limits().password_most, hidden=True)
        self._is_leaving = self._is_deleting = False

    def draw_button(self, ui: Ui, rect: Rect) -> None:
        ui.button(rect, phrase("account.open"), self.open, tip=phrase("account.open.tip"))

    def open(self) -> None:
        self.is_open, self.session.notice = True, ""

    def close(self) -> None:
        self.is_open = self._is_leaving = self._is_deleting = False
        self.name.set("")
        self.password.set("")

    def draw(self, ui: Ui) -> None:
        inside = ui.popup(ui.px(WIDE), ui.px(HIGH), phrase("account.title"))
        words = phrase("account.kept" if self.session.registered_name else "account.guest", name=self.session.own_name)
        inside = ui.lines(words, inside, colour=theme.MUTED, gap=8)
        rows = inside.share(ROWS, ui.px(ROW), ui.px(GAP))
        self._draw_name(ui, next(rows))
        ui.button(next(rows), self.registration.title, self._register, left=True)
        self._draw_webhook(ui, next(rows))
        self._draw_own_data(ui, next(rows))
        self._draw_leaving(ui, next(rows))
        self._draw_deleting(ui, next(rows))
        first, second = next(rows), next(rows)
        note = Rect(first.x, second.y, first.w, first.top - second.y)
        ui.lines(self.session.notice, note, colour=theme.WARN, size=theme.SMALL)
        ui.button(next(rows), phrase("account.close"), self.close, primary=True, key=ui.keys.shown("back"))

    def _draw_name(self, ui: Ui, row: Rect) -> None:
        button, field = row.cut_right(on_grid(row.w * 0.4), 8)
        ui.input(field, self.name, phrase("account.name"))
        why_not = self._why_not()
        tip = why_not or phrase("account.rename.tip")
        ui.button(button, phrase("account.rename"), None if why_not else self._rename, primary=not why_not, tip=tip)

    def _draw_webhook(self, ui: Ui, row: Rect) -> None:
        is_known = self.session.webhook.is_known
        tip = phrase("webhook.open.tip" if is_known else "webhook.none_here")
        ui.button(row, phrase("webhook.open"), self._to_webhook if is_known else None, left=True, tip=tip)

    def _draw_own_data(self, ui: Ui, row: Rect) -> None:
        can = self.session.has_own_data and not self.session.own_data.is_coming
        tip = phrase("account.data.tip" if self.session.has_own_data else "account.data.none")
        ui.button(row, phrase("account.data"), self._save_own_data if can else None, left=True, tip=tip)

    def _draw_leaving(self, ui: Ui, row: Rect) -> None:
        """Draw the button that signs out at its second click, since a guest who is forgotten cannot come back."""
        tip = phrase("account.sign_out.tip")
        if self._is_leaving:
            ui.button(row, phrase("account.sign_out.really"), self._sign_out, primary=True, left=True, tip=tip)
        else:
            ui.button(row, phrase("account.sign_out"), self.ask_to_sign_out, left=True, tip=tip)

    def _draw_deleting(self, ui: Ui, row: Rect) -> None:
        """Draw the button that deletes the account at its second click, by the password of a kept name."""
        tip = phrase("account.delete.tip")
        if not self._is_deleting:
            act = self.ask_to_delete if self.session.has_accounts else None
            ui.button(row, phrase("account.delete"), act, left=True, tip=tip)
            return
        if self.session.registered_name:
            row, field = row.cut_right(on_grid(row.w * 0.5), 8)
            ui.input(field, self.password, phrase("account.password"))
        can = bool(self.password.text) or not self.session.registered_name
        act = self._delete if can else None
        ui.button(row, phrase("account.delete.really"), act, primary=can, left=True, tip=tip)

    def _why_not(self) -> str:
        if not self.session.has_accounts:
            return phrase("account.rename.none")
        return "" if self.name.text.strip() else phrase("account.rename.first")

    def _rename(self) -> None:
        if not self._why_not():
            self.session.notice = ""
            self.session.say(Rename(name=self.name.text.strip()))
            self.name.set("")

    def _save_own_data(self) -> None:
        self.session.notice = phrase("account.data.asked")
        self.session.own_data.fetch(self._folder(), self.session.own_name)

    def _register(self) -> None:
        self.close()
        self.registration.open()

    def _to_webhook(self) -> None:
        self.close()
        self._webhook.open()

    def ask_to_sign_out(self) -> None:
        """Ask again before the person is signed out."""
        self._is_leaving = True

    def ask_to_delete(self) -> None:
        """Ask again, and for the password of a kept name, before the account is deleted."""
        self._is_deleting = True

    def _delete(self) -> None:
        self.session.notice = ""
        self.session.say(DeleteAccount(password=self.password.text or None))
        self.password.set("")

    def _sign_out(self) -> None:
        self.session.say(Logout())
