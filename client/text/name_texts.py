"""Words around names that are kept with a password, and how long one may be."""

from __future__ import annotations

from typing import Final

from protocol.limits import Limits

MOST_PASSWORD: Final = Limits().password_most

ENGLISH: Final[dict[str, str]] = {
    "name.password": "Password",
    "name.sign_in": "Sign in",
    "name.sign_in.why": "Or sign in there, if you keep your name with a password",
    "name.sign_in.tip": "You are the same person as on your other devices, with all your seats.",
    "name.sign_in.first": "Write your name, the address and the password above first.",
    "name.keep": "Keep this name",
    "name.keep.tip": "With a password your name is yours on this server, and you can sign in from any computer.",
    "name.keep.about": "You are {name} on this server. With a password nobody else can be called so, and you can sign "
    "in with both from any computer. Without one, only this computer knows you.",
    "name.change": "Change password",
    "name.change.about": "You keep the name {name} on this server. A new password ends your sessions on all other "
    "computers.",
    "name.old": "Old password",
    "name.new": "New password, {least} characters at least",
    "name.again": "The same once more",
    "name.differ": "The two are not the same.",
    "name.short": "Give it {least} characters at least.",
    "name.no_old": "Write the old password first.",
    "name.cancel": "Back",
    "name.done": "You keep the name {name} here from now on.",
}
