"""Settings of a person: each with its present value, a line of help, and what takes the next value. Kept in the
profile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar, get_args

from client.model.lobby.paces import BOT_PACES, next_bot_pace, plays_with_bots
from client.model.playback.durations import SPEEDS
from client.model.sound.catalogue import CATEGORIES
from client.model.sound.mixer import ALL
from client.storage.profile import Confirm, Ending
from client.text.phrases import phrase, yes_or_no
from client.text.spoken import LANGUAGES, SPOKEN
from client.ui import theme
from client.ui.theme import FACES, PALETTES, THEMES
from protocol.wire.from_client import BotPace

if TYPE_CHECKING:
    from client.app.navigator import Navigator

T = TypeVar("T")
Change = Callable[[], object]


@dataclass(frozen=True)
class PersonalSetting:
    """Setting by its `id`. Without `change` it cannot be changed at present, and `why` says why; `action`: the keys
    that change it, too (client/input/keys.toml)."""

    id: str
    value: str
    change: Change | None
    action: str = ""
    why: str = ""

    @property
    def name(self) -> str:
        return phrase(f"setting.{self.id}")

    @property
    def about(self) -> str:
        """Line of help."""
        return self.why or phrase(f"setting.{self.id}.about")


def settings_of(navigator: Navigator) -> list[PersonalSetting]:
    """Return all settings in the order in which they are shown."""
    app, profile = navigator.app, navigator.profile
    ending = "waits" if profile.ending == "waits" else "alone"
    change_keys = partial(app.toggle_page, app.keys_page)
    return [
        PersonalSetting("confirm", phrase(f"confirm.{profile.confirm}"), partial(_next_confirm, navigator)),
        PersonalSetting("speed", phrase(f"speed.{profile.speed}"), partial(_next_speed, navigator)),
        _bot_pace(navigator),
        PersonalSetting("ending", phrase(f"ending.{ending}"), partial(_next_ending, navigator)),
        PersonalSetting("size", f"{app.text_scale} %", app.key_dispatch.next_scale, action="size"),
        PersonalSetting("theme", phrase(f"theme.{theme.THEME}"), partial(_next_theme, navigator)),
        PersonalSetting("palette", phrase(f"palette.{theme.PALETTE}"), partial(_next_palette, navigator)),
        PersonalSetting("faces", phrase(f"faces.{theme.CARD_FACES}"), partial(_next_faces, navigator)),
        PersonalSetting("language", phrase("language.name"), partial(_next_language, navigator)),
        PersonalSetting("sound", _loudness(navigator), app.settings_page.show_sounds),
        PersonalSetting("full", yes_or_no(is_so=app.fullscreen), app.placing.ask_full_screen, action="full"),
        PersonalSetting("keys", phrase("setting.keys.value"), change_keys, action="settings"),
    ]


def _bot_pace(navigator: Navigator) -> PersonalSetting:
    """Return the pace of bots, which is the table's: each player may wish for one."""
    session = navigator.session
    table = session.conversation.table if session is not None else None
    pace = table.bot_pace if table is not None else BOT_PACES[0]
    value = phrase("setting.bots.value", seconds=SPOKEN.decimal(pace / 1000, "0.##")) if table is not None else ""
    if session is None or not plays_with_bots(table):
        return PersonalSetting("bots", value, None, why=phrase("bots.none"))
    return PersonalSetting("bots", value, partial(session.say, BotPace(pace=next_bot_pace(pace))))


def _changed(navigator: Navigator) -> None:
    """Keep the profile and tell the table of the change."""
    navigator.keep()
    if navigator.session is not None:
        navigator.session.changes += 1
    navigator.app.refresh()


def _after(values: Sequence[T], now: T) -> T:
    """Return the value after this one, after the last the first."""
    at = values.index(now) if now in values else 0
    return values[(at + 1) % len(values)]


def _next_confirm(navigator: Navigator) -> None:
    navigator.profile.confirm = _after(get_args(Confirm), navigator.profile.confirm)
    _changed(navigator)


def _next_speed(navigator: Navigator) -> None:
    navigator.profile.speed = _after([*SPEEDS], navigator.profile.speed)
    _changed(navigator)


def _next_ending(navigator: Navigator) -> None:
    navigator.profile.ending = _after(get_args(Ending), navigator.profile.ending)
    _changed(navigator)


def _next_language(navigator: Navigator) -> None:
    navigator.profile.language = _after(LANGUAGES, SPOKEN.language)
    SPOKEN.choose(navigator.profile.language)
    if navigator.session is not None:
        navigator.session.speak()
    _changed(navigator)


def _next_theme(navigator: Navigator) -> None:
    navigator.profile.theme = _after(THEMES, theme.THEME)
    _recolour(navigator)


def _next_palette(navigator: Navigator) -> None:
    navigator.profile.palette = _after(PALETTES, theme.PALETTE)
    _recolour(navigator)


def _next_faces(navigator: Navigator) -> None:
    navigator.profile.faces = _after(FACES, theme.CARD_FACES)
    _recolour(navigator)


def _recolour(navigator: Navigator) -> None:
    theme.choose(navigator.profile.theme, navigator.profile.palette, navigator.profile.faces)
    _changed(navigator)


def _loudness(navigator: Navigator) -> str:
    mixer = navigator.app.sounds
    return f"{mixer.volume(ALL)} %" if mixer.profile.sound else phrase("setting.sound.off")


def sound_settings_of(navigator: Navigator) -> list[PersonalSetting]:
    """Return the settings of sounds: on or off, and how loud all are and those of each category."""
    mixer = navigator.app.sounds
    on = PersonalSetting("sounds", yes_or_no(is_so=mixer.profile.sound), navigator.app.mute, action="mute")
    volumes = [(ALL, "objective"), *((category, names[0]) for category, names in CATEGORIES.items())]
    return [
        on,
        *(
            PersonalSetting(f"volume_{of}", f"{mixer.volume(of)} %", partial(_turn, navigator, of, heard))
            for of, heard in volumes
        ),
    ]


def _turn(navigator: Navigator, of: str, heard: str) -> None:
    """Take the next volume, and play a sound at it."""
    navigator.app.sounds.turn(of)
    _changed(navigator)
    navigator.app.sounds.play(heard)
