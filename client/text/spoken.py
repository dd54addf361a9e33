"""The language that this program speaks, one for all of it, with its plural forms, numbers and days by CLDR."""

from __future__ import annotations

import locale as of_the_system
from contextlib import suppress
from datetime import date, datetime
from decimal import ROUND_HALF_UP, localcontext
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.core import default_locale
from babel.dates import format_date, format_time, get_datetime_format
from babel.numbers import format_decimal

from protocol.text_format import Plural
from protocol.words import ENGLISH, languages_of

LANGUAGES: Final = (ENGLISH, *languages_of(__package__))
"""Languages that this program can speak, by the folders of its words."""
REGIONS: Final = {ENGLISH: "en_150"}
"""Locale of a language whose own is that of a region with customs of its own, where the system names no region: English
as in Europe writes days that nobody misreads, and 24 hours."""
NO_LOCALE: Final = "en_US_POSIX"
"""Locale of a system that was set up without any."""


class Spoken:
    """The present language, and what follows from it: `plural` names the form of a number."""

    language: str
    locale: Locale
    plural: Plural

    def __init__(self) -> None:
        self.speak(ENGLISH)

    def speak(self, language: str, region: Locale | None = None) -> None:
        """Speak one of LANGUAGES from now on, with the customs of a region where that speaks it, too."""
        self.language = language
        is_there = region is not None and region.language == language
        self.locale = region if is_there and region is not None else Locale.parse(REGIONS.get(language, language))
        self.plural = self.locale.plural_form

    def choose(self, wished: str) -> None:
        """Speak the language that a person has chosen; the system's where they have chosen none, or one that is not
        there (any more); English where that is not there either."""
        region = system_locale()
        wishes = (wished, region.language if region is not None else "")
        self.speak(next((wish for wish in wishes if wish in LANGUAGES), ENGLISH), region)

    def decimal(self, number: float, digits: str = "0.0") -> str:
        """Return a number in words; `digits`: "0.0" always one decimal, "0.##" two at most."""
        # 0.45 is 0.5 to a player, not the nearest even 0.4
        with localcontext(rounding=ROUND_HALF_UP):
            return format_decimal(number, digits, locale=self.locale)

    def day(self, when: date) -> str:
        """Return a day in words."""
        return plain(format_date(when, "medium", locale=self.locale))

    def minute(self, when: datetime) -> str:
        """Return a day with the hour and minute in words."""
        both = str(get_datetime_format("medium", locale=self.locale)).replace("'", "")
        hour = format_time(when.time(), "short", locale=self.locale)
        return plain(both.replace("{0}", hour).replace("{1}", self.day(when)))


def plain(words: str) -> str:
    """Return words with plain spaces, where a locale has spaces that fonts may lack."""
    return " ".join(words.split())


def system_locale() -> Locale | None:
    """Return the locale that the system's user has chosen, None where it is not known."""
    # Windows tells names of its own, such as German_Germany
    names = default_locale("LC_MESSAGES"), of_the_system.normalize(of_the_system.getlocale()[0] or "").partition(".")[0]
    for name in names:
        if name and name != NO_LOCALE:
            with suppress(ValueError, UnknownLocaleError):
                return Locale.parse(name)
    return None


SPOKEN: Final = Spoken()
