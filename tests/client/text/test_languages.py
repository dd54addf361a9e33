"""Each language of the program: complete, with the same blanks, chosen, falling back line by line to English."""

from __future__ import annotations

import locale
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

import pytest
from babel import Locale

from client.text import spoken
from client.text.days import day_of, noted_day, time_of
from client.text.forecast_words import figures
from client.text.own_words import OwnWords
from client.text.phrases import WORDS as PHRASES, phrase
from client.text.spoken import LANGUAGES, SPOKEN, Spoken
from client.text.texts import Texts
from engine.core.view.languages import is_words
from protocol.text import text
from protocol.text_format import PLURALS
from protocol.wire.from_server import Catalogue
from protocol.words import ENGLISH, languages_of, words_in
from server.content.systems import SHARED
from tests.support.languages.speaking import PSEUDO, speaking
from tools.languages import systems, window

BLANK = re.compile(r"\{(\w+)")
GERMAN = "de"
COMPLETE = {
    "client.text": window(),
    **SHARED,
    **{package or title: english for title, english, package in systems()},
}
"""English by the package that holds it in other languages, of every rule system in engine/rulesets."""
ROOMS = ("client", "engine", "protocol", "server")
ROOT = Path(__file__).resolve().parents[3]


def of_book(line: str) -> str:
    """Return the count behind the title of a rulebook's section, "" for any other line."""
    count = line.rpartition("|")[2]
    return count if count.isdigit() else ""


def files() -> Iterator[Path]:
    """Yield every catalogue in another language than English."""
    for room in ROOMS:
        yield from sorted(path for path in (ROOT / room).rglob("*/??/*.toml"))


def lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield keys and words of a catalogue, without what a rulebook or its pictures have besides."""
    yield from ((key, line) for key, line in tomllib.loads(path.read_text("utf-8")).items() if isinstance(line, str))


@pytest.mark.parametrize("package", COMPLETE)
def test_every_line_of_english_has_a_german_one_with_the_same_blanks(package: str) -> None:
    english, german = COMPLETE[package], words_in(GERMAN, package)
    assert sorted(key for key in english if is_words(key) and key not in german) == []
    assert sorted(key for key in german if key not in english) == []
    assert [key for key in german if set(BLANK.findall(german[key])) != set(BLANK.findall(english[key]))] == []
    assert [key for key in german if of_book(german[key]) != of_book(english[key])] == []


def test_no_line_stands_twice_in_a_language() -> None:
    english = {path for folder in {path.parent.parent for path in files()} for path in folder.glob("*.toml")}
    found = Counter((path.parent, key) for path in (*files(), *english) for key, _ in lines(path))
    assert len(found) > 8000
    assert [key for key, times in found.items() if times > 1] == []


def test_german_addresses_one_person_with_du_and_quotes_as_german_does() -> None:
    wrong = [
        f"{path.name}: {key}"
        for path in files()
        for key, line in lines(path)
        if re.search(r"\b(Ihnen|Ihrem|Ihres|Sie (können|dürfen|müssen))\b|”|(?<!\w)'", line)
    ]
    assert wrong == []


def test_the_languages_are_those_of_the_folders_and_each_names_itself() -> None:
    assert (ENGLISH, *languages_of("client.text")) == LANGUAGES
    names = []
    for language in LANGUAGES:
        with speaking(language):
            names.append(phrase("language.name"))
    assert names == ["English", "Deutsch"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_command_of_the_text_mode_has_a_word_of_its_own_with_which_its_help_begins(language: str) -> None:
    with speaking(language):
        entries = PHRASES.entries
        words = {key.rpartition(".")[2]: line for key, line in entries.items() if key.startswith("plain.command.")}
        told = {id: re.split("[ ,:]", entries[f"plain.about.{id}"])[0] for id in words}
    assert told == words
    assert len({*words.values()}) == len(words) > 40
    assert [word for word in words.values() if word != word.lower()] == []


def test_what_a_language_lacks_is_english_line_by_line() -> None:
    words = OwnWords("client.text", "talk")
    with speaking(GERMAN):
        assert words.entries["talk.accept"] == "Zusagen"
    words.spoken[GERMAN] = {**words.english, "talk.accept": "Zusagen"}
    with speaking(GERMAN):
        assert (words.entries["talk.accept"], words.entries["talk.decline"]) == ("Zusagen", "Decline")
    assert words.entries["talk.accept"] == "Accept"


def test_texts_follow_the_language_and_keep_what_was_learnt_in_each() -> None:
    texts = Texts([Catalogue("game", "en", "1", {"a": "one", "b": "two", "fair.the_host": "me"})])
    before = texts.learnt
    with speaking(GERMAN):
        assert texts.say(text("a")) == "one"
        assert texts.say(text("talk.accept")) == "Zusagen"
        assert texts.say(text("fair.the_host")) == "der Host"
        texts.learn({"a": "eins"}, GERMAN)
        assert (texts.say(text("a")), texts.say(text("b"))) == ("eins", "two")
        assert texts.learnt > before
    assert texts.say(text("a")) == "one"


def test_plural_forms_are_those_of_the_language() -> None:
    entry = {"n": "{n|one={n} figura|few={n} figury|many={n} figur|other={n} figury}"}
    polish = Spoken()
    polish.locale = Locale.parse("pl")
    texts = Texts([Catalogue("game", "en", "1", entry)])
    SPOKEN.plural = polish.locale.plural_form
    try:
        assert [texts.say(text("n", n=n)) for n in (1, 2, 5, 12, 22)] == [
            "1 figura",
            "2 figury",
            "5 figur",
            "12 figur",
            "22 figury",
        ]
    finally:
        SPOKEN.speak(ENGLISH)
    assert [texts.say(text("n", n=n)) for n in (1, 2, 5)] == ["1 figura", "2 figury", "5 figury"]
    assert set(PLURALS) == {"one", "few", "many", "other"}


def test_days_and_numbers_are_said_as_the_language_says_them() -> None:
    when = datetime(2026, 3, 4, 15, 5).timestamp()
    assert (day_of(int(when)), time_of(int(when)), figures(150)) == ("4 Mar 2026", "4 Mar 2026, 15:05", "1.5")
    assert (noted_day("2026-03-04"), noted_day("long ago")) == ("4 Mar 2026", "long ago")
    with speaking(GERMAN):
        assert (day_of(int(when)), time_of(int(when)), figures(150)) == ("04.03.2026", "04.03.2026, 15:05", "1,5")
        assert [SPOKEN.decimal(number, "0.##") for number in (1.0, 0.25, 1.5)] == ["1", "0,25", "1,5"]


@pytest.mark.parametrize(
    ("wished", "environment", "language", "day"),
    [
        ("", {"LANG": "de_AT.UTF-8"}, "de", "04.03.2026"),
        ("en", {"LANG": "de_DE.UTF-8"}, "en", "4 Mar 2026"),
        ("de", {"LANG": "en_US.UTF-8"}, "de", "04.03.2026"),
        ("", {"LANG": "en_US.UTF-8"}, "en", "Mar 4, 2026"),
        ("", {"LANG": "fr_FR.UTF-8"}, "en", "4 Mar 2026"),
        ("", {"LANG": "C"}, "en", "4 Mar 2026"),
        ("tlh", {"LANG": "de_CH.UTF-8"}, "de", "04.03.2026"),
    ],
)
def test_the_language_is_the_chosen_one_else_that_of_the_system(
    monkeypatch: pytest.MonkeyPatch, wished: str, environment: Mapping[str, str], language: str, day: str
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(locale, "getlocale", lambda: (None, None))
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    speech = Spoken()
    speech.choose(wished)
    assert (speech.language, speech.day(datetime(2026, 3, 4))) == (language, day)


def test_windows_names_its_locales_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(locale, "getlocale", lambda: ("German_Germany", "1252"))
    assert spoken.system_locale() == Locale("de", "DE")


def test_the_pseudo_language_is_longer_and_has_the_same_blanks() -> None:
    with speaking(PSEUDO):
        assert phrase("lobby.title") == "Löbbýéà"
        assert phrase("forecast.percent", percent=3) == "3 %"
        assert phrase("quick.players", count=1).startswith("1 player")
        sizes = [(len(words), len(PHRASES.entries[key])) for key, words in PHRASES.english.items()]
        assert sum(longer for _, longer in sizes) > 1.3 * sum(size for size, _ in sizes)
